import { randomUUID } from 'node:crypto';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { formatId, parseId } from '../../kernel/ids.ts';
import { createEvidenceCleanup } from '../../moderation/evidence.ts';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;
let owner: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  [owner, other] = [await api.account(), await api.account()];
});
afterAll(() => api.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const post = (short_code: string, more: object = {}, key = owner.live) =>
  api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { ...menu, short_code, ...more } });
const reclaim = (short_code: string, key = owner.live) => post(short_code, { reclaim: true }, key);
const remove = (id: string, key = owner.live) =>
  api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key });
const bulk = (body: object) => api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: owner.live, body });
const image = async (id: string) => (await api.call({ url: `/images/${id}/public` })).status;

/** A code that was created and deleted; its id. */
async function deleted(short_code: string, more: object = {}): Promise<string> {
  const { status, body } = await post(short_code, more);
  expect(status).toBe(201);
  expect((await remove(body.id)).status).toBe(200);
  return body.id;
}

/** A refusal without what differs between any two answers. */
const shown = ({ status, body }: { status: number; body: object }, short_code: string) => [
  status,
  JSON.stringify(body)
    .replaceAll(short_code, 'CODE')
    .replace(/"request_id":"[^"]+"/, ''),
];

/** Refused with the answer for a short code that is in use, whoever asks. */
async function expectTaken(short_code: string): Promise<void> {
  const inUse = `in-use-${randomUUID().slice(0, 8)}`;
  expect((await post(inUse, {}, other.live)).status).toBe(201);
  const taken = shown(await reclaim(inUse), inUse);
  expect(taken[0]).toBe(409);
  expect(shown(await reclaim(short_code), short_code)).toEqual(taken);
  expect(shown(await post(short_code), short_code)).toEqual(taken);
  expect(shown(await reclaim(short_code, other.live), short_code)).toEqual(taken);
}

test('the account that deleted a short code uses it again, in any case of letters, for a new code without scans', async () => {
  const old = await deleted('Spring');
  expect(await image(old)).toBe(410);
  const hint = await post('spring');
  expect(hint).toMatchObject({
    status: 409,
    body: { error: { code: 'short_code_taken', param: 'short_code', reclaimable: true } },
  });
  expect(hint.body.error.message).toContain('reclaim: true');
  const { status, body } = await reclaim('SPRING');
  expect([status, body.short_code, body.total_scans, body.revision]).toEqual([201, 'SPRING', 0, 0]);
  expect(body.id).not.toBe(old);
  expect([await image(old), await image(body.id)]).toEqual([404, 200]);
  for (const method of ['GET', 'DELETE'] as const)
    expect((await api.call({ method, url: `/v1/qrcodes/${old}`, key: owner.live })).status).toBe(404);
  const { body: list } = await api.call({ url: '/v1/qrcodes', key: owner.live });
  expect([list.pagination.total, list.data[0].id]).toEqual([1, body.id]);
  // It is in use now, and after another deletion it is free for its account again.
  expect((await reclaim('spring')).body.error).not.toHaveProperty('reclaimable');
  expect((await remove(body.id)).status).toBe(200);
  expect((await reclaim('spring')).status).toBe(201);
});

test('any other account gets the answer for a short code in use, with reclaim and without', async () => {
  await post('theirs-in-use');
  await deleted('theirs-deleted');
  for (const ask of [post, reclaim] as const) {
    const answers = await Promise.all(
      ['theirs-in-use', 'theirs-deleted'].map(async name =>
        shown(await (ask === post ? post(name, {}, other.live) : reclaim(name, other.live)), name),
      ),
    );
    expect(answers[0]![0]).toBe(409);
    expect(answers[1]).toEqual(answers[0]);
  }
  expect((await reclaim('theirs-deleted')).status).toBe(201);
});

test('50 in parallel make one code', async () => {
  await deleted('fifty');
  const answers = await Promise.all(Array.from({ length: 50 }, () => reclaim('fifty')));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.error?.code === 'short_code_taken')).toHaveLength(49);
});

