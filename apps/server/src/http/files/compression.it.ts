import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from 'node:zlib';
import { accountOperations, type Operation, operations } from '@signpost/contract';
import {
  createTestApi,
  roomyPlan,
  roomyWebhooks,
  type TestAccount,
  type TestApi,
} from '@signpost/testing/api.ts';
import { dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { lenientReaders } from '@signpost/testing/reading.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../app.ts';
import { sendStream } from '../connections/streams.ts';

const byKey = { config: { authScheme: 'apiKey', permission: 'account:read' } } as const;

let api: TestApi;
let owner: TestAccount;
let codeId: string;
let goOn = () => {};

beforeAll(async () => {
  const env = { ...roomyWebhooks, ...dashboardEnv, DEFAULT_PLAN: roomyPlan };
  api = await createTestApi(env, { prepare: addStreams });
  owner = await api.account();
  const items = Array.from({ length: 100 }, (_, n) => ({
    name: `Table ${n}`,
    destination_url: 'https://example.com',
  }));
  const made = await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: owner.live, body: { items } });
  codeId = made.body.data[0].qr_code.id;
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => api.close());

/** Takes a while to compress. */
const manyBytes = randomBytes(300_000).toString('hex');

/** Files of two pieces: one whose second piece waits, one that breaks there, one that breaks at once. */
function addStreams(app: App): void {
  const piece = 'a line of scans,'.repeat(200);
  const answers: Record<string, () => AsyncGenerator<string>> = {
    async *slow() {
      yield piece;
      await new Promise<void>(resolve => {
        goOn = resolve;
      });
      yield piece;
    },
    async *broken() {
      yield piece;
      throw new Error('ClickHouse is gone');
    },
    async *never() {
      yield await Promise.reject(new Error('ClickHouse was never there'));
    },
  };
  for (const [name, content] of Object.entries(answers))
    app.get(`/v1/${name}`, byKey, (request, reply) =>
      sendStream(request, reply, { type: 'text/csv', headers: {}, content }, lenientReaders),
    );
  app.get('/docs-of-many', { config: { authScheme: 'open' } }, (_request, reply) =>
    reply.type('text/plain').send(manyBytes),
  );
  app.get('/v1/cookie', byKey, (_request, reply) => reply.header('set-cookie', 'a=b').send({ long: piece }));
}

type Raw = { status: number; headers: IncomingMessage['headers']; bytes: Buffer };

