import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findMentions, readVersion, setVersion, versionFaults } from './versions.ts';

const root = resolve(import.meta.dirname, '../..');

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'signpost-versions-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const { file } of findMentions(root)) cpSync(join(root, file), join(copy, file));
  return copy;
}

test('one version is written everywhere: packages, lock file, images, chart and SDK', () => {
  expect(versionFaults(root)).toEqual([]);
  const files = new Set(findMentions(root).map(({ file }) => file));
  for (const file of [
    'package-lock.json',
    'apps/server/package.json',
    'deploy/Dockerfile',
    'deploy/compose.yaml',
    'deploy/compose.cluster.yaml',
    'deploy/helm/signpost/Chart.yaml',
    'packages/sdk/src/generated.ts',
  ])
    expect(files).toContain(file);
});

test('a place that has another version is a fault, whichever it is', () => {
  const copy = copyProject();
  const version = readVersion(copy);
  const mentions = findMentions(copy).filter(({ file, line }) => file !== 'package.json' || line > 3);
  for (const { file, line, start } of mentions) {
    const text = readFileSync(join(copy, file), 'utf8');
    writeFileSync(join(copy, file), `${text.slice(0, start)}9.9.9${text.slice(start + version.length)}`);
    expect(versionFaults(copy)).toEqual([`${file}:${line} has 9.9.9, package.json has ${version}`]);
    writeFileSync(join(copy, file), text);
  }
});

test('a new version is set in every place, and nothing else changes', () => {
  const copy = copyProject();
  const old = readVersion(copy);
  const changed = setVersion(copy, '10.20.30');
  expect(readVersion(copy)).toBe('10.20.30');
  expect(versionFaults(copy)).toEqual([]);
  expect(setVersion(copy, '10.20.30')).toEqual([]);
  expect(setVersion(copy, old)).toEqual(changed);
  for (const file of changed)
    expect(readFileSync(join(copy, file), 'utf8'), file).toBe(readFileSync(join(root, file), 'utf8'));
  expect(() => setVersion(copy, 'v2')).toThrow('v2 is not a version like 1.2.3');
});
