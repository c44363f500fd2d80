import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changelogSection, checkTag } from './changelog.ts';
import { runSteps } from './steps.ts';
import { readVersion } from './versions.ts';

const root = resolve(import.meta.dirname, '../..');

describe('the changelog', () => {
  test('has a section of the version of the project', () => {
    const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), readVersion(root));
    expect(section.text).toMatch(/^[\s\S]+### Added/);
  });

  test.each([
    ['## 1.0.0 (unreleased)\n\nText\n', 'has no section "## 1.1.0 (unreleased)"'],
    ['## 1.1.0 (soon)\n\nText\n', 'neither a date nor "unreleased"'],
    ['## 1.1.0 (unreleased)\n\n## 1.0.0 (2026-01-31)\n\nText\n', 'is empty'],
  ])('%j: %s', (changelog, message) => {
    expect(() => changelogSection(changelog, '1.1.0')).toThrow(message);
  });

  test('a tag names the version, whose section has a day', () => {
    const section = changelogSection('# All\n\n## 1.1.0 (2026-02-28)\n\nText\n\n## 1.0.0 (x)\n', '1.1.0');
    expect(section).toEqual({ date: '2026-02-28', text: 'Text' });
    checkTag('v1.1.0', '1.1.0', section);
    expect(() => checkTag('v1.1', '1.1.0', section)).toThrow('the tag v1.1 is not v1.1.0');
    expect(() => checkTag('v1.1.0', '1.1.0', { ...section, date: 'unreleased' })).toThrow('has no date yet');
  });
});

test('after a step that fails none runs, and the run has failed', async () => {
  const lines: string[] = [];
  const steps = [
    { name: 'first', run: () => 'done' },
    { name: 'second', run: () => 'skipped: no Docker' },
    { name: 'third', run: () => Promise.reject(new Error('broken')) },
    { name: 'fourth', run: () => 'done' },
  ];
  expect(await runSteps(steps, line => lines.push(line))).toBe(false);
  expect(lines.map(line => line.replaceAll(/\s+\d+\.\d s\s*/g, ' | '))).toEqual([
    'ok      first | done',
    'skipped second | no Docker',
    'failed  third | broken',
    'not run fourth | ',
  ]);
  expect(await runSteps(steps.slice(0, 2), () => undefined)).toBe(true);
});

test('npm run release without --dry-run refuses, and says who publishes', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/release/release.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('the workflow `release` does')]);
});
