import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { unlimitedPlan } from '@signpost/testing/plan.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, goodStanding } from '../kernel/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds, parseId } from '../kernel/ids.ts';
import { createHostSuspensions } from '../moderation/suspensions/host-suspensions.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { createModeration, type HostSuspender } from './moderation.ts';
import { createQrCodes } from './service.ts';
import { addHost } from './targets/blocked-hosts.ts';

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

  test('is refused on an edit, which then changes nothing', async () => {
    const { body: code } = await create('https://fine.example');
    expect(await patch(code.id, { name: 'y', destination_url: 'https://phish.example' })).toMatchObject(
      blocked('phish.example'),
    );
    expect(await read(code.id)).toMatchObject({ name: 'x', destination_url: 'https://fine.example' });
  });

  test('shows as suspended from the block on, before any code is marked', async () => {
    const insert = `insert into blocked_hosts (host, reason, owner_reason, created_at)
                    values ($1, 'for the operator alone', $2, now())`;
    const block = (host: string, ownerReason: string | null) =>
      api.api.db.query(sql('test-block-only', insert), [host, ownerReason]);
    const { body: code } = await create('https://www.shop.unmarked.example/a');
    const { body: other } = await create('https://notunmarked.example/a');
    const { body: ruled } = await create('https://fine.example', {
      rules: [{ when: { language: ['de'] }, to: [{ url: 'https://unmarked.example/de' }] }],
    });
    const { body: falling } = await create('https://fine.example', {
      fallback_url: 'https://www.unmarked.example/closed',
    });
    await block('unmarked.example', null);
    expect((await read(code.id)).availability).toEqual({
      state: 'suspended',
      since: expect.any(String),
      reason: 'It leads to unmarked.example, which is blocked on this service.',
    });
    expect((await read(other.id)).availability.state).toBe('live');
    const query = `${[code, other, ruled, falling].map(({ id }) => `ids=${id}`).join('&')}&include=availability`;
    const { body: listed } = await api.call({ url: `/v1/qrcodes?${query}`, key: owner.live });
    const states = listed.data.map((item: { availability: { state: string } }) => item.availability.state);
    expect(states).toEqual(['suspended', 'suspended', 'live', 'suspended']);
    await block('notunmarked.example', 'Phishing');
    expect((await read(other.id)).availability).toMatchObject({ state: 'suspended', reason: 'Phishing' });
    await api.api.db.query(
      sql('test-unblock-only', `delete from blocked_hosts where host like '%unmarked.example'`),
    );
  });

  test('does not use up a quota', async () => {
    const free = await api.account('free');
    await create('https://phish.example', {}, free.live);
    const counts = await api.api.db.query(
      sql('counts-of', `select active, last_number from code_counts where account_id = $1 and mode = 'live'`),
      [free.id],
    );
    expect(counts).toEqual([{ active: 0, last_number: 0 }]);
  });

  test('is listed with its reason; after it is unblocked it is accepted again', async () => {
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
  test('suspends the codes that lead there, of every account and both modes, and no others; unblock-host releases them', async () => {
    const other = await api.account();
    const there = [
      [await create('https://scam.example/a'), owner.live],
      [await create('https://www.scam.example', {}, owner.test), owner.test],
      [await create('https://SCAM.example.', {}, other.live), other.live],
      [await create('https://scam.example', { status: 'draft' }), owner.live],
    ] as const;
    const { body: elsewhere } = await create('https://notscam.example');
    await create('https://scam.example.org');
    const output = await api.admin('block-host', 'scam.example', '--reason', 'Scam');
    expect(output).toMatch(/are blocked on all redirects \(\d+\.\d\d s\)\./);
    expect(output).toContain('Done: codes suspended: 4. Their owners read: Scam');
    const ids = there.map(([{ body }]) => parseId('qr', body.id)).sort();
    const rows = await suspensionsOf('scam.example');
    expect(rows.map(row => row.qr_code_id).sort()).toEqual(ids);
    for (const row of rows)
      expect(row).toMatchObject({ cause: 'host', reason: 'Scam', released_at: null, deleted_at: null });
    // Only their owners have set them so.
    for (const [{ body }, key] of there) expect((await read(body.id, key)).status).toBe(body.status);
    expect((await read(elsewhere.id)).status).toBe('active');
    expect(await api.admin('block-host', 'scam.example')).toContain(
      'codes suspended: 0. Their owners read: Scam',
    );

    const [[{ body: mine }], , , [{ body: draft }]] = there;
    expect(await patch(draft.id, { active: true })).toMatchObject(blocked('scam.example'));
    expect((await patch(mine.id, { name: 'Renamed' })).status).toBe(200);

    expect(await api.admin('unblock-host', 'scam.example')).toContain(
      'no longer blocked. Codes released: 4.',
    );
    expect((await suspensionsOf('scam.example')).filter(row => row.released_at === null)).toEqual([]);
    expect((await patch(draft.id, { active: true })).body.status).toBe('active');
  });

  test('finishes what an interrupted run has left, and so does unblock-host', async () => {
    for (let i = 0; i < 3; i++) await create(`https://cut-off.example/${i}`);
    // As far as the command gets when it is killed after its first transaction.
    await api.api.db.query(
      sql(
        'block-half',
        `insert into blocked_hosts (host, reason, created_at) values ('cut-off.example', '', now())`,
      ),
    );
    expect(await api.admin('block-host', 'cut-off.example')).toContain('codes suspended: 3.');
    await api.api.db.query(sql('unblock-half', `delete from blocked_hosts where host = 'cut-off.example'`));
    expect(await api.admin('unblock-host', 'cut-off.example')).toContain('Codes released: 3.');
    expect(await api.admin('unblock-host', 'cut-off.example')).toContain('was not blocked');
  });

  test('waits for creates and edits under way, and no later one slips through', async () => {
    const { body: edited } = await create('https://fine.example');
    const { body: resumed } = await create('https://race.example/resumed');
    await patch(resumed.id, { active: false });
    const caller: Caller = {
      accountId: owner.id,
      mode: 'live',
      testTag: 'bcdfghjk',
      plan: unlimitedPlan,
      via: { kind: 'key', id: owner.id },
      role: null,
      permissions: new Set(),
      ...goodStanding,
    };
    const service = createQrCodes({
      ids: createIds(systemClock),
      clock: systemClock,
      ownAddresses: { includes: () => false },
      links: { invalidate: async () => {} },
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
    // With the paused code, and with the creates and edits that were under way.
    const leading = [2, 3, 3];
    for (const [i, work] of underWay.entries()) {
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
      expect(await blocking).toContain(`codes suspended: ${leading[i]}.`);
      expect(await late).toMatchObject(blocked('race.example'));
      await api.admin('unblock-host', 'race.example');
    }
  });

  test('no code is released while a host that it leads to is being blocked', async () => {
    const { body: code } = await create('https://late.example');
    const name = code.short_code;
    await api.admin('suspend-code', name, '--reason', 'Reported');
    const held = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const blocking = api.api.db.transaction(async tx => {
      await addHost(tx, 'late.example', null, new Date());
      held.resolve();
      await commit.promise;
    });
    await held.promise;
    const releasing = api.admin('release-code', name).catch(String);
    await waitUntil('the release waits', async () => (await waiting('RowShareLock')) === 1);
    commit.resolve();
    await blocking;
    expect(await releasing).toContain('still leads to late.example');
    expect((await read(code.id)).availability).toMatchObject({ state: 'suspended', reason: 'Reported' });
  });

  test('beside concurrent creates, edits and resumes fails nothing, and suspends every code that leads there', async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => create('https://fine.example')));
    for (let round = 0; round < 10; round++) {
      const host = `storm-${round}.example`;
      const doomed = await Promise.all([1, 2, 3].map(() => create(`https://${host}/doomed`)));
      const deletions = doomed.map(({ body }) =>
        api.call({ method: 'DELETE', url: `/v1/qrcodes/${body.id}`, key: owner.live }),
      );
      const calls = codes.flatMap(({ body }, i) => [
        create(`https://${host}/${i}`),
        patch(body.id, { active: i % 2 === 0 }),
        patch(body.id, { destination_url: `https://${host}/`, active: true }),
      ]);
      const [, ...answers] = await Promise.all([api.admin('block-host', host), ...calls, ...deletions]);
      expect(answers.filter(({ status }) => ![200, 201, 403].includes(status))).toEqual([]);
      const left = await api.api.db.query(
        sql(
          'left-unsuspended',
          `select id from qr_codes c where status <> 'deleted' and destination_url like $1
              and not exists (select from suspensions s where s.qr_code_id = c.id and s.source = $2 and s.released_at is null)`,
        ),
        [`https://${host}/%`, host],
      );
      expect(left).toEqual([]);
      const ofDeleted = await api.api.db.query(
        sql(
          'suspended-though-deleted',
          `select s.id from suspensions s join qr_codes c on c.id = s.qr_code_id
            where s.source = $1 and c.status = 'deleted' and s.deleted_at is null`,
        ),
        [host],
      );
      expect(ofDeleted).toEqual([]);
    }
  });

  test('refuses what is not a host', async () => {
    for (const text of ['https://evil.example', 'com', ''])
      await expect(api.admin('block-host', text)).rejects.toThrow(/evil\.example, without https/);
  });
});

