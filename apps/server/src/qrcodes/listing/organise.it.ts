import { randomUUID } from 'node:crypto';
import type { Role } from '@signpost/contract';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import { massChangeMailJob } from '../edits/mass-changes.ts';

let api: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
});
afterAll(() => api?.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const post = (body: object, key = owner.live) =>
  api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { ...menu, ...body } });
const get = (id: string, key = owner.live) => api.call({ url: `/v1/qrcodes/${id}`, key });
const patch = (id: string, body: unknown, key = owner.live) =>
  api.call({ method: 'PATCH', url: `/v1/qrcodes/${id}`, key, body });
const put = (externalId: string, body: object = {}, key = owner.live) =>
  api.call({
    method: 'PUT',
    url: `/v1/qrcodes/ext:${encodeURIComponent(externalId)}`,
    key,
    body: { ...menu, ...body },
  });
const remove = (id: string) => api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key: owner.live });
const list = (query: string, key = owner.live) => api.call({ url: `/v1/qrcodes?${query}`, key });
const bulkEdit = (body: unknown, key = owner.live) =>
  api.call({ method: 'PATCH', url: '/v1/qrcodes/bulk', key, body });
const tagsOf = async (key = owner.live) => (await api.call({ url: '/v1/tags', key })).body.data;

describe('fields', () => {
  test('tags, note, external id and metadata are stored, and read as they were sent', async () => {
    const given = {
      tags: [' Alpha ', 'beta', 'ALPHA'],
      note: 'A line\nand another',
      external_id: 'order/1 é',
      metadata: { branch: 'Hamburg', 'a.b-c_1': '' },
    };
    const { status, body } = await post(given);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...given, tags: ['Alpha', 'beta'] });
    expect((await get(body.id)).body).toEqual(body);
  });

  test('the first spelling of a tag is that of the whole account', async () => {
    await post({ tags: ['First Spelling'] });
    expect((await post({ tags: ['FIRST spelling'] })).body.tags).toEqual(['First Spelling']);
    const { id } = (await post({})).body;
    expect((await patch(id, { tags: ['first SPELLING', 'other'] })).body.tags).toEqual([
      'First Spelling',
      'other',
    ]);
    expect((await patch(id, { tags: [] })).body.tags).toEqual([]);
  });

  test('metadata is merged, a key with null is removed, and null removes all', async () => {
    const { id } = (await post({ metadata: { a: '1', b: '2' } })).body;
    expect((await patch(id, { metadata: { b: null, c: '3' } })).body.metadata).toEqual({ a: '1', c: '3' });
    expect((await patch(id, { metadata: null })).body.metadata).toEqual({});
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, '']));
    expect((await patch(id, { metadata: many })).status).toBe(200);
    const { status, body } = await patch(id, { metadata: { more: '' } });
    expect([status, body.error.param]).toEqual([400, 'metadata']);
  });

  test.each([
    [{ tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'tags'],
    [{ tags: ['x'.repeat(51)] }, 'tags.0'],
    [{ tags: ['  '] }, 'tags.0'],
    [{ tags: ['a\nb'] }, 'tags.0'],
    [{ tags: ['..'] }, 'tags'],
    [{ note: 'x'.repeat(2001) }, 'note'],
    [{ external_id: '' }, 'external_id'],
    [{ external_id: 'x'.repeat(256) }, 'external_id'],
    [{ external_id: '\t' }, 'external_id'],
    [{ metadata: { 'a b': '' } }, 'metadata'],
    [{ metadata: { a: 'x'.repeat(501) } }, 'metadata.a'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
  ])('%j is refused', async (given, param) => {
    const { status, body } = await post(given);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
  });

  test('an external id is taken by one code of an account and mode, and free again after its deletion', async () => {
    const { id } = (await post({ external_id: 'one' })).body;
    const taken = await post({ external_id: 'one' });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'external_id_taken']);
    const other = (await post({})).body.id;
    expect((await patch(other, { external_id: 'one' })).body.error.code).toBe('external_id_taken');
    expect((await post({ external_id: 'ONE' })).status).toBe(201);
    expect((await post({ external_id: 'one' }, owner.test)).status).toBe(201);
    expect((await post({ external_id: 'one' }, (await api.account()).live)).status).toBe(201);
    await remove(id);
    expect((await post({ external_id: 'one' })).status).toBe(201);
  });

  test('in a bulk call, an external id that is taken or repeated fails alone', async () => {
    await post({ external_id: 'bulk-taken' });
    const items = ['bulk-1', 'bulk-taken', 'bulk-1'].map(external_id => ({ ...menu, external_id }));
    const { body } = await api.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: owner.live,
      body: { items },
    });
    expect(body.data.map((item: { status: string }) => item.status)).toEqual(['created', 'failed', 'failed']);
    expect(body.data[2].error.code).toBe('external_id_taken');
  });

  test('a dry run of a bulk call says what would happen, creates nothing and costs nothing', async () => {
    const { live } = await api.account('free');
    const items = [
      { ...menu, short_code: 'dry-run-1', tags: ['dry'], external_id: 'dry-1' },
      { ...menu, short_code: 'docs' },
      { ...menu, external_id: 'dry-1' },
    ];
    const dry = () =>
      api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: live, body: { items, dry_run: true } });
    for (let n = 0; n < 3; n++) {
      const { status, body } = await dry();
      expect([status, body.dry_run, body.created, body.failed]).toEqual([200, true, 1, 2]);
      expect(body.data.map((item: { error?: { code: string } }) => item.error?.code)).toEqual([
        undefined,
        'reserved_short_code',
        'external_id_taken',
      ]);
    }
    expect((await list('', live)).body.pagination.total).toBe(0);
    expect(await tagsOf(live)).toEqual([]);
    expect((await post({ short_code: 'dry-run-1' }, live)).status).toBe(201);
    expect((await dry()).body.data[0].error.code).toBe('short_code_taken');
  });

  test('each change is in the history, and a deleted code keeps nothing of it', async () => {
    const { id } = (await post({ tags: ['old'], external_id: 'history' })).body;
    await patch(id, { tags: ['new'], note: 'n', external_id: null, metadata: { a: '1' } });
    const rows = await api.api.db.query<{ field: string; before: string; after: string }>(
      sql('history-of-test', 'select field, before, after from code_edits order by id desc limit 4'),
    );
    expect(rows.toReversed()).toEqual([
      { field: 'tags', before: 'old', after: 'new' },
      { field: 'note', before: '', after: 'n' },
      { field: 'external_id', before: 'history', after: '' },
      { field: 'metadata', before: '', after: '{"a":"1"}' },
    ]);
    await patch(id, { external_id: 'history' });
    await remove(id);
    const [tombstone] = await api.api.db.query<object>(
      sql(
        'tombstone-of-test',
        `select note, external_id, metadata, host,
                (select count(*) from code_tags t where t.qr_code_id = c.id) as tags
           from qr_codes c where status = 'deleted' order by updated_at desc limit 1`,
      ),
    );
    expect(tombstone).toEqual({ note: null, external_id: null, metadata: {}, host: null, tags: 0 });
    expect((await tagsOf()).find((tag: { name: string }) => tag.name === 'new').qr_codes).toBe(0);
  });
});

