import { createTestApi, roomyWebhooks, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { createBrowser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let api: TestApi;
let owner: TestAccount;
let id: string;

beforeAll(async () => {
  api = await createTestApi({ ...dashboardEnv, ...roomyWebhooks });
  owner = await api.account();
  id = (await send('POST', '/v1/qrcodes', menu)).body.id;
});
afterAll(() => api.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const send = (method: 'POST' | 'PATCH', url: string, body: unknown) =>
  api.call({ method, url, key: owner.live, body });
const get = (url: string) => api.call({ url, key: owner.live });
const warning = 'x-signpost-warning';

describe('a query parameter that no operation knows', () => {
  test('passes, and is named with the one that was probably meant', async () => {
    for (const [url, said] of [
      ['/v1/qrcodes?per_page=5', 'unknown query parameter "per_page"; did you mean "limit"?'],
      ['/v1/qrcodes?page=1&lmit=5', 'unknown query parameter "lmit"; did you mean "limit"?'],
      [`/v1/qrcodes/${id}/download?width=99`, 'unknown query parameter "width"; did you mean "size"?'],
      [`/v1/qrcodes/${id}?from=x`, 'unknown query parameter "from"; this operation takes none'],
      ['/v1/openapi.json?v=2', 'unknown query parameter "v"; this operation takes none'],
      [
        '/v1/webhooks?page=2&limit=3',
        'unknown query parameter "page"; this operation takes none, unknown query parameter "limit"; this operation takes none',
      ],
    ] as const) {
      const { status, headers } = await get(url);
      expect([status, headers[warning]], url).toEqual([200, said]);
    }
  });

  test('is named beside an error too', async () => {
    const analytics = `/v1/qrcodes/${id}/analytics`;
    const both = `${analytics}?from=2026-01-01&to=2026-01-31&start_date=x`;
    expect(await get(both)).toMatchObject({
      status: 400,
      headers: {
        [warning]:
          'unknown query parameter "from"; did you mean "start_date"?, unknown query parameter "to"; did you mean "end_date"?',
      },
    });
    const unknown = await get('/v1/qrcodes/qr_00000000000000000000000000?tz=x');
    expect([unknown.status, unknown.headers[warning]]).toEqual([
      404,
      'unknown query parameter "tz"; this operation takes none',
    ]);
  });

  test('is named with a body and for a kept answer', async () => {
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await api.call({
        method: 'POST',
        url: '/v1/qrcodes?dry_run=true',
        key: owner.live,
        body: menu,
        headers: { 'idempotency-key': 'warned' },
      });
      expect([status, headers[warning]]).toEqual([
        201,
        'unknown query parameter "dry_run"; this operation takes none',
      ]);
    }
  });

  test('cannot break out of the header or swell it', async () => {
    const names = ['%0d%0aSet-Cookie:%20a=b', '%22;x', '%00', '%f0%9f%98%80'.repeat(100), '%ff', '\u00e9'];
    for (const name of names) {
      const { status, headers } = await get(`/v1/qrcodes?${name}=1`);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers[warning], name).toMatch(
        /^unknown query parameter "[^"\s]*"; this operation takes [ -~]+$/,
      );
      expect(headers[warning]!.length).toBeLessThan(450);
    }
    const many = Array.from({ length: 1500 }, (_, n) => `p${n}`).join('&');
    const { status, headers } = await get(`/v1/qrcodes?${many}`);
    expect(status).toBe(200);
    expect(headers[warning]!.length).toBeLessThan(800);
    expect(headers[warning]).toMatch(/and 1497 more$/);
  });

  test('is not spoken of where all are known, nor to the dashboard', async () => {
    for (const url of ['/v1/qrcodes', '/v1/qrcodes?', '/v1/qrcodes?page=1&limit=2&status=active'])
      expect((await get(url)).headers).not.toHaveProperty(warning);
    const person = await signUp(api);
    const { status, headers } = await person.call({ url: '/account/v1/qrcodes?mode=test' });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty(warning);
  });
});

