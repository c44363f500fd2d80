import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountOperations, type Operation, operations } from '@signpost/contract';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { callsWith } from '@signpost/testing/destinations.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import Type from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runImport } from '../../commands/import-export.ts';

/** Everywhere that somebody can say where a code leads: a listed host and a listed URL are refused, also in paths to come. */

const listed = { host: 'https://evil.example/any', url: 'https://shared.example/phish' };
const directory = mkdtempSync(join(tmpdir(), 'signpost-destinations-'));

let api: TestApi;
let owner: TestAccount;
let browser: Browser;

beforeAll(async () => {
  api = await createTestApi(dashboardEnv);
  owner = await api.account();
  browser = await signUp(api);
  const file = join(directory, 'list.csv');
  writeFileSync(file, 'evil.example\nhttps://shared.example/phish\n');
  await api.admin('import-list', file, '--name', 'urlhaus', '--format', 'csv:1');
});
afterAll(() => api.close());

type Answer = { readonly status: number; readonly body: unknown };
type Send = (operation: Operation, path: string, body: unknown) => Promise<Answer>;

const byKey: Send = ({ method }, url, body) => api.call({ method, url, key: owner.live, body });
const bySession: Send = ({ method }, url, body) =>
  browser.call({ method, url: url.startsWith('/v1/') ? `/account${url}` : url, body });

/** Places that took what is listed, of all operations that are given. */
async function unchecked(some: readonly Operation[], send: Send, url: string): Promise<string[]> {
  const open: string[] = [];
  for (const operation of some) {
    for (const { where, body } of callsWith(operation, url)) {
      const id = await newCode(send);
      const path = operation.path.replace('{id}', operation.method === 'PUT' ? `ext:${id}` : id);
      const answer = await send(operation, path, completed(operation, body, id));
      const text = JSON.stringify(answer.body);
      if (!/"code":"destination_blocked"/.test(text) || !text.includes('on the blocklist urlhaus'))
        open.push(`${where}: ${answer.status} ${text}`);
    }
  }
  return open;
}

/** A body with what else the operation needs. */
function completed({ id: operation }: Operation, body: unknown, id: string): unknown {
  const leading = (code: object) =>
    'destination' in code || 'destination_url' in code
      ? code
      : { destination_url: 'https://fine.example/', ...code };
  if (operation === 'createQrCode' || operation === 'upsertQrCode') return leading(body as object);
  if (operation === 'bulkCreateQrCodes') return { items: (body as { items: object[] }).items.map(leading) };
  return operation === 'bulkEditQrCodes' ? { ...(body as object), ids: [id] } : body;
}

async function newCode(send: Send): Promise<string> {
  const body = { name: 'Menu', destination_url: 'https://fine.example/' };
  return ((await send(operations.createQrCode, '/v1/qrcodes', body)).body as { id: string }).id;
}

const all: readonly Operation[] = [...Object.values(operations), ...Object.values(accountOperations)];
const places = all.flatMap(operation => callsWith(operation, listed.url).map(({ where }) => where));

test('the contract takes destinations in these places', () => {
  // A new one is tried below by itself. It belongs here, so that one that is no longer found is noticed.
  expect(places.sort()).toEqual([
    'bulkCreateQrCodes items.0.destination',
    'bulkCreateQrCodes items.0.destination_url',
    'bulkCreateQrCodes items.0.fallback_url',
    'bulkCreateQrCodes items.0.rules.0.to.0.url',
    'bulkEditQrCodes set.destination_url',
    'createQrCode destination',
    'createQrCode destination_url',
    'createQrCode fallback_url',
    'createQrCode rules.0.to.0.url',
    'testRules rules.0.to.0.url',
    'updateQrCode destination_url',
    'updateQrCode fallback_url',
    'updateQrCode rules.0.to.0.url',
    'upsertQrCode destination',
    'upsertQrCode destination_url',
    'upsertQrCode fallback_url',
    'upsertQrCode rules.0.to.0.url',
  ]);
});

test.each(Object.entries(listed))(
  'a listed %s is refused wherever the API takes a destination',
  async (_, url) => {
    expect(await unchecked(all, byKey, url)).toEqual([]);
    expect(await unchecked(Object.values(operations), bySession, url)).toEqual([]);
  },
);

test('an operation that took a destination without a look at the lists would be found', async () => {
  const destination = Type.String({ 'x-destination': true });
  const rule = Type.Object({ when: Type.String(), target: Type.Union([destination, Type.Null()]) });
  const planted = {
    ...operations.createQrCode,
    id: 'planted',
    body: Type.Object({ rules: Type.Array(rule), fallback: Type.Optional(destination) }),
  } satisfies Operation;
  const sent: unknown[] = [];
  const careless: Send = async (_operation, _path, body) => {
    sent.push(body);
    return { status: 201, body: { id: 'qr_1' } };
  };
  const open = await unchecked([planted], careless, listed.url);
  expect(open.map(one => one.split(':')[0])).toEqual(['planted rules.0.target', 'planted fallback']);
  expect(sent).toContainEqual({ rules: [{ when: 'sample', target: listed.url }] });
});

test('the import from another service leaves out what is listed, and says why', async () => {
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.api.app.server.address() as { port: number };
  const file = join(directory, 'bitly.csv');
  const rows = ['Fine,go.example.com/fine1,https://fine.example/', `Evil,go.example.com/evil1,${listed.url}`];
  writeFileSync(file, ['Title,Link,Long URL', ...rows].join('\n'));
  for (const more of [[], ['--direct']]) {
    const { live } = await api.account();
    const lines: string[] = [];
    const settings = { url: `http://127.0.0.1:${port}`, key: live };
    await runImport(
      [file, '--from', 'bitly', ...more],
      settings,
      line => lines.push(line),
      () => api.config,
    );
    expect(lines.join('\n')).toContain('on the blocklist urlhaus');
    const codes = await api.call({ url: '/v1/qrcodes', key: live });
    expect(codes.body.data.map((code: { destination_url: string }) => code.destination_url)).not.toContain(
      listed.url,
    );
  }
});