describe('a list', () => {
  test('by ids has those that the account has, in its own order', async () => {
    const [first, second, other] = [await post({}), await post({}), await post({})].map(
      ({ body }) => body.id,
    );
    const { live: stranger } = await api.account();
    const query = [first, second, 'qr_none', 'x'].map(id => `ids=${id}`).join('&');
    const found = (await list(query)).body;
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(found.pagination.total).toBe(2);
    expect((await list('ids=qr_none')).body.data).toEqual([]);
    expect((await list(`${query}&tag=none-of-them`)).body.data).toEqual([]);
    expect((await list(query, stranger)).body.data).toEqual([]);
    const many = Array.from({ length: 101 }, () => `ids=${other}`).join('&');
    expect((await list(many)).body.error.param).toBe('ids');
  });

  test('includes style, rules and placements as the code itself has them, where they are asked for', async () => {
    const rules = [{ name: 'Phones', when: { device: ['ios'] }, to: [{ url: 'https://fine.example/' }] }];
    const { id } = (await post({ style: { dotsColor: '#0B3D2E' }, rules })).body;
    const plain = (await post({})).body.id;
    const url = `/v1/qrcodes/${id}/placements`;
    await api.call({ method: 'POST', url, key: owner.live, body: { key: 'till', name: 'Till', note: 'A' } });
    const ids = `ids=${id}&ids=${plain}`;
    const [, listed] = (await list(`${ids}&include=style,rules,placements`)).body.data;
    const whole = (await get(id)).body;
    expect(whole.placements).toHaveLength(1);
    const { style, rules: saved, placements } = whole;
    expect(listed).toMatchObject({ id, style, rules: saved, placements });
    const [bare] = (await list(`${ids}&include=rules,placements`)).body.data;
    expect(bare).toMatchObject({ id: plain, rules: [], placements: [] });
    for (const item of (await list(`${ids}&include=tags`)).body.data)
      expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['style']));
  });
});

