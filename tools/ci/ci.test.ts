import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const config = `export default { test: { projects: [{ test: { name: 'unit', include: ['*.test.js'] } }] } };`;
const passes = `import { test } from 'vitest';\ntest('passes', () => {});\n`;
const fails = `import { test } from 'vitest';\ntest('fails', () => { throw new Error('no'); });\n`;
const passesWhenRerun = `import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
test('sometimes', () => {
  if (existsSync('ran')) return;
  writeFileSync('ran', '');
  throw new Error('not yet');
});
`;
const crashes = `import { test } from 'vitest';\ntest('ends its process', () => process.kill(process.pid, 'SIGKILL'));\n`;

const unit = { name: 'tests: unit', kind: 'tests', project: 'unit' };
const late = { name: 'late', kind: 'command', command: ['true'], minutes: 1, until: 0 };
const [isFast, isSlow] = [100, 900].map(measuredMs => ({ speed: { measuredMs, quietMs: 100 } }));

function folder(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-ci-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return dir;
}

/** The exit code of the gate with this configuration, and the last two lines that it prints. */
function runGate(config: object, files: Readonly<Record<string, string>> = {}) {
  const dir = folder({ ...files, 'gate.json': JSON.stringify(config) });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'tools/ci/main.ts'), '--config', 'gate.json'],
    {
      cwd: dir,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}`, CI_STARTED_AT: '' },
    },
  );
  return { status, lines: stdout.trimEnd().split('\n').slice(-2) };
}

const runTests = (name: string, text: string, more: object = {}) =>
  runGate(
    { parts: [unit], ...isFast, ...more },
    { 'vitest.config.js': config, 'good.test.js': passes, [`${name}.test.js`]: text },
  );

test('tests that pass end with 0', () => {
  const { status, lines } = runTests('other', passes);
  expect(lines.at(-1)).toBe('2 passed, 0 failed');
  expect(status).toBe(0);
});

test('a test that fails ends with 1', () => {
  const { status, lines } = runTests('bad', fails);
  expect(lines).toEqual(['failed: tests: unit: bad.test.js > fails', '1 passed, 1 failed']);
  expect(status).toBe(1);
});

test('a test that passes only on its rerun ends with 1, unless it is listed or the machine is slow', () => {
  const { status, lines } = runTests('shaky', passesWhenRerun);
  expect(lines).toEqual([
    'failed: shaky.test.js > sometimes (passed only when rerun, and is not in tools/ci/flaky.json)',
    '1 passed, 1 failed',
  ]);
  expect(status).toBe(1);
  expect(runTests('shaky', passesWhenRerun, isSlow)).toMatchObject({
    status: 0,
    lines: ['flaky, on a slow machine: shaky.test.js > sometimes', '2 passed, 0 failed'],
  });
  const flaky = [{ test: 'shaky.test.js > sometimes', reason: 'an example', since: '2026-01-01' }];
  const listed = runTests('shaky', passesWhenRerun, { flaky });
  expect(listed.lines).toEqual([
    'listed as flaky since 2026-01-01, fix it: shaky.test.js > sometimes',
    '2 passed, 0 failed',
  ]);
  expect(listed.status).toBe(0);
});

test('a worker that crashes ends with 1', () => {
  const { status, lines } = runTests('crash', crashes);
  expect(lines.at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed$/);
  expect(status).toBe(1);
});

test('a part that is left out ends with 1, except on a slow machine', () => {
  const fast = runGate({ parts: [late], ...isFast });
  expect(fast.lines).toEqual(['left out, the machine is too slow: late', '0 passed, 1 failed']);
  expect(fast.status).toBe(1);
  const slow = runGate({ parts: [late], ...isSlow });
  expect(slow.lines).toEqual(['left out, the machine is too slow: late', '0 passed, 0 failed']);
  expect(slow.status).toBe(0);
});

test('a command that fails ends with 1, beside another too', () => {
  const good = { name: 'good', kind: 'command', command: ['true'], minutes: 1 };
  const bad = { name: 'bad', kind: 'command', command: ['false'], minutes: 1, beside: 'good' };
  const { status, lines } = runGate({ parts: [good, bad], ...isFast });
  expect(lines).toEqual(['failed: bad', '1 passed, 1 failed']);
  expect(status).toBe(1);
});

test('a threshold scaled by ciScale ends with 1, and a scaled size does not', () => {
  const check = (text: string) =>
    spawnSync(
      process.execPath,
      [join(root, 'tools/checks/ci-scale.ts'), folder({ 'test/a.test.ts': text })],
      {
        encoding: 'utf8',
      },
    );
  const size = 'const runs = ciScale(100, 10);\nexpect(ok).toBe(runs);\n';
  expect(check(size).status).toBe(0);
  for (const threshold of [
    'expect(ms).toBeLessThan(ciScale(5, 50));\n',
    'const maxMs = ciScale(50, 500);\nexpect(ms).toBeLessThanOrEqual(maxMs);\n',
    'const limits = { idle: ciScale(5, 9) };\nexpect(used).toBeLessThanOrEqual(limits.idle);\n',
    'const fewest = ciScale(900, 1);\nexpect(rate).toBeGreaterThanOrEqual(fewest);\n',
    'const ms = ciScale(50, 500);\n',
  ]) {
    const { status, stdout } = check(threshold);
    expect(stdout).toContain('test/a.test.ts');
    expect(status).toBe(1);
  }
});
