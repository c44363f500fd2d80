import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from './support/database.ts';

const root = resolve(import.meta.dirname, '../apps/server/src');
const files = globSync('**/*statements.ts', { cwd: root }).sort();

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: await createTestDatabase() });
  await client.connect();
});
afterAll(() => client.end());

/** A chore that fails is tried again and only says so in the log: its statement may never have worked. */
test.each(files)('PostgreSQL understands every statement of %s', async file => {
  const exported = Object.values<unknown>(await import(resolve(root, file)));
  const statements = exported.filter(isStatement);
  expect(statements.length).toBeGreaterThan(0);
  const refused: string[] = [];
  for (const { name, text } of statements) {
    await client
      .query(`prepare "${name}" as ${text}`)
      .catch(error => refused.push(`${name}: ${error.message}`));
  }
  expect(refused).toEqual([]);
});

const isStatement = (value: unknown): value is { readonly name: string; readonly text: string } =>
  typeof value === 'object' && value !== null && 'name' in value && 'text' in value;