describe('addressing by external id', () => {
  test('works in every path below a code', async () => {
    const { id } = (await post({ external_id: 'a/b c' })).body;
    const path = 'ext:a%2Fb%20c';
    expect((await get(path)).body.id).toBe(id);
    expect((await patch(path, { name: 'Other' })).body).toMatchObject({ id, name: 'Other' });
    expect((await get(`${path}/download`)).status).toBe(200);
    expect((await remove(path)).body).toEqual({ deleted: true, id });
  });

  test('an unknown one is the same 404 as an unknown id', async () => {
    const masked = ({ status, text, headers }: Awaited<ReturnType<typeof get>>) => [
      status,
      text.replaceAll(headers['x-request-id']!, ''),
    ];
    const unknown = masked(await get('qr_01ghhhhhhhhhhhhhhhhhhhhhhh'));
    for (const path of ['ext:none', 'ext:', 'ext:%00', `ext:${'x'.repeat(300)}`])
      expect(masked(await get(path))).toEqual(unknown);
  });
});

describe('upsert', () => {
  test('creates with 201, then updates what it names with 200 and leaves the rest', async () => {
    const made = await put('up-1', { tags: ['a'], note: 'n', metadata: { x: '1' }, status: 'draft' });
    expect([made.status, made.body.external_id, made.body.status]).toEqual([201, 'up-1', 'draft']);
    const changed = await put('up-1', { name: 'New', metadata: { x: null, y: '2' }, status: 'active' });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      id: made.body.id,
      name: 'New',
      tags: ['a'],
      note: 'n',
      metadata: { y: '2' },
      status: 'draft',
    });
  });

  test('a short code or style that differs is refused, and nothing is changed', async () => {
    const style = { dotsColor: '#102030' };
    const { body } = await put('up-2', { short_code: 'Up-Two', style });
    expect(
      (await put('up-2', { short_code: 'up-two', style: { ...style, dotsType: 'square' } })).status,
    ).toBe(200);
    for (const [given, param] of [
      [{ short_code: 'up-three' }, 'short_code'],
      [{ style: { dotsColor: '#102031' } }, 'style'],
    ] as const) {
      const refused = await put('up-2', { name: 'No', ...given });
      expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
        409,
        'immutable_field',
        param,
      ]);
    }
    expect((await get(body.id)).body.name).toBe('Menu');
  });

  test('takes ext: alone, and no external id in the body', async () => {
    const { id } = (await post({})).body;
    const byId = await api.call({ method: 'PUT', url: `/v1/qrcodes/${id}`, key: owner.live, body: menu });
    expect([byId.status, byId.body.error.param]).toEqual([400, 'id']);
    expect((await put('up-3', { external_id: 'other' })).body.error.param).toBe('external_id');
  });

  test('calls at the same time make one code', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => put('up-4', { name: `N${n}` })));
    expect(new Set(replies.map(reply => reply.body.id)).size).toBe(1);
    expect(replies.filter(reply => reply.status === 201)).toHaveLength(1);
  });
});

