import { connect } from 'node:net';
import { errorTable, shortCodePattern } from '@signpost/contract';
import { createTestApi, type Reply, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { reservedShortCodes } from '../qrcodes/creation/short-code.ts';
import type { App } from './app.ts';

const byKey = { config: { authScheme: 'apiKey', permission: 'account:read' } } as const;

let api: TestApi;
let owner: TestAccount;
let port: number;

beforeAll(async () => {
  api = await createTestApi({}, { prepare: addFaultyRoutes });
  owner = await api.account();
});

function addFaultyRoutes(app: App): void {
  app.get('/v1/fault', byKey, () => {
    throw new Error('select secret from stack');
  });
  app.get('/v1/away', byKey, () => {
    throw new AppError('unavailable', 'Away for the moment.', { retryAfterSeconds: 1 });
  });
}
afterAll(() => api.close());

const url = '/v1/qrcodes';
const good = { name: 'x', destination_url: 'https://example.com' };

function expectError(answer: Reply, code: keyof typeof errorTable, headers: Record<string, unknown> = {}) {
  expect([answer.status, answer.body?.error?.code]).toEqual([errorTable[code].status, code]);
  expect(answer.body).toEqual({
    error: expect.objectContaining({
      code,
      message: expect.stringMatching(/^[A-Za-z].{10,}/),
      request_id: answer.headers['x-request-id'],
      doc_url: `https://api.signpost.example/docs#error-${code}`,
    }),
  });
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', ...headers });
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(answer.headers[name], name).toMatch(/^\d+$/);
  }
}

