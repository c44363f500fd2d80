import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { findFigures, findLeft, type Guarantee, type Measured, parseGuarantees } from './guarantees.ts';

const usage = `npm run verify                 lists every guarantee with its command
npm run verify -- NAME ...     measures these at full size
npm run verify -- --all        measures all, one after the other; goes on after an interruption
npm run verify -- --all --again  measures all again`;

const file = process.env.VERIFY_MEASURED ?? 'docs/internals/measured.json';
const page = process.env.VERIFY_PAGE ?? 'docs/internals/guarantees.md';
const guarantees = parseGuarantees(readFileSync(page, 'utf8'));
const readAll = () => JSON.parse(readFileSync(file, 'utf8')) as { guarantees?: Record<string, Measured> };
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

function list(): void {
  const { guarantees: measured = {} } = readAll();
  for (const { name, command, promises } of guarantees) {
    const last = measured[name];
    const state = last
      ? `${last.passed ? 'passed' : 'failed'} ${last.on}, ${last.seconds} s`
      : 'not measured yet';
    console.log(`${name.padEnd(24)} ${state.padEnd(28)} ${command}`);
    for (const promise of promises) console.log(`${''.padEnd(25)}${promise}`);
  }
  console.log(`\n${usage}`);
}

/** Without CI, whose tests are smaller. */
async function measure({ name, command }: Guarantee): Promise<boolean> {
  console.log(`\n== ${name}: ${command}`);
  const { CI: _smaller, ...env } = process.env;
  const start = performance.now();
  const child = spawn('bash', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk);
      output += chunk;
    });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  // A command that finds what it needs missing says so, and shows nothing.
  const [skipped] = /^skipped: .*$/m.exec(output) ?? [];
  if (skipped !== undefined) {
    console.log(`${name}: ${skipped}`);
    return false;
  }
  const result: Measured = {
    on: new Date().toISOString().slice(0, 10),
    at: commit,
    seconds: Math.round((performance.now() - start) / 1000),
    passed: code === 0,
    figures: findFigures(output),
  };
  const all = readAll();
  const measured = { ...all.guarantees, [name]: result };
  writeFileSync(file, `${JSON.stringify({ ...all, guarantees: measured }, null, 2)}\n`);
  console.log(`${name}: ${result.passed ? 'passed' : 'failed'} after ${result.seconds} s. ${result.figures}`);
  return result.passed;
}

const args = process.argv.slice(2);
const unknown = args.filter(
  arg => !/^--(?:all|again)$/.test(arg) && !guarantees.some(({ name }) => name === arg),
);
if (unknown.length > 0) {
  console.error(`No guarantee is called ${unknown.join(', ')}.\n${usage}`);
  process.exitCode = 2;
} else if (args.length === 0) list();
else {
  const isAll = args.includes('--all');
  const wanted = isAll ? guarantees : guarantees.filter(({ name }) => args.includes(name));
  const left =
    isAll && !args.includes('--again') ? findLeft(wanted, readAll().guarantees ?? {}, commit) : wanted;
  let failed = 0;
  for (const guarantee of left) if (!(await measure(guarantee))) failed++;
  console.log(
    `${left.length - failed} passed, ${failed} failed, ${wanted.length - left.length} had passed before`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
}