describe('tags', () => {
  test('are counted, renamed, coloured, merged and deleted', async () => {
    const { live } = await api.account();
    const make = (tags: string[]) => post({ tags }, live);
    await Promise.all([make(['one']), make(['one', 'two']), make(['two']), make(['Three'])]);
    const change = (name: string, body: unknown) =>
      api.call({ method: 'PATCH', url: `/v1/tags/${encodeURIComponent(name)}`, key: live, body });
    expect((await change('ONE', { name: 'Uno', color: 'red' })).body).toEqual({
      name: 'Uno',
      color: 'red',
      qr_codes: 2,
    });
    expect((await change('three', { name: 'THREE' })).body.name).toBe('THREE');
    expect((await change('two', { name: 'uno' })).body).toEqual({ name: 'Uno', color: 'red', qr_codes: 3 });
    expect(await tagsOf(live)).toEqual([
      { name: 'THREE', color: 'gray', qr_codes: 1 },
      { name: 'Uno', color: 'red', qr_codes: 3 },
    ]);
    const gone = await api.call({ method: 'DELETE', url: '/v1/tags/uno', key: live });
    expect(gone.body).toEqual({ deleted: true, name: 'Uno' });
    expect((await api.call({ method: 'DELETE', url: '/v1/tags/uno', key: live })).status).toBe(404);
    expect(
      (await list('include=tags', live)).body.data.flatMap((code: { tags: string[] }) => code.tags),
    ).toEqual(['THREE']);
  });

  test('a merge under concurrent edits loses none', async () => {
    const { live } = await api.account();
    const ids = await Promise.all(
      Array.from(
        { length: 30 },
        async (_, n) => (await post({ tags: [n % 2 ? 'left' : 'right'] }, live)).body.id,
      ),
    );
    const edits = ids.map((id, n) => patch(id, { tags: [n % 2 ? 'left' : 'right', `own ${n}`] }, live));
    const merge = api.call({ method: 'PATCH', url: '/v1/tags/left', key: live, body: { name: 'right' } });
    const replies = await Promise.all([...edits, merge]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    // An edit that named the old tag after the merge has made it again.
    await api.call({ method: 'PATCH', url: '/v1/tags/left', key: live, body: { name: 'right' } });
    for (const [n, id] of ids.entries())
      expect((await get(id, live)).body.tags).toEqual([`own ${n}`, 'right'].toSorted());
    const counts = await tagsOf(live);
    expect(counts.find(({ name }: { name: string }) => name === 'right').qr_codes).toBe(30);
    expect(counts).toHaveLength(31);
  });

  test('of one account and mode are not those of another', async () => {
    await post({ tags: ['mine'] });
    for (const key of [owner.test, (await api.account()).live]) {
      expect((await tagsOf(key)).map(({ name }: { name: string }) => name)).not.toContain('mine');
      const foreign = await api.call({ method: 'DELETE', url: '/v1/tags/mine', key });
      expect(foreign.status).toBe(404);
      expect((await list('tag=mine', key)).body.pagination.total).toBe(0);
    }
  });
});

describe('bulk edit', () => {
  const ids = async (count: number, body: object, key: string) => {
    const items = Array.from({ length: count }, () => ({ ...menu, ...body }));
    const made = await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key, body: { items } });
    return made.body.data.map((item: { qr_code: { id: string } }) => item.qr_code.id) as string[];
  };

  test('of 500 codes by a filter: each has its history row, and a dry run changes nothing', async () => {
    const { live } = await api.account();
    const made = await ids(500, { tags: ['campaign'] }, live);
    const body = {
      filter: { tag: ['campaign'] },
      expected_count: 500,
      set: { destination_url: 'https://example.com/new', tags_add: ['moved'], tags_remove: ['Campaign'] },
    };
    const dry = await bulkEdit({ ...body, dry_run: true }, live);
    expect([dry.body.dry_run, dry.body.updated, dry.body.data[0].qr_code.tags]).toEqual([
      true,
      500,
      ['moved'],
    ]);
    expect((await get(made[0]!, live)).body).toMatchObject({ ...menu, tags: ['campaign'] });
    const done = await bulkEdit(body, live);
    expect([done.status, done.body.updated, done.body.failed]).toEqual([200, 500, 0]);
    const moved = await list('tag=moved&destination_host=example.com&limit=100', live);
    expect(moved.body.pagination.total).toBe(500);
    expect(moved.body.data[0].destination_url).toBe('https://example.com/new');
    const [row] = await api.api.db.query<{ codes: number; edits: number }>(
      sql(
        'edits-of-bulk',
        `select count(distinct qr_code_id) as codes, count(*) as edits from code_edits
          where after in ('https://example.com/new', 'moved')`,
      ),
    );
    expect(row).toEqual({ codes: 500, edits: 1000 });
    expect((await tagsOf(live)).map(({ name, qr_codes }: never) => [name, qr_codes])).toEqual([
      ['campaign', 0],
      ['moved', 500],
    ]);
  });

  test('takes the filters metadata and availability', async () => {
    const { live } = await api.account();
    const [first] = await ids(2, { metadata: { branch: 'bern: old town' } }, live);
    await ids(1, { metadata: { branch: 'bern' } }, live);
    await patch(first!, { expires_at: '2026-01-01T00:00:00Z' }, live);
    const filter = { metadata: ['branch:bern: old town'], availability: 'ended' };
    const { body } = await bulkEdit({ filter, expected_count: 1, set: { note: 'Over' } }, live);
    expect(body.data.map((item: { qr_code: { id: string } }) => item.qr_code.id)).toEqual([first]);
  });

  test('another number of matches than expected answers 409, and nothing is done', async () => {
    const { live } = await api.account();
    const made = await ids(3, { tags: ['few'] }, live);
    await patch(made[0]!, { tags: [] }, live);
    const refused = await bulkEdit(
      { filter: { tag: ['few'] }, expected_count: 3, set: { active: false } },
      live,
    );
    expect([refused.status, refused.body.error.code]).toEqual([409, 'count_changed']);
    expect((await list('status=paused', live)).body.pagination.total).toBe(0);
  });

  test('an edit between the look-up and the lock is seen', async () => {
    const { live } = await api.account();
    const made = await ids(20, { tags: ['race'] }, live);
    const rounds = await Promise.all([
      ...made.slice(0, 5).map(id => patch(id, { tags: [] }, live)),
      bulkEdit({ filter: { tag: ['race'] }, expected_count: 20, set: { active: false } }, live),
    ]);
    const { paused } = { paused: (await list('status=paused', live)).body.pagination.total };
    expect(rounds.at(-1)!.status === 200 ? paused === 20 : paused === 0).toBe(true);
  });

  test('replaces a text in destinations, and refuses only codes that would lead nowhere', async () => {
    const { live } = await api.account();
    const urls = ['https://old.example/a?x=old', 'https://other.example/', 'https://old.example/b'];
    const made: string[] = [];
    for (const destination_url of urls) made.push((await post({ destination_url }, live)).body.id);
    const edit = (destination_replace: object, more: object = {}) =>
      bulkEdit({ ids: made, expected_count: 3, set: { destination_replace }, ...more }, live);
    const destinations = async () =>
      Promise.all(made.map(async id => (await get(id, live)).body.destination_url));

    const dry = await edit({ find: 'old.example', replace: 'new.example' }, { dry_run: true });
    const after = dry.body.data.map((item: { qr_code: { destination_url: string } }) => item.qr_code);
    expect(after.map((code: { destination_url: string }) => code.destination_url)).toEqual([
      'https://new.example/a?x=old',
      'https://other.example/',
      'https://new.example/b',
    ]);
    expect(await destinations()).toEqual(urls);

    const before = (await get(made[1]!, live)).body.updated_at;
    expect((await edit({ find: 'old', replace: 'a b' })).body).toMatchObject({ updated: 1, failed: 2 });
    expect(await destinations()).toEqual(urls);
    expect((await edit({ find: 'old', replace: '$&' })).body).toMatchObject({ updated: 3, failed: 0 });
    expect((await destinations())[2]).toBe('https://$&.example/b');
    expect((await edit({ find: '$&', replace: 'new' })).body).toMatchObject({ updated: 3, failed: 0 });
    expect(await destinations()).toEqual(['https://new.example/a?x=new', urls[1], 'https://new.example/b']);
    expect((await get(made[1]!, live)).body.updated_at).toBe(before);

    await api.api.db.query(
      sql(
        'block-for-test',
        `insert into blocked_hosts (host, reason, created_at) values ('evil.example', 'Phishing', now())`,
      ),
    );
    const evil = await edit({ find: 'new.example', replace: 'www.evil.example' });
    expect(evil.body).toMatchObject({ updated: 1, failed: 2 });
    expect(evil.body.data[0].error.code).toBe('destination_blocked');

    const long = await edit({ find: 'e', replace: 'e'.repeat(500) });
    expect(long.body.data[0].error.code).toBe('invalid_url');
    const scheme = await edit({ find: 'https', replace: 'javascript' });
    expect(scheme.body.data[0].error.code).toBe('invalid_url');
    const both = { destination_replace: { find: 'a', replace: 'b' }, destination_url: menu.destination_url };
    expect((await bulkEdit({ ids: made, set: both }, live)).body.error.code).toBe('invalid_request');
  });

  test('codes fail on their own, and counts follow', async () => {
    const { live } = await api.account();
    const [draft] = await ids(1, { status: 'draft' }, live);
    const [active] = await ids(1, {}, live);
    const { body } = await bulkEdit({ ids: [draft, active, 'qr_x'], set: { active: false } }, live);
    expect(body.data.map((item: { status: string }) => item.status)).toEqual(['failed', 'updated', 'failed']);
    expect(body.data.map((item: { error?: { code: string } }) => item.error?.code)).toEqual([
      'invalid_transition',
      undefined,
      'not_found',
    ]);
    expect((await list('status=paused', live)).body.pagination.total).toBe(1);
    expect((await list('', live)).body.pagination.total).toBe(2);
  });

  test('more than 500 matches are refused', async () => {
    const { live } = await api.account();
    await ids(500, {}, live);
    await ids(1, {}, live);
    const all = { filter: {}, expected_count: 501, set: { active: false } };
    expect((await bulkEdit(all, live)).body.error.code).toBe('too_many_codes');
  });

  test('codes weigh in the creation limit, except in a dry run', async () => {
    const { live } = await api.account('free');
    const made = await ids(100, {}, live);
    const edit = (dry_run: boolean) => bulkEdit({ ids: made, set: { note: 'n' }, dry_run }, live);
    for (let n = 0; n < 4; n++) expect((await edit(n === 0)).status).toBe(200);
    expect((await edit(true)).status).toBe(200);
    expect((await edit(false)).status).toBe(200);
    expect((await edit(false)).body.error.code).toBe('rate_limit_exceeded');
  });

  test('bulk delete takes what is expected or nothing, and a dry run nothing', async () => {
    const { live } = await api.account();
    const made = await ids(3, { tags: ['gone'] }, live);
    const drop = (body: object) =>
      api.call({
        method: 'POST',
        url: '/v1/qrcodes/bulk-delete',
        key: live,
        body: { ids: [...made, 'qr_x'], ...body },
      });
    expect((await drop({ expected_count: 4 })).body.error.code).toBe('count_changed');
    expect((await drop({ expected_count: 3, dry_run: true })).body).toMatchObject({ deleted: 3, failed: 1 });
    expect((await list('', live)).body.pagination.total).toBe(3);
    expect((await drop({ expected_count: 3 })).body).toMatchObject({ dry_run: false, deleted: 3, failed: 1 });
    expect((await list('', live)).body.pagination.total).toBe(0);
    expect((await tagsOf(live))[0].qr_codes).toBe(0);
  });
});

