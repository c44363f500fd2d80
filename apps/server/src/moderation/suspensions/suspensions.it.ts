import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds, formatId, parseId, type Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { deleteCodes } from '../../qrcodes/edits/deletion.ts';
import type { StopChange } from '../../redirect/changes/stops/stop.ts';
import { createEvidenceCleanup } from '../evidence.ts';
import { createSuspensions } from './service.ts';
import type { AccountChange, ReleasedCode, SuspendedCode } from './suspension.ts';

let api: TestApi;
let db: Database;
let owner: TestAccount;

/** What was told to whom, in order. */
const told: (readonly string[] | readonly StopChange[] | Uuid)[] = [];
let announced: SuspendedCode[] = [];
let released: ReleasedCode[] = [];
const accounts: (readonly ['suspended' | 'released', AccountChange])[] = [];
const since = () => told.splice(0);

const suspensions = createSuspensions({
  ids: createIds(systemClock),
  clock: systemClock,
  redirects: {
    invalidate: async keys => void told.push(keys),
    notify: async changes => void told.push(changes),
  },
  invalidateKeys: async accountId => void told.push(accountId),
  publisher: {
    suspended: async (_tx, codes) => void announced.push(...codes),
    released: async (_tx, codes) => void released.push(...codes),
    accountSuspended: async (_tx, account) => void accounts.push(['suspended', account]),
    accountReleased: async (_tx, account) => void accounts.push(['released', account]),
  },
});

beforeAll(async () => {
  api = await createTestApi();
  db = api.api.db;
  owner = await api.account();
});
afterAll(() => api.close());

const create = async (destination_url: string, more: object = {}, key = owner.live) => {
  const body = { name: 'x', destination_url, ...more };
  const made = await api.call({ method: 'POST', url: '/v1/qrcodes', key, body });
  expect(made.status).toBe(201);
  return { ...made.body, uuid: parseId('qr', made.body.id)! };
};
const remove = (id: string, key = owner.live) =>
  api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key });
const live = () => ({ accountId: owner.id, mode: 'live' as const });
const stopOf = async (accountId: Uuid) =>
  (
    await db.query<{ reason: string | null }>(sql('stop-of', 'select reason from stops where subject = $1'), [
      `account/${accountId}`,
    ])
  )[0]?.reason ?? null;
const changesOf = async (key: string) =>
  (await db.query(sql('changes-of', 'select n from link_changes where key = $1'), [key])).length;