async function take(
  url: string,
  encoding?: string,
  more: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Raw> {
  const { statusCode, headers, rawPayload } = await api.api.app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${owner.live}`,
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      ...more,
    },
  });
  return { status: statusCode, headers: headers as Raw['headers'], bytes: rawPayload };
}

const open = { gzip: gunzipSync, br: brotliDecompressSync };
const list = '/v1/qrcodes?limit=100';
const svg = () => `/v1/qrcodes/${codeId}/download?format=svg`;

describe('a client without Accept-Encoding', () => {
  test('is answered as before, header by header', async () => {
    const { headers, bytes } = await take(list);
    expect(Object.keys(headers).sort()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'x-content-type-options',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-request-id',
    ]);
    expect(JSON.parse(bytes.toString()).data).toHaveLength(100);
  });

  test('is given Vary only where a cache may keep the answer', async () => {
    expect((await take(list)).headers.vary).toBeUndefined();
    expect((await take('/llms.txt')).headers.vary).toBe('Accept-Encoding');
    expect((await take(svg())).headers.vary).toBe('Authorization, Accept-Encoding');
  });
});

describe('a client that takes compressed answers', () => {
  test.each(['gzip', 'br'] as const)('gets the same bytes by %s, shorter', async encoding => {
    for (const url of [
      list,
      '/v1/openapi.json',
      '/docs/openapi.json',
      '/llms.txt',
      svg(),
      `/images/${codeId}/public?format=svg`,
    ]) {
      const plain = await take(url);
      for (const attempt of ['first', 'again']) {
        const { status, headers, bytes } = await take(url, encoding);
        expect([url, attempt, status, headers['content-encoding']]).toEqual([url, attempt, 200, encoding]);
        expect(headers.vary).toMatch(/(^|, )Accept-Encoding$/);
        expect(headers['content-length']).toBe(String(bytes.length));
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(open[encoding](bytes).equals(plain.bytes)).toBe(true);
        expect(headers['content-type']).toBe(plain.headers['content-type']);
      }
    }
  });

  test('keeps the headers of the rate limit and the request id', async () => {
    const { headers } = await take(list, 'gzip');
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'])
      expect(headers).toHaveProperty(name);
  });

  test('gets short answers and pictures as they are, short ones compressed only where it rules that out', async () => {
    const one = `/v1/qrcodes/${codeId}`;
    expect((await take(one, 'gzip')).headers).not.toHaveProperty('content-encoding');
    expect((await take(`${one}/download`, 'gzip')).headers).not.toHaveProperty('content-encoding');
    const { headers, bytes } = await take(one, 'gzip, identity;q=0');
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(bytes).toString()).id).toBe(codeId);
    expect((await take(list, 'identity;q=0, zstd')).headers).not.toHaveProperty('content-encoding');
    expect((await take(list, 'identity, gzip;q=0.5')).headers).not.toHaveProperty('content-encoding');
  });

  test('gets a weak ETag, which is answered 304, and so is the strong one', async () => {
    const { etag } = (await take(svg())).headers;
    expect(etag).toMatch(/^"/);
    const small = await take(svg(), 'gzip');
    expect(small.headers.etag).toBe(`W/${etag}`);
    const unchanged = await take(svg(), 'gzip', { 'if-none-match': small.headers.etag! });
    expect([unchanged.status, unchanged.headers.etag, unchanged.bytes.length]).toEqual([304, `W/${etag}`, 0]);
    expect(unchanged.headers.vary).toBe('Authorization, Accept-Encoding');
    const strong = await take(svg(), undefined, { 'if-none-match': etag! });
    expect([strong.status, strong.headers.etag]).toEqual([304, etag]);
    expect(strong.headers.vary).toBe('Authorization, Accept-Encoding');
    const picture = await take(`/v1/qrcodes/${codeId}/download`, 'gzip');
    expect(picture.headers.etag).toMatch(/^"/);
  });

  test('gets the headers of GET by HEAD, with the length of the compressed answer', async () => {
    for (const url of [list, '/llms.txt', svg()]) {
      const [full, head] = [await take(url, 'gzip'), await take(url, 'gzip', {}, 'HEAD')];
      expect(head.bytes.length).toBe(0);
      for (const name of ['content-encoding', 'content-length', 'vary', 'etag', 'content-type'])
        expect([name, head.headers[name]]).toEqual([name, full.headers[name]]);
    }
  });
});

test('so many at a time are compressed; whoever comes on top gets the same as it is', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => take('/docs-of-many', 'gzip')));
  const small = answers.filter(({ headers }) => headers['content-encoding'] === 'gzip');
  const plain = answers.filter(answer => !small.includes(answer));
  expect(small.length).toBeGreaterThanOrEqual(16);
  expect(plain.length).toBeGreaterThan(0);
  const texts = [...small.map(({ bytes }) => gunzipSync(bytes)), ...plain.map(({ bytes }) => bytes)];
  expect(texts.filter(bytes => bytes.toString() !== manyBytes)).toEqual([]);
  expect((await take('/docs-of-many', 'gzip')).headers['content-encoding']).toBe('gzip');
});

test.each(['gzip', 'br'] as const)(
  'a refusal is never kept in the place of a document, by %s',
  async encoding => {
    const fresh = await createTestApi();
    const ask = (url: string, accepted: string = encoding) =>
      fresh.api.app.inject({ url, headers: { 'accept-encoding': accepted } });
    const refused = () => ask(`/v1/openapi.json?${'x'.repeat(9000)}`, `${encoding}, identity;q=0`);
    const textOf = ({ rawPayload }: { rawPayload: Buffer }) => open[encoding](rawPayload).toString();
    const before = await refused();
    expect(before.statusCode).toBe(414);
    const page = await ask('/v1/openapi.json');
    expect([page.statusCode, page.headers['content-encoding']]).toEqual([200, encoding]);
    expect(textOf(page)).toMatch(/^\{"openapi"/);
    expect(JSON.parse(textOf(await refused())).error.code).toBe('uri_too_long');
    expect(textOf(await ask('/v1/openapi.json'))).toBe(textOf(page));
    await fresh.close();
  },
);

describe('what shows a secret is never compressed', () => {
  const body = { url: 'https://hooks.example/', description: 'x'.repeat(255) };
  const hidden = 'gzip, identity;q=0';

  test('a new webhook and its new secret, also by a repeated request', async () => {
    const names = {
      method: 'POST',
      key: owner.live,
      headers: { 'accept-encoding': hidden, 'idempotency-key': 'secret' },
    } as const;
    const settled = await createTestApi({
      ...roomyWebhooks,
      WEBHOOK_DNS_SERVERS: '',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    });
    const { live: key } = await settled.account();
    const made = await settled.call({
      ...names,
      key,
      url: '/v1/webhooks',
      body: { ...body, url: 'http://127.0.0.1/' },
    });
    const again = await settled.call({
      ...names,
      key,
      url: '/v1/webhooks',
      body: { ...body, url: 'http://127.0.0.1/' },
    });
    const rotated = await settled.call({
      method: 'POST',
      key,
      url: `/v1/webhooks/${made.body.id}/rotate-secret`,
      headers: { 'accept-encoding': hidden },
    });
    for (const reply of [made, again, rotated]) {
      expect(reply.body.secret).toMatch(/^whsec_/);
      expect(reply.headers).not.toHaveProperty('content-encoding');
    }
    await settled.close();
  });

  test('a new key, and what sets a cookie', async () => {
    const person = await signUp(api);
    const key = await person.call({
      method: 'POST',
      url: '/account/keys',
      body: { name: 'x'.repeat(100), mode: 'live', current_password: goodPassword },
      headers: { 'accept-encoding': hidden },
    });
    expect(key.body.key).toMatch(/^sk_live_/);
    expect(key.headers).not.toHaveProperty('content-encoding');
    expect((await take('/v1/cookie', 'gzip')).headers).not.toHaveProperty('content-encoding');
  });

  test('and every operation whose answer has a secret in it says so', () => {
    // The key of a placement is printed. The URL of a share link is all that it takes to see its page.
    const hasSecret = ({ id, success }: Operation) =>
      !id.endsWith('Placement') &&
      'schema' in success &&
      Object.keys((success.schema as { properties?: object }).properties ?? {}).some(
        name =>
          /^(key|link|token|secret|password|.*_(token|secret))$/.test(name) ||
          (name === 'url' && id.endsWith('ShareLink')),
      );
    const all = Object.values<Operation>({ ...operations, ...accountOperations });
    expect(all.filter(hasSecret).map(({ id }) => id)).toEqual(
      all.filter(({ showsSecret }) => showsSecret).map(({ id }) => id),
    );
    expect(all.filter(hasSecret)).toHaveLength(10);
  });
});

describe('a file that is sent while it is written', () => {
  const request = (path: string, encoding: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { port } = api.api.app.server.address() as AddressInfo;
      const headers = { authorization: `Bearer ${owner.live}`, 'accept-encoding': encoding };
      get({ port, path, headers, agent: false }, resolve).on('error', reject);
    });
  const decoders = { gzip: createGunzip, br: createBrotliDecompress };

  test.each(['gzip', 'br'] as const)(
    'is sent piece by piece by %s: the first is there before the second is made',
    async encoding => {
      const response = await request('/v1/slow', encoding);
      expect(response.headers['content-encoding']).toBe(encoding);
      const text = response.pipe(decoders[encoding]());
      let read = '';
      for await (const chunk of text) {
        read += chunk;
        // Nothing of the second piece exists while the first is read to its end.
        if (read.length === 3200) goOn();
      }
      expect(read).toBe('a line of scans,'.repeat(400));
    },
  );

  test.each(['gzip', 'br'] as const)('that breaks off has no good end by %s', async encoding => {
    const response = await request('/v1/broken', encoding);
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, encoding]);
    const bytes: Buffer[] = [];
    const read = async () => {
      for await (const chunk of response) bytes.push(chunk);
    };
    await expect(read()).rejects.toThrow(/aborted/);
    expect(response.complete).toBe(false);
    const decoded = Readable.from(bytes).pipe(decoders[encoding]());
    await expect(
      (async () => {
        for await (const _ of decoded);
      })(),
    ).rejects.toThrow();
  });

  test('that breaks before its first piece is refused in the usual form', async () => {
    const { status, headers, bytes } = await take('/v1/never', 'gzip');
    expect([status, headers['content-encoding'], JSON.parse(bytes.toString()).error.code]).toEqual([
      500,
      undefined,
      'internal_error',
    ]);
  });
});