describe('errors', () => {
  test('every refusal has its code and status, a request id, a link, and the headers of the rate limit', async () => {
    const { live: key } = owner;
    const post = { method: 'POST', url, key } as const;
    const json = { 'content-type': 'application/json' };
    expectError(await api.call({ url }), 'unauthorized', { 'www-authenticate': 'Bearer' });
    expectError(await api.call({ url: '/v1/nothing' }), 'unauthorized');
    expectError(await api.call({ ...post, body: {} }), 'invalid_request');
    expectError(await api.call({ ...post, body: '{"name":' }), 'invalid_json');
    expectError(await api.call({ ...post, body: '', headers: json }), 'invalid_request');
    expectError(await api.call({ ...post, body: { ...good, destination_url: 'x' } }), 'invalid_url');
    expectError(await api.call({ ...post, body: { ...good, short_code: '!' } }), 'invalid_short_code');
    expectError(await api.call({ ...post, body: { ...good, short_code: 'docs' } }), 'reserved_short_code');
    expectError(
      await api.call({ ...post, body: { ...good, style: { dotsColor: '#fffffe' } } }),
      'unscannable_style',
    );
    expectError(await api.call({ url: '/v1/nothing', key }), 'not_found');
    expectError(await api.call({ url: `${url}/qr_0`, key }), 'not_found');
    expectError(await api.call({ method: 'PUT', url, key }), 'method_not_allowed', {
      allow: 'POST, GET, HEAD',
    });
    expectError(await api.call({ method: 'POST', url: `${url}/qr_1`, key, body: {} }), 'method_not_allowed', {
      allow: 'GET, HEAD, PATCH, DELETE, PUT',
    });
    expectError(
      await api.call({ ...post, body: { ...good, name: 'x'.repeat(170_000) } }),
      'payload_too_large',
    );
    expectError(await api.call({ url: `${url}?page=${'1'.repeat(9000)}`, key }), 'uri_too_long');
    expectError(
      await api.call({ ...post, body: 'a=b', headers: { 'content-type': 'text/plain' } }),
      'unsupported_media_type',
    );
    expectError(await api.call({ url: '/v1/%E0%A4%A', key }), 'invalid_request');
    expectError(await api.call({ url: '/v1/away', key }), 'unavailable', { 'retry-after': '1' });
  });

  test('a fault of ours tells the caller nothing but the request id, and the log everything', async () => {
    const answer = await api.call({ url: '/v1/fault', key: owner.live });
    expectError(answer, 'internal_error');
    expect(answer.text).not.toMatch(/select|stack|\.ts/);
    const logged = api.log.find(
      line => line.includes(answer.headers['x-request-id']!) && line.includes('request failed'),
    );
    expect(logged).toContain('select secret from stack');
  });

  test('what is not HTTP, and headers without end, get an answer in the usual form', async () => {
    await api.api.app.listen({ port: 0, host: '127.0.0.1' });
    port = (api.api.app.server.address() as { port: number }).port;
    const send = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        let answer = '';
        socket.setEncoding('utf8');
        socket.on('data', data => {
          answer += data;
        });
        socket.on('close', () => resolve(answer));
        socket.on('error', reject);
      });
    for (const [text, status, code] of [
      ['GARBAGE\r\n\r\n', 400, 'invalid_request'],
      [`GET /v1/${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'uri_too_long'],
    ] as const) {
      const answer = await send(text);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toContain(`"code":"${code}"`);
      expect(answer).toMatch(/x-ratelimit-remaining: \d+/);
      expect(answer).toMatch(/x-request-id: req_/);
    }
  });
});

describe('every answer', () => {
  test('has a request id of its own, which the log has too', async () => {
    const [one, two] = [await api.call({ url, key: owner.live }), await api.call({ url, key: owner.live })];
    expect(one.headers['x-request-id']).toMatch(/^req_/);
    expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id']);
    expect(api.log.filter(line => line.includes(one.headers['x-request-id']!))).toHaveLength(1);
  });

  test('under /v1 is never stored by a cache', async () => {
    expect((await api.call({ url, key: owner.live })).headers['cache-control']).toBe('no-store');
  });

  test('tells browsers to use https on the name of PUBLIC_URL alone', async () => {
    const hstsAt = async (host: string) =>
      (await api.call({ url, key: owner.live, headers: { host } })).headers['strict-transport-security'];
    expect(await hstsAt('api.signpost.example')).toBe('max-age=31536000');
    expect(await hstsAt('sign.example')).toBeUndefined();
    expect(await hstsAt('codes.owner.example')).toBeUndefined();
  });

  test('leaves no key, address or user agent in the log', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 Planted-Agent', 'x-forwarded-for': '203.0.113.77' };
    await api.call({ url, key: owner.live, headers, address: '198.51.100.23' });
    await api.call({ url: '/v1/fault', key: owner.live, headers, address: '198.51.100.23' });
    const log = api.log.join('');
    for (const planted of [
      owner.live,
      owner.live.slice(8),
      'Planted-Agent',
      '203.0.113.77',
      '198.51.100.23',
    ]) {
      expect(log).not.toContain(planted);
    }
  });
});

test('every first path segment that the service answers is reserved as a short code', () => {
  const { firstSegments } = api.api.app;
  for (const known of ['v1', 'docs', 'llms.txt', 'healthz', 'images']) expect(firstSegments).toContain(known);
  // The short links of test codes, which redirects answer.
  expect(firstSegments).not.toContain('t');
  for (const segment of firstSegments) {
    // No short code has a dot.
    if (segment === '' || segment.includes('.')) expect(segment).not.toMatch(new RegExp(shortCodePattern));
    else expect(reservedShortCodes, segment).toContain(segment.toLowerCase());
  }
});

describe('health', () => {
  test('a living process is healthy, and ready while PostgreSQL answers', async () => {
    expect(await api.call({ url: '/healthz' })).toMatchObject({ status: 200, body: { status: 'ok' } });
    const { status, body } = await api.call({ url: '/readyz' });
    expect([status, body]).toEqual([200, { status: 'ready' }]);
    expect((await api.api.readiness.report()).parts).toMatchObject({ postgres: 'ok', redis: 'ok' });
  });
});

test('the OpenAPI document is served without a key', async () => {
  const { status, body } = await api.call({ url: '/v1/openapi.json' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://api.signpost.example' }] });
  expect(Object.keys(body.paths)).toContain('/v1/qrcodes/{id}');
});
