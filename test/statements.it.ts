import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createTestDatabase } from '@signpost/testing/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../apps/server/src');
const files = globSync('**/*statements.ts', { cwd: root }).sort();

type Statement = { readonly name: string; readonly text: string };

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: await createTestDatabase() });
  await client.connect();
  // The salts that outlive a window, while the table is rewritten.
  await client.query('create temporary table salts_left as select * from visitor_salts');
});
afterAll(() => client.end());

/** What PostgreSQL says against a statement. */
async function refusalsOf(statements: readonly Statement[], prefix: string): Promise<string[]> {
  const refused: string[] = [];
  for (const { name, text } of statements) {
    if (!/^\s*(with|select|insert|update|delete)\b/i.test(text)) continue;
    await client
      .query(`prepare "${prefix}${name}" as ${text}`)
      .catch(error => refused.push(`${name}: ${error.message}`));
  }
  return refused;
}

/** A background job that fails is retried and only logs it: its statement may never have worked. */
test.each(files)('PostgreSQL understands every statement of %s', async file => {
  const exported = Object.values<unknown>(await import(resolve(root, file)));
  const statements = exported.filter(isStatement);
  expect(statements.length).toBeGreaterThan(0);
  expect(await refusalsOf(statements, 'exported ')).toEqual([]);
});

test('PostgreSQL understands every statement that is written out in one piece, in any file', async () => {
  const statements = globSync('**/*.ts', { cwd: root })
    .filter(file => !/\.(it|test)\.ts$/.test(file))
    .flatMap(file => writtenOut(readFileSync(resolve(root, file), 'utf8')));
  expect(statements.length).toBeGreaterThan(200);
  expect(await refusalsOf(statements, '')).toEqual([]);
});

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'name' in value && 'text' in value;

/** Statements of a source text that put nothing in. */
function writtenOut(source: string): Statement[] {
  const calls = source.matchAll(/\bsql\(\s*'([^']+)',\s*(?:'((?:[^'\\]|\\.)*)'|`([^`\\]*)`)\s*,?\s*\)/g);
  return [...calls]
    .map(([, name = '', quoted, template]) => ({ name, text: quoted ?? template ?? '' }))
    .filter(({ text }) => !text.includes('$' + '{'));
}
