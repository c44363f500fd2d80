import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let api: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
});
afterAll(() => api.close());

const post = (body: unknown, key = owner.live, headers = {}) =>
  api.call({ method: 'POST', url: '/v1/qrcodes', key, body, headers });
const get = (id: string, key = owner.live) => api.call({ url: `/v1/qrcodes/${id}`, key });
const patch = (id: string, body: unknown, key = owner.live) =>
  api.call({ method: 'PATCH', url: `/v1/qrcodes/${id}`, key, body });
const remove = (id: string, key = owner.live) =>
  api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key });
const list = (query = '', key = owner.live) => api.call({ url: `/v1/qrcodes${query}`, key });
const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };

describe('create', () => {
  test('answers 201 with the whole code, active and without scans', async () => {
    const style = { dotsType: 'classy', dotsColor: '#102030' };
    const { status, body } = await post({ ...menu, short_code: 'Lunch-2026', style });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^qr_[0-9a-hjkmnp-tv-z]{26}$/),
      ...menu,
      short_code: 'Lunch-2026',
      short_url: 'https://sign.example/Lunch-2026',
      image_url: `https://api.signpost.example/images/${body.id}/public`,
      status: 'active',
      active: true,
      archived: false,
      total_scans: 0,
      unique_scans: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      style,
      scannability: { level: 'good', reasons: [] },
      availability: { state: 'live', since: null, reason: null },
      tags: [],
      note: null,
      external_id: null,
      metadata: {},
      rules: [],
      fallback_url: null,
      starts_at: null,
      expires_at: null,
      max_scans: null,
      forward_query: false,
      append_query: {},
      domain: null,
      revision: 0,
      placements: [],
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  test('generates a short code when none is given', async () => {
    const { body } = await post(menu);
    expect(body.short_code).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{8}$/);
    expect(body.short_url).toBe(`https://sign.example/${body.short_code}`);
  });

  test('takes type and destination for destination_url, and answers in the primary shape', async () => {
    const { status, body } = await post({ name: 'Menu', type: 'url', destination: 'https://example.com/v' });
    expect(status).toBe(201);
    expect(body.destination_url).toBe('https://example.com/v');
    expect(body).not.toHaveProperty('destination');
    expect(body).not.toHaveProperty('scans');
    const both = await post({ ...menu, destination: 'https://other.example' });
    expect(both).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'destination' } },
    });
  });

  test('a draft is made with active false', async () => {
    const { body } = await post({ ...menu, status: 'draft' });
    expect(body).toMatchObject({ status: 'draft', active: false });
  });

  test.each([
    'https://example.com',
    'HTTP://Example.com:80/%7Euser?a=1&b=%20#x',
    'https://bücher.example/größe?q=ß',
    `https://example.com/${'a'.repeat(4096 - 20)}`,
    'https://example.com/😀',
  ])('the destination comes back byte for byte: %s', async destination_url => {
    const { status, body } = await post({ name: 'x', destination_url });
    expect(status).toBe(201);
    expect(body.destination_url).toBe(destination_url);
    expect((await get(body.id)).body.destination_url).toBe(destination_url);
  });

  test.each([
    ['', 'x'],
    ['x'.repeat(256), 'y'],
    ['   \t ', 'z'],
    ['a\u0000b', 'nul'],
    ['a\ud800', 'surrogate'],
  ])('a name must be 1 to 255 characters and not only white space (%#)', async name => {
    const { status, body } = await post({ ...menu, name });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', 'name']);
  });

  test('a name of 255 characters is accepted, counted by code points', async () => {
    for (const name of ['x'.repeat(255), '😀'.repeat(255), ' x ']) {
      const { status, body } = await post({ ...menu, name });
      expect([status, body.name]).toEqual([201, name]);
    }
  });

  test.each([
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    '',
    'https://user:pw@example.com',
    'https://example.com\\@evil.example',
    'https://example.com/a b',
    'https://example.com/\u0000',
    'https://example.com/\r\nX: y',
    ' https://example.com',
    'https://sign.example/loop',
    `https://example.com/${'a'.repeat(4096)}`,
  ])('a bad destination is invalid_url: %s', async destination_url => {
    const { status, body } = await post({ name: 'x', destination_url });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_url', 'destination_url']);
  });

  test.each(['ab', 'a'.repeat(65), '-abc', 'abc-', '_abc', 'abc_', 'a b c', 'größe', 'a/b', 'a.b', 'abc\n'])(
    'a short code of bad form is invalid_short_code: %j',
    async short_code => {
      const { status, body } = await post({ ...menu, short_code });
      expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_short_code', 'short_code']);
    },
  );

  test('a short code of 3 to 64 letters, digits, dashes and underscores is echoed as typed', async () => {
    for (const short_code of ['Abc', `a-_${'B'.repeat(60)}9`]) {
      const { status, body } = await post({ ...menu, short_code });
      expect([status, body.short_code]).toEqual([201, short_code]);
    }
  });

  test('a reserved word is refused', async () => {
    for (const short_code of ['docs', 'HEALTHZ', 'images']) {
      expect(await post({ ...menu, short_code })).toMatchObject({
        status: 400,
        body: { error: { code: 'reserved_short_code', param: 'short_code' } },
      });
    }
  });

  test('a short code of a live code is taken for every account, in upper and lower case', async () => {
    await post({ ...menu, short_code: 'Taken-Code' });
    const other = await api.account();
    for (const key of [owner.live, other.live]) {
      for (const short_code of ['Taken-Code', 'tAKEN-cODE']) {
        expect(await post({ ...menu, short_code }, key)).toMatchObject({
          status: 409,
          body: { error: { code: 'short_code_taken', param: 'short_code' } },
        });
      }
    }
  });

  test('50 parallel creates of one short code make one code', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post({ ...menu, short_code: 'only-once' })),
    );
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(1);
    expect(answers.filter(answer => answer.body.error?.code === 'short_code_taken')).toHaveLength(49);
  });

  test('an unknown field is refused by name', async () => {
    for (const [field, body] of [
      ['colour', { ...menu, colour: 'red' }],
      ['style.logo', { ...menu, style: { logo: 'x' } }],
      ['__proto__', `{"name":"x","destination_url":"https://e.com","__proto__":{"a":1}}`],
      ['id', { ...menu, id: 'qr_1' }],
    ] as const) {
      expect(await post(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: field } },
      });
    }
  });

  test('a missing or mistyped field is refused by name', async () => {
    for (const [param, body] of [
      ['name', { destination_url: 'https://e.com' }],
      ['destination_url', { name: 'x' }],
      ['name', { ...menu, name: 5 }],
      ['short_code', { ...menu, short_code: 5 }],
      ['style', { ...menu, style: 'red' }],
      ['status', { ...menu, status: 'off' }],
      ['type', { ...menu, type: 'text' }],
    ] as const) {
      expect(await post(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param } },
      });
    }
  });

  test('style takes its words and hex colours, and nothing else', async () => {
    for (const style of [
      { dotsType: 'star' },
      { dotsColor: 'red' },
      { dotsColor: '#fff' },
      { cornersDotType: 'rounded' },
    ]) {
      const { status, body } = await post({ ...menu, style });
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.param).toBe(`style.${Object.keys(style)[0]}`);
    }
  });

  test('a colour that no scanner can read is refused by field, any other is accepted with its grade', async () => {
    expect(await post({ ...menu, style: { dotsColor: '#FFFFF0' } })).toMatchObject({
      status: 400,
      body: { error: { code: 'unscannable_style', param: 'style.dotsColor' } },
    });
    const { body } = await post({ ...menu, style: { dotsColor: '#FFFFFF', backgroundColor: '#000000' } });
    expect(body.scannability.level).toBe('poor');
    expect(body.scannability.reasons.length).toBeGreaterThan(0);
  });
});

