import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clientWith, json, refusal } from '../test/support/fake-fetch.ts';
import { endpoints } from './generated.ts';
import { Signpost } from './index.ts';

type Described = { operationId: string; parameters: readonly { name: string; in: string }[] };

/** Where each operation is and what its query takes, by the document. */
function document() {
  const file = readFileSync(new URL('../../../docs/guides/openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(file) as { paths: Record<string, Record<string, Described>> };
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters }]) => {
      const query = parameters.filter(one => one.in === 'query').map(one => one.name);
      return [operationId, { method: method.toUpperCase(), path, query }] as const;
    }),
  );
  return Object.fromEntries(all);
}

const page = (number: number, ids: readonly string[], hasMore: boolean) =>
  json(200, {
    data: ids.map(id => ({ id })),
    pagination: { page: number, limit: 2, total: 5, total_pages: 3, has_more: hasMore },
  });

async function iterate(list: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe('a call', () => {
  test('goes to the path of its operation, with the key, and gives the body', async () => {
    const { signpost, sent } = clientWith([json(200, { id: 'qr_1' })]);
    expect(await signpost.qrcodes.get('qr_1')).toEqual({ id: 'qr_1' });
    expect(sent[0]).toMatchObject({ url: 'https://qr.example/v1/qrcodes/qr_1', init: { method: 'GET' } });
    expect(sent[0]!.headers.get('authorization')).toBe('Bearer sk_test_key');
    expect(sent[0]!.init.body).toBeUndefined();
  });

  test('sends params as a body, or as a query without what is undefined', async () => {
    const { signpost, sent } = clientWith([json(200, {}), json(200, { data: [], pagination: {} })]);
    await signpost.qrcodes.update('qr_1', { active: false });
    await signpost.qrcodes.list({ status: 'active', page: undefined, limit: 5 });
    expect(sent[0]!.init).toMatchObject({ method: 'PATCH', body: '{"active":false}' });
    expect(sent[0]!.headers.get('content-type')).toBe('application/json');
    expect(sent[1]!.url).toBe('https://qr.example/v1/qrcodes?status=active&limit=5');
  });

  test.each(['from', 'startDate', '__proto__'])('refuses the query parameter %s before it is sent', name => {
    const { signpost, sent } = clientWith([]);
    const params = JSON.parse(`{"${name}":"2026-11-01"}`) as object;
    expect(() => signpost.analytics.summary('qr_1', params)).toThrow(
      new TypeError(
        `getAnalytics has no parameter "${name}". It takes start_date, end_date, timezone, country, city, device, browser, target_id, rule_id, placement.`,
      ),
    );
    expect(sent).toEqual([]);
  });

  test('refuses options that there are not, also in the place of parameters that it does not take', async () => {
    const { signpost, sent } = clientWith([json(200, { data: [] }), json(200, { data: [], pagination: {} })]);
    expect(() => signpost.webhooks.list({ page: 2 } as object)).toThrow(
      'listWebhooks has no option "page". It takes signal, timeoutMs,',
    );
    expect(() => signpost.qrcodes.list({}, { timeout: 5 } as object)).toThrow('has no option "timeout"');
    expect(sent).toEqual([]);
    // What is undefined is not sent, so it cannot be meant.
    const nothing = { from: undefined, timeout: undefined } as object;
    await signpost.webhooks.list(nothing);
    await signpost.qrcodes.list(nothing, nothing);
    expect(sent.map(one => new URL(one.url).search)).toEqual(['', '']);
  });

  test('takes every query parameter of the contract', async () => {
    for (const [id, { method, path, query }] of Object.entries(document())) {
      // Another path to an operation that has a method.
      if (id === 'getAnalyticsOfQrCode') continue;
      const endpoint = endpoints[id as keyof typeof endpoints];
      expect([endpoint.method, endpoint.path]).toEqual([method, path]);
      expect(endpoint.query, id).toEqual(query);
    }
  });

  test('never leaves its path, whatever the id', async () => {
    const { signpost, sent } = clientWith([json(200, {})]);
    await signpost.qrcodes.get('a/../b?c#d');
    expect(sent[0]!.url).toBe('https://qr.example/v1/qrcodes/a%2F..%2Fb%3Fc%23d');
    for (const id of ['', '.', '..']) {
      expect(() => signpost.qrcodes.delete(id)).toThrow('id must be an id');
    }
    expect(sent).toHaveLength(1);
  });

  test('follows no redirect, which would show the key to another host', async () => {
    const { signpost, sent } = clientWith([json(200, {})]);
    await signpost.openapi.get();
    expect(sent[0]!.init.redirect).toBe('manual');
  });

  test('a file is handed over as it comes', async () => {
    const { signpost } = clientWith([
      new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } }),
    ]);
    const file = await signpost.qrcodes.download('qr_1', { format: 'svg' });
    expect(file.headers.get('content-type')).toBe('image/svg+xml');
    expect(await file.text()).toBe('<svg/>');
  });
});

