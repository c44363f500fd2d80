import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sql } from '../platform/postgres/postgres.ts';

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const kinds = [
  'create',
  'draft',
  'pause',
  'resume',
  'archive',
  'unarchive',
  'archive all',
  'delete',
  'bulk',
] as const;

type Step = {
  readonly kind: (typeof kinds)[number];
  readonly which: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  which: fc.nat(1000),
});

const mismatches = {
  name: 'count-mismatches',
  text: `with true_buckets as (
      select account_id, mode, number / 1000 as bucket,
             count(*) filter (where status = 'active' and not archived) as active,
             count(*) filter (where status = 'paused' and not archived) as paused,
             count(*) filter (where status = 'draft' and not archived) as draft,
             count(*) filter (where archived) as archived, count(*) filter (where made_by = 'api') as by_api
        from qr_codes where status <> 'deleted' group by 1, 2, 3
    ), true_counts as (
      select account_id, mode, sum(active) as active, sum(paused) as paused, sum(draft) as draft,
             sum(archived) as archived, sum(by_api) as by_api
        from true_buckets group by 1, 2
    )
    select 'bucket' as what, account_id from true_buckets b full join count_buckets k using (account_id, mode, bucket)
     where (b.active, b.paused, b.draft, b.archived) is distinct from (k.active, k.paused, k.draft, k.archived)
    union all
    select 'account', account_id from code_counts t left join true_counts u using (account_id, mode)
     where (t.active, t.paused, t.draft, t.archived, t.made_by_api)
           is distinct from (coalesce(u.active, 0), coalesce(u.paused, 0), coalesce(u.draft, 0), coalesce(u.archived, 0),
                             coalesce(u.by_api, 0))`,
};

test('the counts of an account agree with its codes after any mix of changes, also concurrent ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 }),
      async rounds => {
        const { live: key } = await api.account();
        const ids: string[] = [];
        for (const round of rounds) {
          const made = await Promise.all(round.map(one => perform(one, key, ids)));
          ids.push(...made.flat());
        }
        expect(await api.api.db.query(mismatches)).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});

async function perform({ kind, which }: Step, key: string, ids: readonly string[]): Promise<string[]> {
  const menu = { name: 'x', destination_url: 'https://example.com' };
  const url = `/v1/qrcodes/${ids[which % Math.max(1, ids.length)] ?? 'qr_none'}`;
  switch (kind) {
    case 'create':
    case 'draft': {
      const status = kind === 'draft' ? 'draft' : 'active';
      return [
        (await api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { ...menu, status } })).body.id,
      ];
    }
    case 'bulk': {
      const items = Array.from({ length: (which % 5) + 1 }, (_, i) => ({
        ...menu,
        status: i % 2 ? 'draft' : 'active',
      }));
      const { body } = await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key, body: { items } });
      return body.data.map((entry: { qr_code: { id: string } }) => entry.qr_code.id);
    }
    case 'pause':
    case 'resume':
      await api.call({ method: 'PATCH', url, key, body: { active: kind === 'resume' } });
      return [];
    case 'archive':
    case 'unarchive':
      await api.call({ method: 'PATCH', url, key, body: { archived: kind === 'archive' } });
      return [];
    case 'archive all':
      await api.call({
        method: 'PATCH',
        url: '/v1/qrcodes/bulk',
        key,
        body: { ids: ids.length > 0 ? ids : ['qr_none'], set: { archived: which % 2 === 0 } },
      });
      return [];
    case 'delete':
      await api.call({ method: 'DELETE', url, key });
      return [];
  }
}

test('a page far down a list with deleted codes is the same that paging through gives', async () => {
  const { id, live: key } = await api.account();
  // 3,500 codes of mixed status over four buckets, a third of them deleted, half of them archived, as the service itself would leave them.
  await api.api.db.query(
    {
      name: 'long-list',
      text: `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at, archived)
        select gen_random_uuid(), $1, 'live', n, (array['active', 'paused', 'draft'])[1 + n * 7 % 3]::qr_code_status, 'api',
               'long-' || n, 'long-' || n, 'n' || n, 'https://example.com', '{}', now(), now(),
               n between 1200 and 2600 or n % 4 = 1
          from generate_series(1, 3500) n where n * 13 % 3 <> 0`,
    },
    [id],
  );
  await api.api.db.query(
    {
      name: 'long-list-blocks',
      text: `insert into count_buckets select account_id, mode, number / 1000, count(*) filter (where status = 'active' and not archived),
               count(*) filter (where status = 'paused' and not archived),
               count(*) filter (where status = 'draft' and not archived), count(*) filter (where archived)
          from qr_codes where account_id = $1 group by 1, 2, 3`,
    },
    [id],
  );
  await api.api.db.query(
    {
      name: 'long-list-counts',
      text: `insert into code_counts (account_id, mode, last_number, active, paused, draft, archived, made_by_api)
        select $1, 'live', 3500, sum(active), sum(paused), sum(draft), sum(archived),
               sum(active + paused + draft + archived)
          from count_buckets where account_id = $1`,
    },
    [id],
  );
  const all = await api.api.db.query<{ name: string; status: string; archived: boolean }>(
    {
      name: 'long-list-all',
      text: 'select name, status, archived from qr_codes where account_id = $1 order by number desc',
    },
    [id],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom('', '&status=active', '&status=paused', '&status=draft', '&archived=true'),
      fc.constantFrom('', '&sort=created'),
      async (page, limit, list, sort) => {
        const status = list.replace(/&status=|&archived=true/, '');
        const newest = all.filter(
          code => code.archived === list.startsWith('&archived') && (status === '' || code.status === status),
        );
        const expected = sort === '' ? newest : newest.toReversed();
        const { body } = await api.call({
          url: `/v1/qrcodes?page=${page}&limit=${limit}${list}${sort}`,
          key,
        });
        expect(body.pagination.total).toBe(expected.length);
        expect(body.data.map((item: { name: string }) => item.name)).toEqual(
          expected.slice((page - 1) * limit, page * limit).map(code => code.name),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('the first codes of an account, created at once, are all there; none are once it is being closed', async () => {
  const { db } = api.api;
  const create = (key: string) =>
    api.call({
      method: 'POST',
      url: '/v1/qrcodes',
      key,
      body: { name: 'x', destination_url: 'https://a.example' },
    });
  const open = await api.account();
  const first = await Promise.all(Array.from({ length: 20 }, () => create(open.live)));
  expect(first.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(await db.query(mismatches)).toEqual([]);

  const closing = await api.account();
  const { creating } = await db.transaction(async tx => {
    await tx.query(sql('close-one', 'update accounts set closed_at = now() where id = $1'), [closing.id]);
    const creating = create(closing.live);
    await waitUntil('the create waits for the closing', async () => {
      const waiting = await db.query(sql('waiting', `select from pg_locks where not granted`));
      return waiting.length > 0;
    });
    return { creating };
  });
  expect((await creating).status).toBe(503);
  const left = await db.query(sql('codes-left', 'select from qr_codes where account_id = $1'), [closing.id]);
  expect(left).toEqual([]);
});