describe('list', () => {
  test('pages through the codes, newest first, with the subset of fields', async () => {
    const { live } = await api.account();
    const made: string[] = [];
    for (let i = 0; i < 45; i++) made.unshift((await post({ ...menu, name: `n${i}` }, live)).body.id);
    const first = await list('', live);
    expect(first.status).toBe(200);
    expect(Object.keys(first.body.data[0])).toEqual([
      'id',
      'name',
      'destination_url',
      'short_url',
      'status',
      'total_scans',
      'created_at',
    ]);
    expect(first.body.pagination).toEqual({ page: 1, limit: 20, total: 45, total_pages: 3, has_more: true });
    const ids = async (query: string) =>
      (await list(query, live)).body.data.map((item: { id: string }) => item.id);
    expect([...(await ids('')), ...(await ids('?page=2')), ...(await ids('?page=3'))]).toEqual(made);
    expect(await ids('?page=2&limit=30')).toEqual(made.slice(30));
    expect(await ids('?limit=100')).toEqual(made);
  });

  test('filters by status', async () => {
    const { live } = await api.account();
    const [a, b, c] = [
      await post(menu, live),
      await post(menu, live),
      await post({ ...menu, status: 'draft' }, live),
    ];
    await patch(a.body.id, { active: false }, live);
    for (const [status, id] of [
      ['paused', a.body.id],
      ['active', b.body.id],
      ['draft', c.body.id],
    ]) {
      const { body } = await list(`?status=${status}`, live);
      expect(body.data.map((item: { id: string }) => item.id)).toEqual([id]);
      expect(body.pagination).toEqual({ page: 1, limit: 20, total: 1, total_pages: 1, has_more: false });
    }
  });

  test('an empty account and a page past the last give an empty page', async () => {
    const { live } = await api.account();
    expect((await list('', live)).body).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total: 0, total_pages: 0, has_more: false },
    });
    await post(menu, live);
    expect((await list('?page=9', live)).body).toEqual({
      data: [],
      pagination: { page: 9, limit: 20, total: 1, total_pages: 1, has_more: false },
    });
    expect((await list('?page=999999999', live)).body.data).toEqual([]);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=',
    'page=1.5',
    'page=1&page=2',
    'limit=0',
    'limit=101',
    'status=gone',
    'page=99999999999999999999',
  ])('%s is refused by name', async query => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.error.code, body.error.param]).toEqual([
      400,
      'invalid_request',
      query.split('=')[0],
    ]);
  });
});