describe('all errors of a request come at once', () => {
  test('of a body, and the first is the error itself', async () => {
    const { status, body } = await send('POST', '/v1/qrcodes', {
      name: '\u200b',
      destination_url: 'nowhere',
      short_code: '-',
      style: { dotsColor: 'red' },
      colour: 'red',
    });
    expect(status).toBe(400);
    const { code, message, param, errors } = body.error;
    const problem = { code: 'unknown_field', values: { name: 'colour' } };
    expect(errors[0]).toEqual({ code, message, param, problem });
    expect(new Map(errors.map((one: { param: string; code: string }) => [one.param, one.code]))).toEqual(
      new Map([
        ['name', 'invalid_request'],
        ['destination_url', 'invalid_url'],
        ['short_code', 'invalid_short_code'],
        ['style.dotsColor', 'invalid_request'],
        ['colour', 'invalid_request'],
      ]),
    );
  });

  test('of a query', async () => {
    const { body } = await get('/v1/qrcodes?page=0&limit=x&status=gone');
    expect(body.error).toMatchObject({ code: 'invalid_request', param: 'page' });
    expect(body.error.errors.map((one: { message: string }) => one.message)).toEqual([
      'page must be a whole number from 1 to 1,000,000,000.',
      'limit must be a whole number from 1 to 100.',
      'status must be one of active, paused, draft.',
    ]);
  });

  test('of rules that no schema can tell', async () => {
    const { body } = await send('POST', '/v1/qrcodes', {
      name: 'x',
      destination_url: 'https://user:secret@example.com',
      short_code: 'docs',
      style: { dotsColor: '#FFFFFF' },
    });
    expect(body.error).toMatchObject({ code: 'invalid_url', param: 'destination_url' });
    expect(body.error.errors).toEqual([
      { code: 'invalid_url', param: 'destination_url', message: body.error.message },
      { code: 'reserved_short_code', param: 'short_code', message: expect.any(String) },
      { code: 'unscannable_style', param: 'style.dotsColor', message: expect.any(String) },
    ]);
  });

  test('of an item among many', async () => {
    const items = [menu, { name: '', short_code: '-' }, 7];
    const { body } = await send('POST', '/v1/qrcodes/bulk', { items });
    expect(body).toMatchObject({ created: 1, failed: 2 });
    expect(body.data[1]).toMatchObject({
      index: 1,
      status: 'failed',
      error: { code: 'invalid_request', request_id: expect.any(String), doc_url: expect.any(String) },
    });
    const params = (at: number) => body.data[at].error.errors.map((one: { param: string }) => one.param);
    expect(params(1).toSorted()).toEqual(['destination_url', 'name', 'short_code']);
    expect(body.data[2].error.message).toBe('The item must be a JSON object.');
  });

  test('also in the dashboard’s own calls', async () => {
    const { status, body } = await createBrowser(api).call({
      method: 'POST',
      url: '/auth/sign-up',
      body: { name: '\u2800', email: 'nobody', password: 'short' },
    });
    expect(status).toBe(400);
    expect(body.error.errors.map((one: { param: string }) => one.param)).toEqual([
      'name',
      'email',
      'password',
    ]);
  });

  test('while an error that is not about the form stays as it was', async () => {
    const { body } = await get('/v1/qrcodes/qr_00000000000000000000000000');
    expect(Object.keys(body.error)).toEqual(['code', 'message', 'request_id', 'doc_url']);
  });
});