test('the account shows its plan, every limit, what is used and whether it is suspended', async () => {
  const { id, live, test: testKey } = await api.account('pro');
  await post({ tags: ['a', 'b'] }, live);
  expect((await api.call({ url: '/v1/account', key: live })).body).toEqual({
    id: formatId('acct', id),
    name: expect.any(String),
    plan: 'pro',
    suspension: null,
    mode: 'live',
    limits: {
      requests_per_minute: 60,
      qr_codes: 50,
      new_qr_codes_per_minute: 1000,
      tags: 10_000,
      rules_per_qr_code: 50,
      placements_per_qr_code: 1000,
      designs: 100,
      asset_bytes: expect.any(Number),
      webhooks: 10,
      share_links: 100,
      members: 3,
    },
    used: { qr_codes: 1, tags: 2, members: 0 },
  });
  expect((await api.call({ url: '/v1/account', key: testKey })).body).toMatchObject({
    mode: 'test',
    used: { qr_codes: 0, tags: 0 },
  });
  await api.admin('suspend-account', formatId('acct', id), '--reason', 'Phishing');
  expect((await api.call({ url: '/v1/account', key: live })).body.suspension).toEqual({
    reason: expect.stringContaining('Phishing'),
    suspended_at: expect.any(String),
  });
});