describe('get', () => {
  test('an id that never existed, a malformed id and a deleted id get the same 404', async () => {
    const { body } = await post(menu);
    await remove(body.id);
    const answers = await Promise.all(
      [body.id, 'qr_00000000000000000000000000', 'x', 'qr_', '%00', 'a'.repeat(500)].map(id => get(id)),
    );
    const texts = answers.map(
      ({ status, text, body }) => `${status} ${text.replace(body.error.request_id, '')}`,
    );
    expect(new Set(texts).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});

describe('update', () => {
  test('changes only the fields that are named', async () => {
    const before = (await post({ ...menu, style: { dotsType: 'dots' } })).body;
    const { status, body } = await patch(before.id, { destination_url: 'https://example.com/new' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      destination_url: 'https://example.com/new',
      updated_at: expect.any(String),
      revision: before.revision + 1,
    });
    expect(body.updated_at >= before.updated_at).toBe(true);
    expect((await patch(before.id, { name: 'New' })).body).toMatchObject({
      name: 'New',
      destination_url: body.destination_url,
    });
    expect((await patch(before.id, {})).body.name).toBe('New');
  });

  test('active false pauses, active true resumes', async () => {
    const { id } = (await post(menu)).body;
    expect((await patch(id, { active: false })).body).toMatchObject({ status: 'paused', active: false });
    expect((await patch(id, { active: false })).body).toMatchObject({ status: 'paused', active: false });
    expect((await patch(id, { active: true })).body).toMatchObject({ status: 'active', active: true });
    expect((await get(id)).body.status).toBe('active');
  });

  test('a draft is published by active true, and cannot be paused', async () => {
    const { id } = (await post({ ...menu, status: 'draft' })).body;
    expect(await patch(id, { active: false, name: 'Not kept' })).toMatchObject({
      status: 409,
      body: { error: { code: 'invalid_transition' } },
    });
    expect((await get(id)).body).toMatchObject({ status: 'draft', active: false, name: 'Menu' });
    expect((await patch(id, { active: true })).body).toMatchObject({ status: 'active', active: true });
  });

  test('style and short_code cannot change', async () => {
    const { id } = (await post(menu)).body;
    for (const body of [
      { style: { dotsType: 'dots' } },
      { short_code: 'other' },
      { status: 'draft' },
      { active: 'yes' },
    ]) {
      expect(await patch(id, body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: Object.keys(body)[0] } },
      });
    }
    expect((await patch(id, { style: { dotsType: 'dots' } })).body.error.message).toMatch(
      /cannot change.*new code/,
    );
  });

  test('a bad destination or an unknown id changes nothing', async () => {
    const { id } = (await post(menu)).body;
    expect((await patch(id, { destination_url: 'nowhere' })).body.error.code).toBe('invalid_url');
    expect((await patch(id, { destination_url: 'https://a:b@c.de' })).body.error.code).toBe('invalid_url');
    expect((await patch('qr_00000000000000000000000000', { name: 'x' })).status).toBe(404);
    expect((await get(id)).body.destination_url).toBe(menu.destination_url);
  });
});

describe('delete', () => {
  test('responds with the id, and then every read is 404', async () => {
    const { id } = (await post(menu)).body;
    expect(await remove(id)).toMatchObject({ status: 200, body: { deleted: true, id } });
    for (const answer of [await get(id), await patch(id, { name: 'x' }), await remove(id)])
      expect(answer.status).toBe(404);
    const listed = await list('?limit=100');
    expect(listed.text).not.toContain(id);
  });

  test('a delete with a content type and no body is accepted, as many clients send it', async () => {
    const { id } = (await post(menu)).body;
    const headers = { 'content-type': 'application/json' };
    expect(
      (await api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key: owner.live, headers })).status,
    ).toBe(200);
  });

  test('leaves nothing of the code but its short code', async () => {
    const { id } = (
      await post({
        name: 'Secret name',
        destination_url: 'https://secret.example',
        short_code: 'tombstone-1',
      })
    ).body;
    await remove(id);
    const rows = await api.api.db.query<{ row: string }>({
      name: 'tombstone',
      text: `select to_jsonb(c)::text as row from qr_codes c where short_code = 'tombstone-1'`,
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]!.row).not.toMatch(/Secret name|secret\.example/);
  });
});

