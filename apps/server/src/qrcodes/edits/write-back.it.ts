import { fixedFields, ignoredFields } from '@signpost/contract';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';

/** A code is read, one field is changed, and the whole of it is sent back. */

let api: TestApi;
let owner: TestAccount;
beforeAll(async () => {
  api = await createTestApi({ DATABASE_TIMEOUT_MS: '30000' });
  owner = await api.account();
});
afterAll(() => api?.close());

type Code = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

const read = async (id: string): Promise<Code> =>
  (await api.call({ url: `/v1/qrcodes/${id}`, key: owner.live })).body;
const patch = (id: string, body: object) =>
  api.call({ method: 'PATCH', url: `/v1/qrcodes/${id}`, key: owner.live, body });
const make = async (items: readonly object[]): Promise<string[]> => {
  const { body } = await api.call({
    method: 'POST',
    url: '/v1/qrcodes/bulk',
    key: owner.live,
    body: { items },
  });
  expect(body.failed, JSON.stringify(body).slice(0, 500)).toBe(0);
  return body.data.map((item: { qr_code: Code }) => item.qr_code.id);
};

const seed = 20_261_119;
const codes = ciScale(1000, 100);

const url = fc.constantFrom('https://example.com/', 'https://shop.example.com/a?b=1#c');
const destination = fc.oneof(
  { weight: 7, arbitrary: url },
  { weight: 1, arbitrary: fc.constant('https://soon.example/x') },
);
const when = fc.constantFrom({}, { device: ['ios'] }, { country: ['DE', 'AT'], language: ['de'] });
const rule = fc.record({
  name: fc.constantFrom('', 'Phones'),
  active: fc.boolean(),
  when,
  to: fc.array(fc.record({ url, weight: fc.integer({ min: 1, max: 9 }) }), { minLength: 1, maxLength: 3 }),
});
const text = fc.string({ unit: 'grapheme-ascii', maxLength: 12 });
const random = fc.record(
  {
    name: fc.constantFrom('Menu', 'Poster', 'Flyer 7'),
    destination_url: destination,
    status: fc.constantFrom('active', 'paused', 'draft'),
    note: fc.option(text),
    tags: fc.uniqueArray(fc.constantFrom('red', 'Green', 'blue'), { maxLength: 3 }),
    metadata: fc.dictionary(fc.constantFrom('a', 'b', 'c'), text),
    style: fc.constantFrom({}, { dotsType: 'rounded', dotsColor: '#1D3557' }),
    rules: fc.array(rule, { maxLength: 3 }),
    fallback_url: fc.option(url),
    starts_at: fc.constantFrom(null, '2026-01-01T00:00:00Z'),
    expires_at: fc.constantFrom(null, '2031-06-01T12:00:00+02:00'),
    max_scans: fc.constantFrom(null, 5, 100),
    forward_query: fc.boolean(),
    append_query: fc.constantFrom({}, { utm_source: 'print', b: '2', a: '1' }),
  },
  { requiredKeys: ['name', 'destination_url'] },
);

/** One change each: the field that is set, and its value. */
const changes: readonly ((code: Code, n: number) => readonly [string, unknown])[] = [
  (_code, n) => ['name', `New ${n}`],
  (_code, n) => ['note', `Note ${n}`],
  (_code, n) => ['destination_url', `https://example.com/${n}`],
  (code, n) => ['metadata', { ...(code.metadata as object), n: String(n) }],
  (_code, n) => ['tags', ['red', `tag ${n % 7}`]],
  (_code, n) => ['external_id', `new-${n}`],
  (code, n) => ['rules', [...(code.rules as object[]), { to: [{ url: `https://example.com/rule/${n}` }] }]],
  code => ['rules', (code.rules as object[]).slice(1)],
  (_code, n) => ['fallback_url', `https://example.com/fallback/${n}`],
  () => ['starts_at', '2026-02-02T00:00:00.000Z'],
  () => ['expires_at', null],
  (_code, n) => ['max_scans', 1000 + n],
  code => ['forward_query', code.forward_query !== true],
  (_code, n) => ['append_query', { n: String(n) }],
  code => ['active', code.status !== 'active'],
];

/** What may differ from the code that was read, besides what was changed. */
const moving = [...ignoredFields, 'status', 'active'];
const without = (code: Code, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(code).filter(([field]) => !fields.includes(field)));