test('owners and admins are mailed once when more than 20 codes lead elsewhere or are deleted within minutes', async () => {
  const { db } = api.api;
  const account = await api.account();
  const add = async (role: Role) => {
    const email = `${randomUUID()}@example.com`;
    await api.admin('create-user', email, '--account', formatId('acct', account.id), '--role', role);
    return email;
  };
  const people = [await add('owner'), await add('admin')];
  await add('editor');
  await add('viewer');
  const mailsOf = (kind: string) => people.map(email => `${email} ${kind} 21`).sort();
  const mailed: string[] = [];
  const job = massChangeMailJob(db, {
    massChange: (to, kind, codes) => mailed.push(`${to.email} ${kind} ${codes}`),
  });
  const run = () => job.run(new AbortController().signal);
  const items = Array.from({ length: 21 }, () => menu);
  const made = await api.call({
    method: 'POST',
    url: '/v1/qrcodes/bulk',
    key: account.live,
    body: { items },
  });
  const ids = made.body.data.map((item: { qr_code: { id: string } }) => item.qr_code.id);
  const move = (to: string, some: string[]) =>
    bulkEdit({ ids: some, set: { destination_url: `https://example.com/${to}` } }, account.live);
  await move('a', ids.slice(0, 20));
  await run();
  expect(mailed).toEqual([]);
  await patch(ids[20], { destination_url: 'https://example.com/b' }, account.live);
  await Promise.all([run(), run()]);
  expect(mailed.splice(0).sort()).toEqual(mailsOf('destination'));
  await move('c', ids);
  await run();
  expect(mailed).toEqual([]);
  const remove = (some: string[]) =>
    api.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk-delete',
      key: account.live,
      body: { ids: some, expected_count: some.length },
    });
  await api.call({ method: 'DELETE', url: `/v1/qrcodes/${ids[0]}`, key: account.live });
  await remove(ids.slice(1, 20));
  await run();
  expect(mailed).toEqual([]);
  await remove(ids.slice(20));
  await Promise.all([run(), run()]);
  expect(mailed.sort()).toEqual(mailsOf('deletion'));
});