describe('codes that a command has left', () => {
  const redirects = { invalidate: async () => {}, notify: async () => {} };
  const run = (text: string) => api.api.db.query<Row>(sql('', text));
  /** The background job of a process, which records the hosts that it marks, and fails for one of them. */
  function process(failsFor?: string) {
    const marked: string[] = [];
    const { db } = api.api;
    const real = createHostSuspensions({ db, clock: systemClock, redirects });
    const suspender: HostSuspender = {
      ...real,
      async suspendByHost(host, reason) {
        marked.push(host);
        if (host === failsFor) throw new Error('no answer');
        return real.suspendByHost(host, reason);
      },
    };
    const ids = createIds(systemClock);
    const moderation = createModeration({ db, ids, clock: systemClock, redirects, suspender });
    const job = moderation.finishBlocksJob();
    return { marked, run: () => job.run(AbortSignal.timeout(60_000)) };
  }
  const blockHalf = (host: string, reason = '') =>
    run(`insert into blocked_hosts (host, reason, created_at) values ('${host}', '${reason}', now())`);

  test('are marked once, by one process, and a host that fails is left to the next run', async () => {
    await run('update blocked_hosts set marked_at = now()');
    for (const name of ['a', 'b', 'c']) await create(`https://left-${name}.example`);
    for (const name of ['a', 'b', 'c']) await blockHalf(`left-${name}.example`);
    const [one, other] = [process('left-b.example'), process()];
    await expect(one.run()).rejects.toThrow('no answer');
    expect(one.marked).toEqual(['left-a.example', 'left-b.example', 'left-c.example']);
    await Promise.all([other.run(), process().run()]);
    for (const name of ['a', 'b', 'c']) expect((await suspensionsOf(`left-${name}.example`)).length).toBe(1);
    const last = process();
    await last.run();
    expect([other.marked.length <= 1, last.marked]).toEqual([true, []]);
  });

  test('are released where unblock-host was interrupted, and not where the host is blocked', async () => {
    for (const name of ['gone', 'stays']) {
      await create(`https://${name}.example`);
      await api.admin('block-host', `${name}.example`);
    }
    await run(`delete from blocked_hosts where host = 'gone.example'`);
    await process().run();
    expect(await suspensionsOf('gone.example')).toMatchObject([{ released_at: expect.any(Date) }]);
    expect(await suspensionsOf('stays.example')).toMatchObject([{ released_at: null }]);
  });

  test('an earlier reason is not shown to owners, and stays in the list of the operator', async () => {
    await create('https://older.example');
    await blockHalf('older.example', 'the neighbour reported it');
    await process().run();
    const neutral = 'It leads to older.example, which is blocked on this service.';
    expect(await suspensionsOf('older.example')).toMatchObject([{ reason: neutral }]);
    expect(await api.admin('block-host', 'older.example')).toContain(`Their owners read: ${neutral}`);
    expect(await api.admin('list-blocked-hosts')).toContain('older.example  the neighbour reported it');
    expect(await api.admin('block-host', 'older.example', '--reason', 'Phishing')).toContain(
      'Their owners read: Phishing',
    );
  });
});

