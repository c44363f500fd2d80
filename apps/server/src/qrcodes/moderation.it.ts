import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApi, type TestAccount, type TestApi } from '../../../../test/support/api.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import type { Caller } from '../kernel/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds, parseId } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { createQrCodes } from './service.ts';

let api: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
});
afterAll(() => api.close());

const create = (destination_url: string, more: object = {}, key = owner.live) =>
  api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { name: 'x', destination_url, ...more } });
const patch = (id: string, body: object, key = owner.live) =>
  api.call({ method: 'PATCH', url: `/v1/qrcodes/${id}`, key, body });
const read = async (id: string, key = owner.live) => (await api.call({ url: `/v1/qrcodes/${id}`, key })).body;

const blocked = (host: string) => ({
  status: 403,
  body: {
    error: {
      code: 'destination_blocked',
      param: 'destination_url',
      message: expect.stringMatching(new RegExp(`^${host} is blocked.*ask the operator`)),
    },
  },
});

describe('a blocked destination', () => {
  beforeAll(() => api.admin('block-host', 'Phish.example.', '--reason', 'reported on Monday'));

  test.each([
    'https://phish.example/login',
    'https://www.phish.example',
    'https://PHISH.example.:8443/',
    'https://ph%69sh.example/',
  ])('is refused on create, as active code and as draft: %s', async destination => {
    expect(await create(destination)).toMatchObject(blocked('phish.example'));
    expect(await create(destination, { status: 'draft' })).toMatchObject(blocked('phish.example'));
    expect(await create(destination, {}, owner.test)).toMatchObject(blocked('phish.example'));
  });

  test('fails alone among many, and with atomic all', async () => {
    const items = ['https://a.example', 'https://phish.example', 'https://notphish.example'].map(
      destination_url => ({ name: 'x', destination_url }),
    );
    const bulk = (body: object) =>
      api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: owner.live, body });
    const some = await bulk({ items });
    expect(some.body).toMatchObject({ created: 2, failed: 1 });
    expect(some.body.data[1]).toMatchObject({ status: 'failed', error: { code: 'destination_blocked' } });
    expect(await bulk({ items, atomic: true })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('Item 1: phish.example is blocked') } },
    });
  });

  test('is refused on an edit, which changes nothing then', async () => {
    const { body: code } = await create('https://fine.example');
    expect(await patch(code.id, { name: 'y', destination_url: 'https://phish.example' })).toMatchObject(
      blocked('phish.example'),
    );
    expect(await read(code.id)).toMatchObject({ name: 'x', destination_url: 'https://fine.example' });
  });

  test('does not use up a quota', async () => {
    const free = await api.account('free');
    await create('https://phish.example', {}, free.live);
    const tallies = await api.api.db.query(
      sql('tally-of', `select active, last_number from code_tallies where account_id = $1 and mode = 'live'`),
      [free.id],
    );
    expect(tallies).toEqual([{ active: 0, last_number: 0 }]);
  });

  test('is listed with its reason; unblocked it is taken again', async () => {
    await api.admin('block-host', 'brief.example');
    expect(await api.admin('list-blocked-hosts')).toMatch(
      /brief\.example\n.*phish\.example {2}reported on Monday$/,
    );
    expect(await api.admin('unblock-host', 'BRIEF.example')).toContain('no longer blocked');
    expect((await create('https://brief.example')).status).toBe(201);
    expect(await api.admin('unblock-host', 'brief.example')).toContain('was not blocked');
  });
});