test('GET, a change of one field and PATCH of the whole: that field changes alone, under scans and suspensions', async () => {
  const wanted = fc.sample(random, { seed, numRuns: codes });
  const ids: string[] = [];
  for (let from = 0; from < codes; from += 200) {
    const items = wanted.slice(from, from + 200);
    ids.push(
      ...(await make(items.map((item, n) => (n % 3 ? item : { ...item, external_id: `id-${from + n}` })))),
    );
  }
  for (const [n, id] of ids.entries())
    if (n % 9 === 0)
      await api.call({
        method: 'POST',
        url: `/v1/qrcodes/${id}/placements/bulk`,
        key: owner.live,
        body: { items: [1, 2].map(key => ({ key: `p${key}`, name: `Place ${key}`, note: 'n' })) },
      });
  // From here on some of the codes lead to a blocked host: everything but where they lead may still be edited.
  await api.admin('block-host', 'soon.example');
  let suspended = 0;
  const one = async (id: string, n: number) => {
    const code = await read(id);
    const isSuspended = (code.availability as { state: string }).state === 'suspended';
    if (isSuspended) suspended++;
    const change = changes[n % changes.length]!;
    const [field, value] = change(code, n);
    await api.api.db.query(countScans, [parseId('qr', id), n % 7]);
    const answer = await patch(id, { ...code, [field]: value });
    if (isSuspended && /^(?:active|rules|fallback_url|destination_url)$/.test(field)) {
      expect([200, 403]).toContain(answer.status);
      return;
    }
    expect([n, field, answer.status, answer.text]).toEqual([n, field, 200, expect.any(String)]);
    const { body } = answer;
    expect(without(body, [...moving, field])).toEqual(without(code, [...moving, field]));
    if (field === 'rules') expect(body.rules).toHaveLength((value as object[]).length);
    else if (field === 'tags') expect(body.tags.toSorted()).toEqual((value as string[]).toSorted());
    else expect(body[field]).toEqual(value);
    if (field !== 'active') expect(body.status).toBe(code.status);
    // A rule that was sent back is the same rule, with its figures.
    if (field !== 'rules') expect(body.rules).toEqual(code.rules);
    const same = JSON.stringify(value) === JSON.stringify(code[field]);
    expect(body.revision).toBe((code.revision as number) + (same ? 0 : 1));
    // The whole of it again changes nothing.
    expect((await patch(id, body)).body.revision).toBe(body.revision);
  };
  for (let from = 0; from < codes; from += 4)
    await Promise.all(ids.slice(from, from + 4).map((id, n) => one(id, from + n)));
  console.log(`write-back: ${codes} codes, ${suspended} of them suspended`);
  expect(suspended).toBeGreaterThan(codes / 20);
}, 900_000);

describe('what cannot be set', () => {
  test.each(Object.entries(fixedFields))('another %s is refused: %s', async (field, message) => {
    const [id = ''] = await make([{ name: 'Menu', destination_url: 'https://example.com/' }]);
    const code = await read(id);
    // The code is on the host of the service: null is what was read.
    const others = ['other', ...(code[field] === null ? [] : [null]), { dotsType: 'dots' }, [{ key: 'x' }]];
    for (const other of others) {
      const { status, body } = await patch(id, { ...code, name: 'New', [field]: other });
      expect([status, body.error.code, body.error.param, body.error.message]).toEqual([
        400,
        'invalid_request',
        field,
        message,
      ]);
    }
    expect(await read(id)).toEqual(code);
  });

  test('several are all named', async () => {
    const [id = ''] = await make([{ name: 'Menu', destination_url: 'https://example.com/' }]);
    const { body } = await patch(id, { id: 'x', status: 'paused' });
    expect(body.error.errors.map(({ param }: { param: string }) => param)).toEqual(['id', 'status']);
  });

  test('what changes by itself is ignored, whatever its value', async () => {
    const [id = ''] = await make([{ name: 'Menu', destination_url: 'https://example.com/' }]);
    const junk = Object.fromEntries(ignoredFields.map((field, n) => [field, [null, 'x', -1, {}][n % 4]]));
    const { status, body } = await patch(id, { ...junk, name: 'New' });
    expect([status, body.name, body.total_scans, body.revision]).toEqual([200, 'New', 0, 1]);
  });

  test('a draft stays one if it is sent back, and active: false alone is refused', async () => {
    const [id = ''] = await make([
      { name: 'Menu', destination_url: 'https://example.com/', status: 'draft' },
    ]);
    const draft = await read(id);
    expect((await patch(id, { ...draft, name: 'New' })).body).toMatchObject({ status: 'draft', name: 'New' });
    expect((await patch(id, { active: false })).body.error.code).toBe('invalid_transition');
    expect((await patch(id, { ...draft, active: true })).body.status).toBe('active');
  });
});

test('a whole code with 1,000 placements can be sent back', async () => {
  const [id = ''] = await make([{ name: 'Menu', destination_url: 'https://example.com/' }]);
  const items = Array.from({ length: 1000 }, (_, n) => ({
    key: `p${n}`,
    name: 'ü'.repeat(80),
    note: 'é'.repeat(500),
  }));
  const added = await api.call({
    method: 'POST',
    url: `/v1/qrcodes/${id}/placements/bulk`,
    key: owner.live,
    body: { items },
  });
  expect(added.status).toBe(201);
  const code = await read(id);
  const answer = await patch(id, { ...code, name: 'New' });
  expect([answer.status, answer.body.name]).toEqual([200, 'New']);
});

const countScans = sql(
  'count-scans-of-write-back-test',
  `insert into scan_counts (qr_code_id, total_scans) values ($1, $2)
   on conflict (qr_code_id) do update set total_scans = scan_counts.total_scans + $2`,
);