describe('with atomic every bad item is told', () => {
  const bulk = (items: readonly unknown[]) => send('POST', '/v1/qrcodes/bulk', { atomic: true, items });

  test('with its index, code, message and param; the answer stays 400 invalid_request of the first', async () => {
    await send('POST', '/v1/qrcodes', { ...menu, short_code: 'told-taken' });
    await api.admin('block-host', 'blocked.example');
    const { status, body } = await bulk([
      { ...menu, short_code: 'told-good' },
      { name: '', short_code: '-' },
      { ...menu, short_code: 'Told-Taken' },
      { ...menu, short_code: 'docs' },
      { ...menu, short_code: 'TOLD-GOOD' },
      { ...menu, destination_url: 'https://www.blocked.example/x' },
      5,
      { ...menu, style: { backgroundColor: '#000000' } },
      menu,
    ]);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_request' });
    expect(body.error.message).toMatch(/^Nothing was created\. Item 1: .* 7 of 9 items are invalid/);
    expect(body.error.param).toBe(body.error.errors[0].param);
    const told = body.error.errors.map((one: Record<string, unknown>) => [one.index, one.code, one.param]);
    expect(told.slice(0, 3).toSorted()).toEqual([
      [1, 'invalid_request', 'items.1.destination_url'],
      [1, 'invalid_request', 'items.1.name'],
      [1, 'invalid_short_code', 'items.1.short_code'],
    ]);
    expect(told.slice(3)).toEqual([
      [2, 'short_code_taken', 'items.2.short_code'],
      [3, 'reserved_short_code', 'items.3.short_code'],
      [4, 'short_code_taken', 'items.4.short_code'],
      [5, 'destination_blocked', 'items.5.destination_url'],
      [6, 'invalid_request', 'items.6'],
      [7, 'unscannable_style', 'items.7.style.backgroundColor'],
    ]);
    expect(body.error.errors.every((one: { message: string }) => one.message.length > 10)).toBe(true);
  });

  test('also where only the database knows what is bad', async () => {
    await send('POST', '/v1/qrcodes', { ...menu, short_code: 'told-gone' });
    await api.admin('block-host', 'blocked-too.example');
    const { body } = await bulk([
      { ...menu, destination_url: 'https://blocked-too.example' },
      menu,
      { ...menu, short_code: 'told-gone' },
    ]);
    expect(body.error.errors).toMatchObject([
      { index: 0, code: 'destination_blocked' },
      { index: 2, code: 'short_code_taken' },
    ]);
  });

  test('five hundred of five hundred, each at least once', async () => {
    const { body } = await bulk(Array(500).fill({ name: '', short_code: '-', style: 5, x: 1 }));
    const indexes = body.error.errors.map((one: { index: number }) => one.index);
    expect(indexes).toEqual(Array.from({ length: 500 }, (_, index) => index));
  });

  test('and nothing is made', async () => {
    const { live } = await api.account();
    const items = [menu, { name: 'x' }];
    await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: live, body: { atomic: true, items } });
    expect((await api.call({ url: '/v1/qrcodes', key: live })).body.pagination.total).toBe(0);
  });
});

describe('a refusal names what was sent and what to do', () => {
  test.each([
    [{ status: 'paused' }, /send active: false to pause, active: true to resume/],
    [{ short_code: 'other' }, /cannot change.*Create a new code/],
    [{ style: { dotsType: 'dots' } }, /cannot change.*Create a new code/],
  ])('an update with %j', async (change, message) => {
    const { status, body } = await send('PATCH', `/v1/qrcodes/${id}`, change);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_request', param: Object.keys(change)[0] });
    expect(body.error.message).toMatch(message);
  });

  test.each([
    [{ backgroundColor: '#000000' }, 'backgroundColor', /too similar to the dots, which are black unless/],
    [
      { backgroundColor: '#111111', cornersSquareColor: '#FFFFFF' },
      'backgroundColor',
      /too similar to the dots/,
    ],
    [{ dotsColor: '#FFFFFF' }, 'dotsColor', /too similar to the background, which is white unless/],
    [{ dotsColor: '#112233', backgroundColor: '#112233' }, 'dotsColor', /too similar to the background\. /],
    [{ cornersDotColor: '#FFFFFF' }, 'cornersDotColor', /too similar to the background/],
    [{ cornersSquareColor: '#FEFEFE' }, 'cornersSquareColor', /too similar to the background/],
  ])('an unreadable style %j names %s', async (style, field, message) => {
    const { status, body } = await send('POST', '/v1/qrcodes', { ...menu, style });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'unscannable_style', param: `style.${field}` });
    expect(body.error.message).toMatch(message);
    expect(style).toHaveProperty(field);
  });

  test.each(['\u200b', '\u3164', '\u2800', '\ufeff '])('a name of %j, of a code and of a key', async name => {
    const refusal = { status: 400, body: { error: { code: 'invalid_request', param: 'name' } } };
    expect(await send('POST', '/v1/qrcodes', { ...menu, name })).toMatchObject(refusal);
    expect(await send('PATCH', `/v1/qrcodes/${id}`, { name })).toMatchObject(refusal);
    const person = await signUp(api);
    const createKey = (name: string) =>
      person.call({
        method: 'POST',
        url: '/account/keys',
        body: { name, mode: 'test', current_password: goodPassword },
      });
    expect(await createKey(name)).toMatchObject(refusal);
    // Inside of a name too: a key must be called what it seems to be called.
    expect(await createKey(`Shop${name}1`)).toMatchObject(refusal);
    expect((await createKey('Shop 1')).status).toBe(201);
    expect((await send('POST', '/v1/qrcodes', { ...menu, name: `Shop${name}1` })).status).toBe(201);
  });
});
