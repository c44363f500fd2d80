import { createTestAccount, createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { fillTargets } from '@signpost/testing/targets.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds, formatId, type Uuid } from '../../kernel/ids.ts';
import { createListCheck, firstTarget } from '../../moderation/lists/list-check.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import { deleteCodes } from '../../qrcodes/edits/deletion.ts';

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const run = (text: string) => api.api.db.query(sql('', text));

/** Codes whose ids are in another order than their numbers, half of them to a listed host and half to a blocked one. */
async function plantCodes(accountId: Uuid, round: number): Promise<void> {
  await run(
    `with made as (
       insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style,
                             created_at, updated_at)
       select gen_random_uuid(), '${accountId}', 'live', n, 'active', 'api', 'beside-${round}-' || n,
              'beside-${round}-' || n, 'x',
              case when n % 2 = 0 then 'https://listed.example/' else 'https://blocked.example/' end || n, '{}', now(), now()
         from generate_series(1, 900) n returning number)
     insert into code_counts (account_id, mode, active, made_by_api, last_number)
     select '${accountId}', 'live', count(*), count(*), max(number) from made`,
  );
  await run(
    `insert into count_buckets (account_id, mode, bucket, active) values ('${accountId}', 'live', 0, 900)`,
  );
}

test('close-account beside a list check and unblock-host waits for none that waits for it', async () => {
  const { db } = api.api;
  const parts = {
    db,
    ids: createIds(systemClock),
    clock: systemClock,
    links: { invalidate: async () => {}, notify: async () => {} },
  };
  const checking = createListCheck(parts);
  await run(`with g as (insert into list_generations (list, touched_at) values ('beside', now()) returning id),
                  l as (insert into lists (name, format, generation, imported_at, hosts, urls)
                        select 'beside', 'hosts', id, now(), 1, 0 from g)
             insert into listed_hosts (host, generation) select 'listed.example', id from g`);
  for (let round = 0; round < 4; round++) {
    const { id } = await createTestAccount(api.api);
    await plantCodes(id, round);
    await fillTargets(db);
    await api.admin('block-host', 'blocked.example');
    let closed = false;
    const beside = async (work: () => Promise<unknown>) => {
      while (!closed) await work();
      return 'done';
    };
    const others = Promise.all([
      beside(() => checking.step(firstTarget)),
      beside(() => checking.release('beside')),
      beside(async () => {
        await api.admin('unblock-host', 'blocked.example');
        await api.admin('block-host', 'blocked.example');
      }),
    ]);
    const closing = api.admin('close-account', formatId('acct', id), '--yes').finally(() => {
      closed = true;
    });
    const [output, ended] = await Promise.all([closing, others]);
    expect(output).toContain('Codes deleted: 900');
    expect(ended).toEqual(Array(3).fill('done'));
  }
  const open = await run(
    `select s.id from suspensions s join qr_codes c on c.id = s.qr_code_id
      where c.status = 'deleted' and s.released_at is null and s.deleted_at is null`,
  );
  expect(open).toEqual([]);
});

const waiting = async () =>
  (
    await run(`select pid from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'relation'`)
  ).length;

test.each(['qr_codes', 'suspensions'])(
  'of many %s a deletion waits for the first by id before it has another',
  async table => {
    const { db } = api.api;
    const { id: accountId } = await createTestAccount(api.api);
    const [first, second] = ['1', '2'].map(n => `${table.length % 10}0000000-0000-4000-8000-00000000000${n}`);
    // Whatever order but that of the ids: by number, or by code, the second comes first.
    await run(`insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style,
                                   created_at, updated_at)
             select id, '${accountId}', 'live', 3 - n, 'active', 'api', '${table}-' || n, '${table}-' || n, 'x', 'https://e.example', '{}',
                    now(), now()
               from unnest(array['${first}', '${second}']::uuid[]) with ordinality as code (id, n)`);
    await run(`insert into suspensions (id, account_id, qr_code_id, cause, reason, suspended_at)
             values ('${second}', '${accountId}', '${first}', 'operator', 'x', now()),
                    ('${first}', '${accountId}', '${second}', 'operator', 'x', now())`);
    await run(
      `insert into code_counts (account_id, mode, active, made_by_api) values ('${accountId}', 'live', 2, 2)`,
    );
    const deletion = await db.transaction(async tx => {
      const lock = (id: string) => tx.query(sql('', `select from ${table} where id = '${id}' for update`));
      await lock(first!);
      const owner = { accountId, mode: 'live' as const };
      const deleting = deleteCodes(db, owner, [second!, first!], new Date());
      deleting.catch(() => {});
      await waitUntil('the deletion waits', async () => (await waiting()) === 1);
      await lock(second!);
      return { deleting };
    });
    expect((await deletion.deleting).length).toBe(2);
  },
);