describe('a suspended code', () => {
  test('is told to redirects after the commit, has its reason and URL, and can be released', async () => {
    const code = await create('https://bad.example/login', { short_code: 'Sus-1' });
    announced = [];
    released = [];
    since();
    const suspension = await suspensions.suspendCode(db, { name: 'SUS-1' }, 'Phishing');
    expect(suspension).toMatchObject({
      code: { id: code.uuid, shortCode: 'Sus-1', name: 'x' },
      account: { id: owner.id, suspended: false },
      cause: 'operator',
      reason: 'Phishing',
      url: 'https://bad.example/login',
      releasedAt: null,
      appeal: null,
    });
    expect(since()).toEqual([['sus-1']]);
    expect(announced).toMatchObject([
      { qrCodeId: code.uuid, accountId: owner.id, mode: 'live', reason: 'Phishing' },
    ]);
    // Where redirects could not be told, the same command tells them.
    expect(await suspensions.suspendCode(db, { id: code.uuid }, 'Again')).toEqual(suspension);
    expect(since()).toEqual([['sus-1']]);
    expect(announced.length).toBe(1);
    const { releasedAt } = await suspensions.release(db, suspension.id);
    expect(released).toMatchObject([{ qrCodeId: code.uuid, accountId: owner.id, mode: 'live', releasedAt }]);
    expect(since()).toEqual([['sus-1']]);
    await expect(suspensions.release(db, suspension.id)).rejects.toThrow(/already released/);
    await expect(suspensions.releaseCode(db, { id: code.uuid })).rejects.toThrow(/is not suspended/);
  });

  test('writes down that redirects are to be told, and neither where the transaction fails', async () => {
    const { uuid } = await create('https://bad.example', { short_code: 'sus-2' });
    since();
    const failing = db.transaction(async tx => {
      await suspensions.suspendCode(tx, { id: uuid }, 'x');
      expect(await changesOf('sus-2')).toBe(0);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(since()).toEqual([]);
    await db.transaction(async tx => {
      await suspensions.suspendCode(tx, { id: uuid }, 'x');
      const rows = await tx.query(sql('own-changes-of', 'select n from link_changes where key = $1'), [
        'sus-2',
      ]);
      expect(rows.length).toBe(1);
      expect(since()).toEqual([]);
    });
    expect(since()).toEqual([['sus-2']]);
  });

  test('is announced as released with the last of its own suspensions, whatever its account is', async () => {
    const bad = await api.account();
    const code = await create('https://twice.example/x', {}, bad.live);
    released = [];
    await suspensions.suspendCode(db, { id: code.uuid }, 'x');
    await api.admin('block-host', 'twice.example');
    await suspensions.suspendAccount(db, bad.id, 'y');
    await api.admin('unblock-host', 'twice.example');
    expect(released).toEqual([]);
    await suspensions.releaseCode(db, { id: code.uuid });
    expect(released.map(({ qrCodeId }) => qrCodeId)).toEqual([code.uuid]);
    await suspensions.releaseAccount(db, bad.id);
    expect(accounts.splice(0).map(([what]) => what)).toEqual(['suspended', 'released']);
  });

  test('is refused where there is none, or it was deleted', async () => {
    const code = await create('https://bad.example', { short_code: 'sus-gone' });
    await remove(code.id);
    await expect(suspensions.suspendCode(db, { name: 'sus-gone' }, 'x')).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    await expect(suspensions.suspendCode(db, { name: 'never' }, 'x')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('stays suspended through edits, and is not released while its host is blocked', async () => {
    const code = await create('https://held-back.example/a');
    await api.admin('block-host', 'held-back.example');
    const open = await suspensions.list(db, { page: 1, limit: 100 }, 'open');
    const { id } = open.items.find(item => item.code?.id === code.uuid)!;
    for (const release of [
      () => suspensions.release(db, id),
      () => suspensions.releaseCode(db, { id: code.uuid }),
    ])
      await expect(release()).rejects.toThrow(
        /held-back\.example, which is blocked. It can be released once/,
      );
    const body = { destination_url: 'https://fine.example' };
    const edit = await api.call({ method: 'PATCH', url: `/v1/qrcodes/${code.id}`, key: owner.live, body });
    expect(edit.status).toBe(200);
    expect(await suspensions.ofCode(db, live(), code.uuid)).not.toBeNull();
    await suspensions.releaseCode(db, { id: code.uuid });
    expect(await suspensions.ofCode(db, live(), code.uuid)).toBeNull();
    await api.admin('unblock-host', 'held-back.example');
  });

  test('shows its owner why and takes an appeal, which a later one replaces; others see nothing', async () => {
    const code = await create('https://bad.example');
    expect(await suspensions.ofCode(db, live(), code.uuid)).toBeNull();
    await expect(suspensions.appealCode(db, live(), code.uuid, 'No')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('not suspended'),
    });
    await suspensions.suspendCode(db, { id: code.uuid }, 'Reported');
    expect(await suspensions.appealCode(db, live(), code.uuid, 'A mistake')).toMatchObject({
      reason: 'Reported',
      appeal: { text: 'A mistake' },
    });
    await suspensions.appealCode(db, live(), code.uuid, 'It is gone now');
    expect(await suspensions.ofCode(db, live(), code.uuid)).toMatchObject({
      appeal: { text: 'It is gone now' },
    });
    const appealed = await suspensions.list(db, { page: 1, limit: 100 }, 'appealed');
    expect(appealed.items.map(item => item.code?.id)).toContain(code.uuid);
    for (const stranger of [
      { accountId: (await api.account()).id, mode: 'live' as const },
      { accountId: owner.id, mode: 'test' as const },
    ])
      await expect(suspensions.ofCode(db, stranger, code.uuid)).rejects.toMatchObject({ code: 'not_found' });
    await suspensions.releaseCode(db, { id: code.uuid });
    const released = await suspensions.list(db, { page: 1, limit: 1 }, 'released');
    expect(released.items[0]).toMatchObject({ code: { id: code.uuid }, appeal: { text: 'It is gone now' } });
    expect(released.total).toBeGreaterThan(1);
  });
});

describe('a suspended account', () => {
  test('is one stop for redirects and is forgotten by the API, and both again when it is released', async () => {
    const bad = await api.account();
    since();
    const suspension = await suspensions.suspendAccount(db, bad.id, 'Spam');
    expect(suspension).toMatchObject({
      code: null,
      account: { id: bad.id, suspended: true },
      reason: 'Spam',
    });
    const subject = `account/${bad.id}`;
    const stopped = [{ subject, reason: 'suspended', n: expect.any(Number) }];
    expect(since()).toEqual([bad.id, stopped]);
    expect(await suspensions.suspendAccount(db, bad.id, 'Again')).toEqual(suspension);
    expect(since()).toEqual([bad.id, stopped]);
    expect(await suspensions.appealAccount(db, bad.id, 'Please')).toMatchObject({
      appeal: { text: 'Please' },
    });
    expect(await suspensions.ofAccount(db, bad.id)).toMatchObject({ reason: 'Spam' });
    await suspensions.release(db, suspension.id);
    expect(since()).toEqual([bad.id, [{ subject, reason: null, n: expect.any(Number) }]]);
    const announcement = { accountId: bad.id, reason: 'Spam', at: expect.any(Date) };
    expect(accounts.splice(0)).toEqual([
      ['suspended', announcement],
      ['released', announcement],
    ]);
    expect(await suspensions.ofAccount(db, bad.id)).toBeNull();
    await expect(suspensions.appealAccount(db, bad.id, 'Please')).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(suspensions.releaseAccount(db, bad.id)).rejects.toThrow(/is not suspended/);
    await suspensions.suspendAccount(db, bad.id, 'Once more');
    await suspensions.releaseAccount(db, bad.id);
    expect(await stopOf(bad.id)).toBeNull();
  });

  test('is not one with an operator, nor one that is closed or never was', async () => {
    await api.admin('create-user', 'runs-this@people.example', '--operator');
    const [row] = await db.query<{ account_id: Uuid }>(
      sql(
        'account-of-operator',
        'select m.account_id from members m join operators o on o.user_id = m.user_id limit 1',
      ),
    );
    await expect(suspensions.suspendAccount(db, row!.account_id, 'x')).rejects.toMatchObject({
      code: 'invalid_transition',
      message: expect.stringContaining('set-operator runs-this@people.example off'),
    });
    const closed = await api.account();
    await api.admin('close-account', formatId('acct', closed.id), '--yes');
    await expect(suspensions.suspendAccount(db, closed.id, 'x')).rejects.toThrow(/is closed/);
    const nobody = createIds(systemClock).next();
    await expect(suspensions.suspendAccount(db, nobody, 'x')).rejects.toMatchObject({ code: 'not_found' });
  });
});

type EvidenceRow = {
  cause: string;
  reason: string;
  url: string;
  deleted_at: Date | null;
  evidence: Record<string, unknown> | null;
};
const rowsOf = (id: Uuid) =>
  db.query<EvidenceRow>(sql('rows-of-code', 'select * from suspensions where qr_code_id = $1'), [id]);

describe('evidence', () => {
  test('of a suspended code that is deleted stays with the suspension: where it led, when, and who made it', async () => {
    const code = await create('https://first.example', { name: 'Menu', short_code: 'Proof-1' });
    const body = { destination_url: 'https://second.example' };
    await api.call({ method: 'PATCH', url: `/v1/qrcodes/${code.id}`, key: owner.live, body });
    await suspensions.suspendCode(db, { id: code.uuid }, 'Phishing');
    expect((await remove(code.id)).status).toBe(200);
    expect(await rowsOf(code.uuid)).toMatchObject([
      {
        reason: 'Phishing',
        deleted_at: expect.any(Date),
        evidence: {
          short_code: 'Proof-1',
          name: 'Menu',
          destination_url: 'https://second.example',
          targets: [
            { kind: 'default', url: 'https://second.example', removed_at: null },
            { kind: 'default', url: 'https://first.example', removed_at: expect.any(String) },
          ],
          made_by: 'api',
          maker: `…${owner.live.slice(-4)}`,
        },
      },
    ]);
    const who = await api.admin('who', 'proof-1');
    expect(who).toContain('was deleted');
    expect(who).toContain('https://first.example');
    const open = await suspensions.list(db, { page: 1, limit: 100 }, 'open');
    expect(open.items.map(item => item.code?.id)).not.toContain(code.uuid);
  });

  test('of a code in a suspended account is kept with a row of its own', async () => {
    const bad = await api.account();
    const code = await create('https://farm.example', {}, bad.live);
    await suspensions.suspendAccount(db, bad.id, 'A farm');
    await deleteCodes(db, { accountId: bad.id, mode: 'live' }, [code.uuid], new Date());
    expect(await rowsOf(code.uuid)).toMatchObject([
      { cause: 'operator', reason: 'A farm', url: 'https://farm.example', deleted_at: expect.any(Date) },
    ]);
  });

  test('of a code that is deleted right after its host was blocked is kept, though it was not yet marked', async () => {
    const codes = [await create('https://www.quick.example/login'), await create('https://notquick.example')];
    await db.query(
      sql(
        'block-unmarked',
        `insert into blocked_hosts (host, reason, created_at) values ('quick.example', 'for operators', now())`,
      ),
    );
    for (const { id } of codes) expect((await remove(id)).status).toBe(200);
    expect(await rowsOf(codes[0]!.uuid)).toMatchObject([
      {
        cause: 'host',
        reason: 'It leads to quick.example, which is blocked on this service.',
        evidence: { destination_url: 'https://www.quick.example/login' },
      },
    ]);
    expect(await rowsOf(codes[1]!.uuid)).toEqual([]);
  });

  test('of a suspended account that is closed is kept, and nothing else of it stays', async () => {
    const bad = await api.account();
    const codes = [
      await create('https://closed.example/1', {}, bad.live),
      await create('https://closed.example/2', {}, bad.test),
    ];
    await suspensions.suspendCode(db, { id: codes[0]!.uuid }, 'This one');
    await suspensions.suspendAccount(db, bad.id, 'All of it');
    await api.admin('close-account', formatId('acct', bad.id), '--yes');
    expect(await rowsOf(codes[0]!.uuid)).toMatchObject([
      { reason: 'This one', evidence: { destination_url: 'https://closed.example/1' } },
    ]);
    expect(await rowsOf(codes[1]!.uuid)).toMatchObject([
      { reason: 'All of it', evidence: { destination_url: 'https://closed.example/2' } },
    ]);
    const [own] = await db.query<EvidenceRow>(
      sql('row-of-account', 'select * from suspensions where account_id = $1 and qr_code_id is null'),
      [bad.id],
    );
    expect(own).toMatchObject({ evidence: { name: 'Test', people: [] } });
    expect(await stopOf(bad.id)).toBeNull();
  });

  test('is not kept of what is not suspended, or no longer', async () => {
    const [plain, released] = [await create('https://fine.example'), await create('https://fine.example')];
    await suspensions.suspendCode(db, { id: released.uuid }, 'A mistake');
    await suspensions.releaseCode(db, { id: released.uuid });
    for (const { id } of [plain, released]) await remove(id);
    expect([...(await rowsOf(plain.uuid)), ...(await rowsOf(released.uuid))]).toEqual([]);
  });

  test('goes after 90 days', async () => {
    const codes = [await create('https://old.example'), await create('https://young.example')];
    for (const { id, uuid } of codes) {
      await suspensions.suspendCode(db, { id: uuid }, 'x');
      await remove(id);
    }
    const age = sql(
      'age-evidence',
      `update suspensions set deleted_at = now() - $2::interval where qr_code_id = $1`,
    );
    await db.query(age, [codes[0]!.uuid, '90 days 1 minute']);
    await db.query(age, [codes[1]!.uuid, '89 days 23 hours']);
    await createEvidenceCleanup(db, systemClock).run(AbortSignal.timeout(10_000));
    expect(await rowsOf(codes[0]!.uuid)).toEqual([]);
    expect((await rowsOf(codes[1]!.uuid)).length).toBe(1);
  });
});
