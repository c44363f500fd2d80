import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiKeyLength, apiKeysIn, checksumOf } from './scan-secrets/api-key.ts';
import { scanFile } from './scan-secrets/files.ts';

const tool = resolve(import.meta.dirname, 'scan-secrets.ts');
const before = `sk_live_${'aB3'.repeat(11).slice(0, 32)}`;
const key = `${before}${checksumOf(before)}`;
const lookAlike = `${before}000000`;

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signpost-secrets-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function scan(...args: string[]) {
  const { stdout, status } = spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8' });
  return { lines: stdout.trimEnd().split('\n'), status };
}

test('a key planted among 10,000 small files is found, and never printed in full', () => {
  const root = aDirectory();
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(join(root, String(folder)));
    for (let file = 0; file < 100; file++) {
      writeFileSync(join(root, String(folder), String(file)), `nothing here but ${lookAlike}\n`);
    }
  }
  const clean = scan(root);
  expect(clean.lines.at(-1)).toMatch(/^scan-secrets files 10000 bytes \d+ keys 0$/);
  expect(clean.status).toBe(0);

  writeFileSync(join(root, '57/57'), Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(`${key}9`)]));
  const { lines, status } = scan(root);
  expect(lines).toEqual([
    `${root}/57/57:3 sk_live_…`,
    expect.stringMatching(/files 10000 bytes \d+ keys 1$/),
  ]);
  expect(status).toBe(1);
});

test('a key across a chunk boundary is found once, wherever the boundary is', () => {
  const file = join(aDirectory(), 'file');
  writeFileSync(file, `${'x'.repeat(50)}${key}${'y'.repeat(50)}${key}`);
  for (let chunkBytes = 1; chunkBytes <= 150; chunkBytes++) {
    const { keys, bytes } = scanFile(file, chunkBytes);
    expect(keys.map(({ offset }) => offset)).toEqual([50, 100 + apiKeyLength]);
    expect(bytes).toBe(100 + 2 * apiKeyLength);
  }
});

test('look-alikes are not reported', () => {
  const wrong = [
    lookAlike,
    key.replace('sk_live_', 'sk_prod_'),
    key.slice(0, -1),
    key.replace('live', 'test'),
  ];
  expect(apiKeysIn(Buffer.from(wrong.join(' ')))).toEqual([]);
});

test('the checksum is six characters of base62, padded with 0 on the left', () => {
  expect(checksumOf('')).toBe('000000');
  expect(checksumOf('123456789')).toBe('3jZRME');
});

test('links are not followed, and a path that cannot be read fails the scan', () => {
  const root = aDirectory();
  writeFileSync(join(root, 'key'), key);
  mkdirSync(join(root, 'links'));
  symlinkSync(join(root, 'key'), join(root, 'links/key'));
  expect(scan(join(root, 'links')).lines).toEqual(['scan-secrets files 0 bytes 0 keys 0']);
  expect(scan(join(root, 'nowhere')).status).toBe(1);
});
