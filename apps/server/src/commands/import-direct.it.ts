import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { runImport } from './import-export.ts';

let api: TestApi;
const file = join(mkdtempSync(join(tmpdir(), 'signpost-direct-')), 'bitly.csv');
const codes = 700;

beforeAll(async () => {
  api = await createTestApi({ MIN_CUSTOM_CODE_LENGTH: '8', REDIS_TIMEOUT_MS: '5000' });
  await api.api.db.query(
    sql('slow-plan', `update plans set creations_per_minute = 500, code_quota = 701 where name = 'roomy'`),
  );
  const rows = Array.from(
    { length: codes },
    (_, i) => `Code ${i},go.example.com/x${i},https://example.com/${i}`,
  );
  writeFileSync(file, ['Title,Link,Long URL', ...rows].join('\n'));
});
afterAll(() => api.close());

async function run(key: string, ...more: string[]): Promise<string> {
  const lines: string[] = [];
  const settings = { url: 'http://127.0.0.1:9', key };
  await runImport(
    [file, '--from', 'bitly', '--direct', ...more],
    settings,
    line => lines.push(line),
    () => api.config,
  );
  return lines.join('\n');
}

test('an import by the operator takes short names, and more at once than a minute has room for', async () => {
  const { live } = await api.account();
  const chosen = { name: 'x', destination_url: 'https://example.com', short_code: 'x10' };
  const byKey = await api.call({ method: 'POST', url: '/v1/qrcodes', key: live, body: chosen });
  expect(byKey.body.error.code).toBe('invalid_short_code');

  // Of two characters: what the contract does not know nobody can have.
  const [made, left] = [codes - 10, 10];
  expect(await run(live, '--dry-run')).toContain(
    `${made} codes would be created; nothing was changed.\n${left} skipped:`,
  );
  expect(await run(live)).toContain(`${made} codes were created.\n${left} skipped:`);
  expect(await run(live)).toContain(`0 codes were created.\n${codes} skipped:`);
  const listed = await api.call({ url: '/v1/qrcodes?limit=1', key: live });
  expect(listed.body).toMatchObject({ data: [{ short_url: 'https://sign.example/x699' }] });
  expect(listed.body.pagination.total).toBe(made);
  // It takes nothing of the owner's minute.
  const items = Array(11).fill({ name: 'x', destination_url: 'https://example.com' });
  const bulk = await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: live, body: { items } });
  expect(bulk.body.created).toBe(11);
});

test('each link goes on the active domain of its host, where that is asked for', async () => {
  const { id, live } = await api.account();
  await api.admin('add-domain', 'go.example.com', '--account', formatId('acct', id as never));
  expect(await run(live, '--domains')).toContain(`${codes - 10} codes were created.`);
  expect(await run(live, '--domains')).toContain(`0 codes were created.\n${codes} skipped:`);
  const { body } = await api.call({ url: '/v1/qrcodes?limit=1&include=domain', key: live });
  expect(body.data).toMatchObject([{ short_url: 'https://go.example.com/x699', domain: 'go.example.com' }]);
});

test('it asks for a good key, which says whose the codes are', async () => {
  const { live } = await api.account();
  await expect(run(`${live.slice(0, -1)}_`)).rejects.toThrow('SIGNPOST_KEY is not a valid key');
});