describe('an answer with its response', () => {
  const headers = { 'x-request-id': 'req_1', 'x-ratelimit-remaining': '58' };

  test('has the same data, the headers and the request id, and is asked for once', async () => {
    const { signpost, sent } = clientWith([json(200, { id: 'qr_1' }, headers)]);
    const call = signpost.qrcodes.get('qr_1');
    const { data, response, requestId } = await call.withResponse();
    expect(data).toEqual({ id: 'qr_1' });
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, '58']);
    expect(requestId).toBe('req_1');
    expect(await call).toEqual(data);
    expect(sent).toHaveLength(1);
  });

  test('of a list and of a file', async () => {
    const { signpost } = clientWith([page(1, ['a'], false), new Response('<svg/>', { headers })]);
    const list = await signpost.qrcodes.list().withResponse();
    expect(list.data.data.map(({ id }) => id)).toEqual(['a']);
    expect(list.requestId).toBeUndefined();
    const file = await signpost.qrcodes.download('qr_1').withResponse();
    expect(file.data).toBe(file.response);
    expect(await file.data.text()).toBe('<svg/>');
  });

  test('of a refusal is the refusal, and no rejection is left that nobody handles', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const { signpost } = clientWith([refusal(404, 'not_found', headers)]);
    const call = signpost.qrcodes.get('qr_1').withResponse();
    await expect(call).rejects.toMatchObject({ code: 'not_found', requestId: 'req_1' });
    await new Promise(resolve => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('a list', () => {
  test('is one page when awaited', async () => {
    const { signpost, sent } = clientWith([page(1, ['a', 'b'], true)]);
    expect((await signpost.qrcodes.list()).data.map(code => code.id)).toEqual(['a', 'b']);
    expect(sent).toHaveLength(1);
  });

  const threePages = () => [page(1, ['a', 'b'], true), page(2, ['c', 'd'], true), page(3, ['e'], false)];

  test('is every item when iterated: codes by cursor, with the same filter', async () => {
    for (const more of [{}, { sort: 'created' as const }, { starting_after: 'x' }]) {
      const { signpost, sent } = clientWith(threePages());
      const list = signpost.qrcodes.list({ limit: 2, status: 'paused', ...more });
      expect(await iterate(list)).toEqual(['a', 'b', 'c', 'd', 'e']);
      const asked = sent.map(one => new URL(one.url).searchParams);
      expect(asked.map(query => [query.get('status'), query.get('limit'), query.get('page')])).toEqual(
        Array(3).fill(['paused', '2', null]),
      );
      const first = 'starting_after' in more ? 'x' : null;
      expect(asked.map(query => query.get('starting_after'))).toEqual([first, 'b', 'd']);
    }
  });

  test('goes on before its first item if it was asked for with ending_before', async () => {
    const { signpost, sent } = clientWith([page(1, ['c', 'd'], true), page(1, ['a', 'b'], false)]);
    expect(await iterate(signpost.qrcodes.list({ ending_before: 'e' }))).toEqual(['c', 'd', 'a', 'b']);
    expect(sent.map(one => new URL(one.url).search)).toEqual(['?ending_before=e', '?ending_before=c']);
  });

  test.each([
    ['a page was asked for', (signpost: Signpost) => signpost.qrcodes.list({ page: 1 })],
    ['it is sorted by name', (signpost: Signpost) => signpost.qrcodes.list({ sort: 'name' })],
    ['it has no cursor', (signpost: Signpost) => signpost.analytics.scans('qr_1')],
  ])('is walked by page if %s', async (_why, list) => {
    const { signpost, sent } = clientWith(threePages());
    expect(await iterate(list(signpost))).toEqual(['a', 'b', 'c', 'd', 'e']);
    const pages = sent.map(one => new URL(one.url).searchParams.get('page'));
    expect(pages.slice(1)).toEqual(['2', '3']);
  });

  test('fetches no page that nobody came to', async () => {
    const { signpost, sent } = clientWith([page(1, ['a', 'b'], true)]);
    for await (const code of signpost.qrcodes.list()) if (code.id === 'b') break;
    expect(sent).toHaveLength(1);
  });

  test('ends at an empty page, whatever it says of more', async () => {
    const { signpost, sent } = clientWith([page(1, ['a', 'b'], true), page(2, [], true)]);
    expect(await iterate(signpost.qrcodes.list())).toEqual(['a', 'b']);
    expect(sent).toHaveLength(2);
  });
});

describe('a feed', () => {
  const scans = (ids: readonly string[], cursor: string, hasMore: boolean) =>
    json(200, { data: ids.map(id => ({ id })), next_cursor: cursor, has_more: hasMore });

  test('is one page when awaited, and everything up to the newest when iterated', async () => {
    const { signpost, sent } = clientWith([
      scans(['a', 'b'], 'one', true),
      scans([], 'two', true),
      scans(['c'], 'three', false),
    ]);
    const feed = signpost.analytics.accountScans({ after: 'zero', limit: 2 });
    expect((await feed).next_cursor).toBe('one');
    expect(await iterate(feed)).toEqual(['a', 'b', 'c']);
    const cursors = sent.map(one => new URL(one.url).searchParams.get('after'));
    expect(cursors).toEqual(['zero', 'one', 'two']);
  });
});

describe('the headers of a request', () => {
  test('name the SDK and its runtime', async () => {
    const { signpost, sent } = clientWith([json(200, {})]);
    await signpost.openapi.get();
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(sent[0]!.headers.get('user-agent')).toBe(`signpost-sdk/${version} node/${process.versions.node}`);
  });

  test('name the revision that a change is based on', async () => {
    const { signpost, sent } = clientWith(Array.from({ length: 4 }, () => json(200, {})));
    await signpost.qrcodes.update('qr_1', {}, { ifMatch: 0 });
    await signpost.qrcodes.delete('qr_1', { ifMatch: '*' });
    await signpost.qrcodes.upsert(
      'ext:1',
      { name: 'x', destination_url: 'https://x.example' },
      { ifNoneMatch: '*' },
    );
    await signpost.qrcodes.update('qr_1', {});
    const conditions = sent.map(({ headers }) => [headers.get('if-match'), headers.get('if-none-match')]);
    expect(conditions).toEqual([
      ['"0"', null],
      ['*', null],
      [null, '*'],
      [null, null],
    ]);
  });

  test('can be replaced, in whatever case they are written', async () => {
    const { signpost, sent } = clientWith([json(200, {})]);
    await signpost.openapi.get({ headers: { 'User-Agent': 'shop/1', 'X-Extra': 'yes' } });
    expect(sent[0]!.headers.get('user-agent')).toBe('shop/1');
    expect(sent[0]!.headers.get('x-extra')).toBe('yes');
  });
});

describe('the client', () => {
  test.each(['https://qr.example', 'https://qr.example/', 'https://qr.example/v1', 'https://qr.example/v1/'])(
    'takes %s as its base',
    async baseUrl => {
      const { signpost, sent } = clientWith([json(200, {})], { baseUrl });
      await signpost.openapi.get();
      expect(sent[0]!.url).toBe('https://qr.example/v1/openapi.json');
    },
  );

  test.each([
    [{ apiKey: '', baseUrl: 'https://qr.example' }, 'apiKey'],
    [{ apiKey: 'sk_live_\n', baseUrl: 'https://qr.example' }, 'apiKey'],
    [{ apiKey: 'sk_live_x', baseUrl: 'qr.example' }, 'baseUrl'],
    [{ apiKey: 'sk_live_x', baseUrl: 'ftp://qr.example' }, 'baseUrl'],
    [{ apiKey: 'sk_live_x', baseUrl: 'https://qr.example/?a' }, 'baseUrl'],
  ])('refuses %j by name', (options, name) => {
    expect(() => new Signpost(options)).toThrow(name);
  });

  test('asks for the environment variable where an option is not set', () => {
    const unset = undefined as unknown as string;
    const question = 'is the environment variable set?';
    expect(() => new Signpost({ apiKey: unset, baseUrl: 'https://qr.example' })).toThrow(question);
    expect(() => new Signpost({ apiKey: 'sk_live_x', baseUrl: unset })).toThrow(question);
    expect(() => new Signpost({ apiKey: 'sk_live_x', baseUrl: 'qr.example' })).not.toThrow(question);
  });
});