describe('block-host', () => {
  test('pauses what leads there, of every account and both modes, and nothing else', async () => {
    const other = await api.account();
    const there = [
      [await create('https://scam.example/a'), owner.live],
      [await create('https://www.scam.example', {}, owner.test), owner.test],
      [await create('https://SCAM.example.', {}, other.live), other.live],
    ] as const;
    const { body: draft } = await create('https://scam.example', { status: 'draft' });
    const { body: elsewhere } = await create('https://notscam.example');
    expect(await api.admin('block-host', 'scam.example')).toMatch(/Done: codes paused: 3, looked at: \d+/);
    for (const [{ body }, key] of there)
      expect(await read(body.id, key)).toMatchObject({ status: 'paused', active: false });
    expect((await read(draft.id)).status).toBe('draft');
    expect((await read(elsewhere.id)).status).toBe('active');
    expect(await api.admin('block-host', 'scam.example')).toContain('codes paused: 0,');

    const [{ body: mine }] = there[0];
    for (const id of [mine.id, draft.id])
      expect(await patch(id, { active: true })).toMatchObject(blocked('scam.example'));
    expect((await patch(mine.id, { name: 'Renamed' })).status).toBe(200);
    expect(
      (await patch(mine.id, { active: true, destination_url: 'https://fine.example' })).body.status,
    ).toBe('active');

    await api.admin('unblock-host', 'scam.example');
    expect((await read(there[1][0].body.id, owner.test)).status).toBe('paused');
    expect((await patch(draft.id, { active: true })).body.status).toBe('active');
  });

  test('counts what it pauses in the lists of the owner, and is in the history as the operator', async () => {
    const victim = await api.account();
    for (let i = 0; i < 3; i++) await create(`https://many.example/${i}`, {}, victim.live);
    await api.admin('block-host', 'many.example');
    const listed = await api.call({ url: '/v1/qrcodes?status=paused', key: victim.live });
    expect(listed.body.pagination.total).toBe(3);
    const edits = await api.api.db.query(
      sql(
        'edits-by-operator',
        `select e.by_kind, e.by_id, e.before, e.after from code_edits e join qr_codes c on c.id = e.qr_code_id
          where c.account_id = $1`,
      ),
      [victim.id],
    );
    expect(edits).toEqual(
      Array(3).fill({ by_kind: 'operator', by_id: null, before: 'active', after: 'paused' }),
    );
  });

  test('waits for creates and edits under way, and lets none slip through behind it', async () => {
    const { body: edited } = await create('https://fine.example');
    const { body: resumed } = await create('https://race.example/resumed');
    await patch(resumed.id, { active: false });
    const caller: Caller = {
      accountId: owner.id,
      mode: 'live',
      plan: { name: 'x', requestsPerMinute: 1, codeQuota: null, quotaScope: 'pool', webhooks: false },
      via: { kind: 'key', id: owner.id },
    };
    const service = createQrCodes({
      ids: createIds(systemClock),
      clock: systemClock,
      own: { includes: () => false },
      links: { drop: async () => {} },
    });
    const underWay: readonly ((tx: Database) => Promise<unknown>)[] = [
      tx =>
        service.create(tx, caller, {
          name: 'x',
          destinationUrl: 'https://race.example/made',
          status: 'active',
          style: {},
        }),
      tx =>
        service.update(tx, caller, parseId('qr', edited.id), {
          destinationUrl: 'https://race.example/edited',
        }),
      tx => service.update(tx, caller, parseId('qr', resumed.id), { active: true }),
    ];
    for (const work of underWay) {
      const held = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const transaction = api.api.db.transaction(async tx => {
        await work(tx);
        held.resolve();
        await release.promise;
      });
      await held.promise;
      const blocking = api.admin('block-host', 'race.example');
      await waitUntil('block-host waits', async () => (await waiting('ExclusiveLock')) === 1);
      const late = create('https://race.example/late');
      await waitUntil('the create waits behind it', async () => (await waiting('RowShareLock')) === 1);
      release.resolve();
      await transaction;
      expect(await blocking).toContain('codes paused: 1,');
      expect(await late).toMatchObject(blocked('race.example'));
      await api.admin('unblock-host', 'race.example');
    }
  });

  test('beside creates, edits and resumes nothing fails, and nothing is left active', async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => create('https://fine.example')));
    for (let round = 0; round < 10; round++) {
      const host = `storm-${round}.example`;
      const calls = codes.flatMap(({ body }, i) => [
        create(`https://${host}/${i}`),
        patch(body.id, { active: i % 2 === 0 }),
        patch(body.id, { destination_url: `https://${host}/`, active: true }),
      ]);
      const [, ...answers] = await Promise.all([api.admin('block-host', host), ...calls]);
      expect(answers.filter(({ status }) => ![200, 201, 403].includes(status))).toEqual([]);
      const left = await api.api.db.query(
        sql('left-active', `select id from qr_codes where status = 'active' and destination_url like $1`),
        [`https://${host}/%`],
      );
      expect(left).toEqual([]);
    }
  });

  test('says what is no host', async () => {
    for (const text of ['https://evil.example', 'com', ''])
      await expect(api.admin('block-host', text)).rejects.toThrow(/evil\.example, without https/);
  });
});

describe('pause-code', () => {
  test('pauses one code of anybody, in any case, and says where it leads; its owner can resume it', async () => {
    const { body: code } = await create('https://shared.example/~thief', { short_code: 'Thief-1' });
    expect(await api.admin('pause-code', 'thief-1')).toContain(
      'is paused. It leads to https://shared.example/~thief',
    );
    expect((await read(code.id)).status).toBe('paused');
    expect(await api.admin('pause-code', 'thief-1')).toContain('was paused already');
    expect((await patch(code.id, { active: true })).body.status).toBe('active');
  });

  test('says why there is nothing to pause', async () => {
    const { body: gone } = await create('https://fine.example', { short_code: 'gone-1' });
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${gone.id}`, key: owner.live });
    await create('https://fine.example', { short_code: 'draft-1', status: 'draft' });
    await expect(api.admin('pause-code', 'never-was')).rejects.toThrow(/No code has the short code/);
    await expect(api.admin('pause-code', 'gone-1')).rejects.toThrow(/was deleted/);
    await expect(api.admin('pause-code', 'draft-1')).rejects.toThrow(/is a draft/);
    await expect(api.admin('pause-code')).rejects.toThrow(/Say which code/);
  });
});

/** How many wait for the block list in this mode. */
async function waiting(mode: string): Promise<number> {
  const [row] = await api.api.db.query<{ count: number }>(
    sql(
      'waiting-for-list',
      `select count(*) from pg_locks where relation = 'blocked_hosts'::regclass and mode = $1 and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    ),
    [mode],
  );
  return row!.count;
}
