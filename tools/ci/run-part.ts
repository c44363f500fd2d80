import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { Part } from './parts.ts';
import { testCounts } from './test-counts.ts';
import type { PartResult } from './verdict.ts';

/** More files than this do not fail by chance: they are not run again. */
const maxRerunFiles = 30;
const testMinutes = 60;

type Output = 'shown' | { readonly file: string };

/** Runs a part to its end, whatever becomes of it. */
export async function runPart(
  part: Part,
  output: Output = 'shown',
  beforeRerun: () => Promise<void> = async () => {},
): Promise<PartResult> {
  const start = performance.now();
  const outcome = await run(part, output, beforeRerun);
  return { name: part.name, seconds: (performance.now() - start) / 1000, ...outcome };
}

type Outcome = Pick<PartResult, 'passed' | 'failed' | 'flaky'>;

async function run(part: Part, output: Output, beforeRerun: () => Promise<void>): Promise<Outcome> {
  switch (part.kind) {
    case 'check':
      return await runCheck();
    case 'tests':
      return await runTests(part.project, part.files ?? [], beforeRerun);
    case 'prepare':
      return { passed: 0, failed: (await start(part.command, 20, output)) ? [] : [part.name] };
    case 'command': {
      const hasPassed = await start(part.command, part.minutes, output);
      return hasPassed ? { passed: 1, failed: [] } : { passed: 0, failed: [part.name] };
    }
  }
}

/** Each line of the check that begins with ok or failed counts as one. */
async function runCheck(): Promise<Outcome> {
  mkdirSync('.reports', { recursive: true });
  const file = '.reports/check.txt';
  await start(['npm', 'run', '--silent', 'check'], 30, { file });
  const text = readFileSync(file, 'utf8');
  process.stdout.write(text);
  const passed = [...text.matchAll(/^ok +/gm)].length;
  const failed = [...text.matchAll(/^failed +(.+?) {2,}/gm)].map(([, name]) => name!);
  return { passed, failed: passed + failed.length === 0 ? ['it did not run'] : failed };
}

/**
 * A machine that stalls for seconds breaks tests that measure time. So files with failed tests run once more, one at a time.
 * A test that passes then is flaky.
 */
async function runTests(
  project: string,
  named: readonly string[],
  beforeRerun: () => Promise<void>,
): Promise<Outcome> {
  const report = `.reports/${project.replaceAll(' ', '-')}`;
  const first = await runVitest(project, `${report}.json`, named);
  const files = [...new Set(first.names.map(name => name.split(' > ')[0]!))];
  if (files.length === 0 || files.length > maxRerunFiles) return toOutcome(first, first.names, []);
  await beforeRerun();
  console.log(`\n== tests: ${project}, rerun`);
  const second = await runVitest(project, `${report}-rerun.json`, ['--maxWorkers=1', ...files]);
  const flaky = first.names.filter(name => !second.names.includes(name));
  return toOutcome(first, second.failed > 0 && second.names.length === 0 ? files : second.names, flaky);
}

function toOutcome(
  { passed, failed }: { readonly passed: number; readonly failed: number },
  broken: readonly string[],
  flaky: readonly string[],
): Outcome {
  const total = passed + failed;
  const names = failed > 0 && broken.length === 0 && flaky.length === 0 ? ['the run itself'] : broken;
  return { passed: Math.max(0, total - names.length), failed: names, flaky };
}

async function runVitest(project: string, report: string, args: readonly string[]) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // A run that ends without a report must not be judged by that of an earlier one.
  rmSync(report, { force: true });
  await start(['vitest', 'run', '--project', project, ...reporters, ...args], testMinutes, 'shown');
  return testCounts(existsSync(report) ? readFileSync(report, 'utf8') : undefined);
}

/** Whether a command ended with 0 in time. Words like $NAME are read from the environment. */
async function start(command: readonly string[], minutes: number, output: Output): Promise<boolean> {
  const [program = '', ...args] = command.map(word =>
    word.startsWith('$') ? (process.env[word.slice(1)] ?? '') : word,
  );
  const file = output === 'shown' ? null : createWriteStream(output.file);
  const limit = ['--kill-after=30s', `${minutes}m`, program, ...args];
  const child = spawn('timeout', limit, {
    stdio: file ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  if (file) for (const stream of [child.stdout, child.stderr]) stream?.pipe(file, { end: false });
  const code = await new Promise<number | null>(resolve => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  if (file) await new Promise<void>(resolve => file.end(resolve));
  return code === 0;
}