test('in bulk, with atomic, by PUT and as a draft', async () => {
  for (const name of ['bulk-1', 'bulk-2', 'atomic-1', 'by-put', 'draft-1']) await deleted(name);
  await post('not-mine', {}, other.live);
  const item = (short_code: string, more: object = { reclaim: true }) => ({ ...menu, short_code, ...more });
  const some = await bulk({ items: [item('bulk-1'), item('bulk-2', {}), item('not-mine'), item('fresh-1')] });
  expect(some.body).toMatchObject({ created: 2, failed: 2 });
  expect(some.body.data.map((one: { status: string }) => one.status)).toEqual([
    'created',
    'failed',
    'failed',
    'created',
  ]);
  expect(some.body.data[1].error).toMatchObject({ code: 'short_code_taken', reclaimable: true });
  expect(some.body.data[2].error).not.toHaveProperty('reclaimable');
  const none = await bulk({ atomic: true, items: [item('atomic-1'), item('not-mine'), item('bulk-2', {})] });
  expect(none.status).toBe(400);
  expect(none.body.error.errors).toMatchObject([
    { index: 1, code: 'short_code_taken' },
    { index: 2, code: 'short_code_taken', reclaimable: true },
  ]);
  expect((await bulk({ atomic: true, items: [item('atomic-1'), item('bulk-2')] })).body.created).toBe(2);
  const put = await api.call({
    method: 'PUT',
    url: '/v1/qrcodes/ext:table-1',
    key: owner.live,
    body: item('by-put'),
  });
  expect([put.status, put.body.short_code]).toEqual([201, 'by-put']);
  expect((await post('draft-1', { reclaim: true, status: 'draft' })).status).toBe(201);
});

test('a reclaim that is refused for another reason changes nothing', async () => {
  const id = await deleted('stays');
  await api.admin('block-host', 'not-there.example');
  const blocked = await post('stays', { reclaim: true, destination_url: 'https://not-there.example/' });
  expect(blocked.body.error.code).toBe('destination_blocked');
  expect(await image(id)).toBe(410);
  expect((await reclaim('stays')).status).toBe(201);
});

const age = sql(
  'test-age-evidence',
  `update suspensions set deleted_at = deleted_at - interval '91 days' where qr_code_id = $1`,
);

test('not where the deleted code was suspended, for 90 days', async () => {
  const { body } = await post('bad-1');
  await api.admin('suspend-code', 'bad-1', '--reason', 'Phishing');
  expect((await remove(body.id)).status).toBe(200);
  await expectTaken('bad-1');
  const { db } = api.api;
  const clean = createEvidenceCleanup(db, systemClock);
  await clean.run(new AbortController().signal);
  await expectTaken('bad-1');
  await db.query(age, [parseId('qr', body.id)]);
  await clean.run(new AbortController().signal);
  expect((await reclaim('bad-1')).status).toBe(201);
});

test('not where a host of its targets was blocked, or is on a rule only', async () => {
  const rules = [{ when: { language: ['de'] }, to: [{ url: 'https://shop.blocked-later.example/' }] }];
  const { body } = await post('bad-2', { rules });
  await api.admin('block-host', 'blocked-later.example');
  expect((await remove(body.id)).status).toBe(200);
  await expectTaken('bad-2');
});

test('not where its account was suspended, also after the release', async () => {
  const { body } = await post('bad-3');
  const early = await deleted('before-3');
  const account = formatId('acct', owner.id);
  await api.admin('suspend-account', account, '--reason', 'Spam');
  expect((await remove(body.id)).status).toBe(200);
  expect((await reclaim('before-3')).status).toBe(403);
  await api.admin('release-account', account);
  await expectTaken('bad-3');
  expect(await image(early)).toBe(410);
  expect((await reclaim('before-3')).status).toBe(201);
});

const report = sql(
  'test-report',
  'insert into reports (id, qr_code_id, account_id, count, first_at, last_at) values ($1, $2, $3, 1, now(), now())',
);
const closeReport = sql('test-close-report', 'update reports set closed_at = now() where qr_code_id = $1');

test('not while somebody has reported the deleted code and no operator has looked at it', async () => {
  const uuid = parseId('qr', await deleted('reported'));
  await api.api.db.query(report, [randomUUID(), uuid, owner.id]);
  await expectTaken('reported');
  await api.api.db.query(closeReport, [uuid]);
  expect((await reclaim('reported')).status).toBe(201);
});
