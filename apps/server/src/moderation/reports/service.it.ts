import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds, parseId, type Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { ReportedCode } from './report.ts';
import { createReports } from './service.ts';

let api: TestApi;
let db: Database;
let owner: TestAccount;
beforeAll(async () => {
  api = await createTestApi();
  ({ db } = api.api);
  owner = await api.account();
});
afterAll(() => api.close());

let now = new Date('2026-11-01T00:00:00Z');
const reports = createReports({ ids: createIds(systemClock), clock: { now: () => now } });

async function makeCode(): Promise<ReportedCode> {
  const body = { name: 'x', destination_url: 'https://example.com' };
  const made = await api.call({ method: 'POST', url: '/v1/qrcodes', key: owner.live, body });
  return { qrCodeId: parseId('qr', made.body.id)!, accountId: owner.id };
}

const page = { page: 1, limit: 20 };
const lineOf = async (state: 'open' | 'closed', { qrCodeId }: ReportedCode) =>
  (await reports.list(db, state, { page: 1, limit: 100 })).items.find(report => report.qrCodeId === qrCodeId);

test('reports of one code are one line; one that comes for a closed line opens it again', async () => {
  const code = await makeCode();
  const before = await reports.countOpenForAccount(db, owner.id);
  await reports.add(db, code, { kind: 'scam', text: 'first' });
  now = new Date(now.getTime() + 1000);
  await reports.add(db, code, { kind: 'other', text: 'second' });
  const line = await lineOf('open', code);
  expect(line).toMatchObject({ count: 2, closedAt: null, lastAt: now, accountId: owner.id });
  expect(line!.messages.map(({ kind, text }) => [kind, text])).toEqual([
    ['other', 'second'],
    ['scam', 'first'],
  ]);
  expect(line!.messages[0]!.at).toEqual(now);
  expect(await reports.countOpenForAccount(db, owner.id)).toBe(before + 1);
  expect(await reports.close(db, line!.id)).toMatchObject({ count: 2, closedAt: now });
  expect(await reports.countOpenForAccount(db, owner.id)).toBe(before);
  const closedAt = now;
  now = new Date(now.getTime() + 1000);
  expect(await reports.close(db, line!.id)).toMatchObject({ closedAt });
  expect(await lineOf('open', code)).toBeUndefined();
  expect(await lineOf('closed', code)).toMatchObject({ id: line!.id });
  await reports.add(db, code, { kind: 'scam', text: '' });
  expect(await lineOf('open', code)).toMatchObject({ id: line!.id, count: 3, closedAt: null });
  expect(await reports.close(db, parseId('rep', 'rep_00000000000000000000000000')!)).toBeNull();
});

test('lists go page by page, the last one reported first', async () => {
  const codes: Uuid[] = [];
  for (let i = 0; i < 3; i++) {
    const code = await makeCode();
    now = new Date(now.getTime() + 1000);
    await reports.add(db, code, { kind: 'scam', text: '' });
    codes.unshift(code.qrCodeId);
  }
  const { items, total } = await reports.list(db, 'open', page);
  expect(items.slice(0, 3).map(({ qrCodeId }) => qrCodeId)).toEqual(codes);
  const second = await reports.list(db, 'open', { page: 2, limit: 1 });
  expect([second.items.map(({ qrCodeId }) => qrCodeId), second.total]).toEqual([[codes[1]], total]);
});

test('of one code 100 texts are kept and 20 are shown, however many come at once', async () => {
  const code = await makeCode();
  for (let round = 0; round < 12; round++)
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => {
        now = new Date(now.getTime() + 1);
        return reports.add(db, code, { kind: 'scam', text: `${round} ${i}` });
      }),
    );
  const line = await lineOf('open', code);
  expect([line!.count, line!.messages.length]).toEqual([120, 20]);
  const [kept] = await db.query<{ count: number }>(
    sql('count-kept-texts', 'select count(*) from report_messages where report_id = $1'),
    [line!.id],
  );
  expect(kept!.count).toBe(100);
  expect(line!.messages.every(({ text }) => /^1[01] /.test(text))).toBe(true);
});

test('what is 180 days old is removed, texts each at their time', async () => {
  const [old, live] = [await makeCode(), await makeCode()];
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  now = daysAgo(181);
  await reports.add(db, old, { kind: 'scam', text: 'old' });
  await reports.add(db, live, { kind: 'scam', text: 'old' });
  now = daysAgo(179);
  await reports.add(db, live, { kind: 'scam', text: 'young' });
  expect(await reports.removeOld(db)).toBe(1);
  expect(await lineOf('open', old)).toBeUndefined();
  const left = await lineOf('open', live);
  expect([left!.count, left!.messages.map(({ text }) => text)]).toEqual([2, ['young']]);
});

test('the chore of the API removes old reports', async () => {
  const code = await makeCode();
  now = new Date(Date.now() - 181 * 86_400_000);
  await reports.add(db, code, { kind: 'scam', text: 'old' });
  const other = await createTestApi({ DATABASE_URL: api.config.databaseUrl });
  await expect.poll(() => lineOf('open', code), { timeout: 10_000 }).toBeUndefined();
  await other.close();
});