describe('bulk create', () => {
  const bulk = (body: unknown, key = owner.live, headers = {}) =>
    api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key, body, headers });

  test('each item succeeds or fails by itself, in order', async () => {
    const { live } = await api.account();
    const { status, body } = await bulk(
      {
        items: [
          { ...menu, short_code: 'bulk-one' },
          { name: 'no destination' },
          { ...menu, short_code: 'BULK-ONE' },
          { ...menu, short_code: 'docs' },
          'junk',
          { ...menu, name: 'last' },
          { ...menu, style: { dotsColor: '#FFFFFF' } },
        ],
      },
      live,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ created: 2, failed: 5 });
    expect(body.data.map((entry: { index: number }) => entry.index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(body.data.map((entry: { error?: { code: string } }) => entry.error?.code)).toEqual([
      undefined,
      'invalid_request',
      'short_code_taken',
      'reserved_short_code',
      'invalid_request',
      undefined,
      'unscannable_style',
    ]);
    expect(body.data[0]).toMatchObject({
      status: 'created',
      qr_code: { short_code: 'bulk-one', status: 'active' },
    });
    expect((await get(body.data[5].qr_code.id, live)).body).toEqual(body.data[5].qr_code);
    const listed = await list('', live);
    expect(listed.body.data.map((item: { name: string }) => item.name)).toEqual(['last', 'Menu']);
  });

  test('takes 1 to 500 items', async () => {
    expect((await bulk({ items: [] })).body.error).toMatchObject({ code: 'invalid_request', param: 'items' });
    expect((await bulk({ items: Array(501).fill(menu) })).body.error).toMatchObject({
      code: 'invalid_request',
      param: 'items',
    });
    const { body } = await bulk({ items: Array(500).fill(menu) });
    expect(body.created).toBe(500);
    expect(
      new Set(body.data.map((entry: { qr_code: { short_code: string } }) => entry.qr_code.short_code)).size,
    ).toBe(500);
  });

  test('returns codes whose short links are not ASCII', async () => {
    const elsewhere = await createTestApi({ SHORT_BASE_URL: 'https://bücher.example' });
    const { live } = await elsewhere.account();
    const body = { items: [menu, { name: 'no destination' }] };
    const { status, body: result } = await elsewhere.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: live,
      body,
    });
    await elsewhere.close();
    expect(status).toBe(200);
    expect(result.data[0].qr_code.short_url).toMatch(/^https:\/\/bücher\.example\//);
    expect(result.data[1]).toMatchObject({ status: 'failed', error: { code: 'invalid_request' } });
  });

  test('with atomic, one invalid item creates nothing and responds 400', async () => {
    const { live } = await api.account();
    await post({ ...menu, short_code: 'atomic-taken' }, live);
    for (const [param, bad] of [
      ['items.1.destination_url', { name: 'x' }],
      ['items.1.short_code', { ...menu, short_code: 'atomic-taken' }],
      ['items.1.short_code', { ...menu, short_code: 'atomic-first' }],
      ['items.1', 5],
    ] as const) {
      const items = [{ ...menu, short_code: 'atomic-first' }, bad, menu];
      expect(await bulk({ atomic: true, items }, live)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param } },
      });
    }
    expect((await list('', live)).body.pagination.total).toBe(1);
    expect(
      (await bulk({ atomic: true, items: [{ ...menu, short_code: 'atomic-first' }, menu] }, live)).body
        .created,
    ).toBe(2);
  });

  test('the quota is checked for the whole call', async () => {
    const { live } = await api.account('pro');
    expect((await bulk({ items: Array(49).fill(menu) }, live)).body.created).toBe(49);
    const refused = await bulk({ items: [menu, menu] }, live);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'quota_exceeded', limit: 50, used: 49 } },
    });
    expect((await bulk({ items: [menu, { name: 'bad' }] }, live)).body.created).toBe(1);
    expect((await list('', live)).body.pagination.total).toBe(50);
  });

  test('counts as one request against the rate limit', async () => {
    const { live } = await api.account('pro');
    const before = Number((await list('', live)).headers['x-ratelimit-remaining']);
    const { headers } = await bulk({ items: Array(20).fill(menu) }, live);
    expect(Number(headers['x-ratelimit-remaining'])).toBe(before - 1);
  });
});
