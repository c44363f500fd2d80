import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFigures, parseGuarantees } from './guarantees.ts';

const root = resolve(import.meta.dirname, '../..');

test('every guarantee of the page has a name of its own', () => {
  const all = parseGuarantees(readFileSync(join(root, 'docs/internals/guarantees.md'), 'utf8'));
  const names = all.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(
    expect.arrayContaining(['silence', 'chaos', 'chaos-solo', 'bench-shards', 'analytics/model']),
  );
  const promises = all.flatMap(one => one.promises).length;
  expect(promises).toBeGreaterThan(60);
});

test('figures are the last line with a number that is not of the test runner', () => {
  const output =
    'stdout | a.e2e.ts > it\nsilence {"p99":12}\n\n \u001b[32m✓\u001b[39m a.e2e.ts (1 test) 3ms\n      Tests  1 passed (1)\n';
  expect(findFigures(output)).toBe('silence {"p99":12}');
});

/** Three guarantees, of which the second fails until a file exists. */
function verifier() {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-verify-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const row = (name: string, script: string) => `| It holds | 1 | \`npm run ${name}; ${script}\` |\n`;
  // The command is `true` by the name of npm, then the script.
  writeFileSync(join(dir, 'npm'), '#!/bin/sh\necho "$2 7"\n', { mode: 0o755 });
  writeFileSync(
    join(dir, 'page.md'),
    row('one', `echo ran >> ${dir}/ran`) +
      row('two', `test -e ${dir}/ready`) +
      row('three', `echo ran >> ${dir}/ran`),
  );
  writeFileSync(join(dir, 'measured.json'), '{}');
  const env = {
    ...process.env,
    PATH: `${dir}:${process.env.PATH}`,
    VERIFY_PAGE: join(dir, 'page.md'),
    VERIFY_MEASURED: join(dir, 'measured.json'),
  };
  const names = parseGuarantees(readFileSync(join(dir, 'page.md'), 'utf8')).map(({ name }) => name);
  return {
    dir,
    names,
    measured: () => JSON.parse(readFileSync(join(dir, 'measured.json'), 'utf8')).guarantees,
    runs: () => readFileSync(join(dir, 'ran'), 'utf8').trimEnd().split('\n').length,
    run(...args: readonly string[]) {
      const { status, stdout } = spawnSync(
        process.execPath,
        [join(root, 'tools/verify/verify.ts'), ...args],
        {
          cwd: root,
          env,
          encoding: 'utf8',
        },
      );
      return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
    },
  };
}

test('verify lists guarantees, measures one by name, and goes on where it was interrupted', () => {
  const { run, names, measured, runs, dir } = verifier();
  expect(run().stdout).toContain('not measured yet');
  expect(run('nothing').status).toBe(2);

  expect(run(names[0]!)).toMatchObject({ status: 0, last: '1 passed, 0 failed, 0 had passed before' });
  expect(measured()[names[0]!]).toMatchObject({ passed: true, figures: 'one 7' });

  expect(run('--all')).toMatchObject({ status: 1, last: '1 passed, 1 failed, 1 had passed before' });
  writeFileSync(join(dir, 'ready'), '');
  expect(run('--all')).toMatchObject({ status: 0, last: '1 passed, 0 failed, 2 had passed before' });
  expect(runs()).toBe(2);
  expect(run('--all', '--again')).toMatchObject({
    status: 0,
    last: '3 passed, 0 failed, 0 had passed before',
  });
});

test('a guarantee whose command was skipped has not been measured', () => {
  const { run, measured, dir } = verifier();
  writeFileSync(
    join(dir, 'page.md'),
    "| It holds | 1 | `npm run four; echo 'skipped: 3 packages are missing'` |\n",
  );
  const { status, stdout } = run('--all');
  expect([status, measured()]).toEqual([1, undefined]);
  expect(stdout).toContain('skipped: 3 packages are missing');
});