describe('pause-code', () => {
  test('pauses one code of any account, in upper or lower case, and states where it leads; its owner can resume it', async () => {
    const { body: code } = await create('https://shared.example/~thief', { short_code: 'Thief-1' });
    expect(await api.admin('pause-code', 'thief-1')).toContain(
      'is paused.\n  leads to https://shared.example/~thief',
    );
    expect((await read(code.id)).status).toBe('paused');
    expect(await api.admin('pause-code', 'thief-1')).toContain('was already paused');
    expect((await patch(code.id, { active: true })).body.status).toBe('active');
  });

  test('pauses a test code by the whole path of its short link, and no live code of that name', async () => {
    const { body: live } = await create('https://fine.example', { short_code: 'Thief-2' });
    const { body: code } = await create('https://fine.example', { short_code: 'Thief-2' }, owner.test);
    const name = code.short_url.replace('https://sign.example/', '');
    expect(await api.admin('pause-code', name)).toContain('is paused');
    expect((await read(code.id, owner.test)).status).toBe('paused');
    expect((await read(live.id)).status).toBe('active');
  });

  test('states why there is nothing to pause', async () => {
    const { body: gone } = await create('https://fine.example', { short_code: 'gone-1' });
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${gone.id}`, key: owner.live });
    await create('https://fine.example', { short_code: 'draft-1', status: 'draft' });
    await expect(api.admin('pause-code', 'never-was')).rejects.toThrow(
      /No code has the short link \/never-was/,
    );
    await expect(api.admin('pause-code', 'gone-1')).rejects.toThrow(/was deleted/);
    await expect(api.admin('pause-code', 'draft-1')).rejects.toThrow(/is a draft/);
    await expect(api.admin('pause-code')).rejects.toThrow(/Name the code/);
  });
});

type Row = {
  readonly qr_code_id: string;
  readonly cause: string;
  readonly reason: string;
  readonly released_at: Date | null;
  readonly deleted_at: Date | null;
};

const suspensionsOf = (source: string) =>
  api.api.db.query<Row>(sql('suspensions-of', 'select * from suspensions where source = $1'), [source]);

/** How many transactions wait for the block list in this lock mode. */
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
