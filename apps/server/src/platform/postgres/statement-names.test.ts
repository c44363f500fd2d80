import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** PostgreSQL keeps prepared statements by name: a second statement of the same name fails on the same connection. */
test('no two statements have the same name', async () => {
  const source = resolve(import.meta.dirname, '../..');
  const files = new Map<string, string[]>();
  for await (const file of glob('**/*.ts', { cwd: source })) {
    if (/\.(?:it|test)\.ts$/.test(file)) continue;
    for (const [, name = ''] of readFileSync(resolve(source, file), 'utf8').matchAll(/\bsql\(\s*'([^']+)'/g))
      files.set(name, [...(files.get(name) ?? []), file]);
  }
  expect(files.size).toBeGreaterThan(200);
  expect([...files].filter(([, where]) => where.length > 1)).toEqual([]);
});
