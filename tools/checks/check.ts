import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const bin = (name: string) => resolve(root, 'node_modules/.bin', name);
/** TypeScript 7: the `tsc` in node_modules/.bin may be that of the version which the tools read code by. */
const tsc = [process.execPath, resolve(root, 'node_modules/typescript-7/bin/tsc')];
const tool = (name: string) => [process.execPath, resolve(root, 'tools', name)];

/** Everything that can be checked without running the service. */
const steps: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['types', tsc],
  ['types: dashboard', [...tsc, '-p', 'apps/dashboard']],
  // On its own, the SDK may use only what every platform has.
  ['types: sdk', [...tsc, '-p', 'packages/sdk', '--noEmit']],
  ['lint', [bin('biome'), 'ci', '.']],
  ['imports', [bin('depcruise'), 'apps', 'packages', 'test', 'tools', 'bench']],
  ['unused', [bin('knip'), '--treat-config-hints-as-errors']],
  ['table owners', tool('checks/table-owners.ts')],
  ['strings', tool('checks/strings.ts')],
  ['translations', tool('checks/translations.ts')],
  ['thresholds', tool('checks/ci-scale.ts')],
  ['names', tool('checks/names.ts')],
  ['generated', [...tool('generate/generate.ts'), '--check']],
  ['openapi', tool('checks/openapi-compat.ts')],
  ['lock file', tool('checks/lock-file.ts')],
  ['licences', tool('checks/licences.ts')],
  ['conformance', tool('checks/conformance.ts')],
  ['docs', tool('checks/docs.ts')],
];

type Outcome = { readonly ok: boolean; readonly output: string; readonly seconds: string };

function run([program = '', ...args]: readonly string[]): Promise<Outcome> {
  const start = performance.now();
  return new Promise(settle => {
    let output = '';
    const end = (ok: boolean) =>
      settle({ ok, output, seconds: ((performance.now() - start) / 1_000).toFixed(1) });
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('error', error => {
      output += String(error);
      end(false);
    });
    child.on('close', code => end(code === 0));
  });
}

let failed = 0;
for (const [name, command] of steps) {
  const { ok, output, seconds } = await run(command);
  console.log(`${ok ? 'ok    ' : 'failed'}  ${name.padEnd(18)}${seconds.padStart(5)} s`);
  if (ok) continue;
  failed++;
  console.log(output.trimEnd().replaceAll(/^/gm, '        '));
}
process.exitCode = failed > 0 ? 1 : 0;
