import { listIncludes } from '@signpost/contract';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { inParallel } from '@signpost/testing/client.ts';
import { unlimitedPlan } from '@signpost/testing/plan.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteCountsOfCodes } from '../../apps/server/src/ingest/erasure/request.ts';
import { type Caller, goodStanding } from '../../apps/server/src/kernel/caller.ts';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { createIds, formatId } from '../../apps/server/src/kernel/ids.ts';
import { createHostSuspensions } from '../../apps/server/src/moderation/suspensions/host-suspensions.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { createModeration } from '../../apps/server/src/qrcodes/moderation.ts';
import { createQrCodes } from '../../apps/server/src/qrcodes/service.ts';
import { median } from '../../bench/median.ts';

/** A million at a desk. */
const codes = ciScale(1_000_000, 60_000);
const accounts = 10_000;
/** With the common one as many as an account may have. */
const tags = 9_999;
const batch = 500;
/** How often each question is asked. */
const [warmUps, measured] = [ciScale(30, 10), ciScale(100, 40)];
/** As many as a list sorts by name or scans: a larger account costs no more. */
const smallCodes = 10_000;

let large: Side;
let small: Side;

/** One database with the API on it, and an account to ask about. */
type Side = {
  readonly api: TestApi;
  readonly owner: TestAccount;
  readonly ids: readonly string[];
  /** When the first codes were made. */
  readonly firstAt: string;
  readonly shortCode: string;
};

beforeAll(async () => {
  // As small as the other is large: both are asked the same questions in turn.
  small = await createSide(smallCodes);
  large = await createSide(codes);
  await large.api.api.db.query(fillAccounts, [accounts]);
  await large.api.api.db.query(fillTags);
  await large.api.api.db.query(fillPlaces);
  await large.api.api.db.query(fillScanCounts);
  for (const { api } of [small, large]) await api.api.db.query(sql('settle', 'analyze'));
}, 900_000);
afterAll(async () => {
  await small?.api.close();
  await large?.api.close();
});

/**
 * An account with codes that the service itself made, in calls of 500, every tenth a draft. All have one tag, and every
 * fifth one of 9,999 others; the first of each call has an external id.
 */
async function createSide(count: number): Promise<Side> {
  const api = await createTestApi({ DATABASE_TIMEOUT_MS: '60000' });
  const owner = await api.account();
  const { db } = api.api;
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
  const qrcodes = createQrCodes({
    ids: createIds(systemClock),
    clock: systemClock,
    ownAddresses: { includes: () => false },
    links: { invalidate: async () => {} },
  });
  const itemsOf = (call: number) =>
    Array.from({ length: batch }, (_, i) => ({
      name: call === 1 && i === 0 ? 'Lighthouse' : `Code ${i}`,
      destinationUrl: `https://${call === 1 && i === 0 ? 'rare.example' : 'example.com'}/a/fairly/usual/path/${i}`,
      status: i % 10 === 0 ? ('draft' as const) : ('active' as const),
      style: {},
      tags: ['common', ...(i % 5 === 0 ? [`tag ${(call * (batch / 5) + i / 5) % tags}`] : [])],
      externalId: i === 0 ? `call-${call}` : null,
      metadata: call === 1 && i === 0 ? { sheet: 'rare' } : i % 2 === 0 ? { branch: `b${i % 20}` } : {},
    }));
  const shown = new Set<string>();
  const ids: string[] = [];
  let firstAt: Date | undefined;
  await inParallel(count / batch, 2, async index => {
    const outcomes = await qrcodes.createMany(db, caller, itemsOf(index), false);
    for (const outcome of outcomes) if ('code' in outcome) shown.add(outcome.code.shortCode);
    if ('code' in outcomes[0]!) {
      ids.push(formatId('qr', outcomes[0].code.id));
      firstAt ??= outcomes[0].code.createdAt;
    }
    if (index % 200 === 199)
      console.log(
        `${((index + 1) * batch).toLocaleString('en')} of ${count.toLocaleString('en')} codes made`,
      );
  });
  expect(shown.size).toBe(count);
  const [shortCode = ''] = shown;
  return { api, owner, ids, shortCode, firstAt: firstAt!.toISOString() };
}

const fillAccounts = sql(
  'fill-accounts',
  `with made as (
     insert into accounts (id, name, plan, created_at) select gen_random_uuid(), 'Account ' || n, 'free', now() from generate_series(1, $1) n
     returning id
   ), keyed as (
     insert into api_keys (id, account_id, mode, hash, hint, created_at)
     select gen_random_uuid(), id, 'live', sha256(id::text::bytea), 'xxxx', now() from made
   ), tallied as (
     insert into code_counts (account_id, mode, last_number, active, made_by_api) select id, 'live', 1, 1, 1 from made
   ), blocked as (
     insert into count_buckets (account_id, mode, bucket, active) select id, 'live', 0, 1 from made
   )
   insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
   select gen_random_uuid(), id, 'live', 1, 'active', 'api', 'f-' || id, 'f-' || id, 'x', 'https://example.com', '{}', now(), now() from made`,
);

/** Each of the other accounts has ten tags, and its code has all of them. */
const fillTags = sql(
  'fill-tags',
  `with made as (
     insert into tags (id, account_id, mode, folded, name, color, codes)
     select gen_random_uuid(), account_id, 'live', 'tag ' || n, 'tag ' || n, 'gray', 1
       from qr_codes, generate_series(1, 10) n where short_code like 'f-%'
     returning id, account_id
   )
   insert into code_tags (qr_code_id, tag_id, number)
   select c.id, made.id, 1 from made join qr_codes c using (account_id)`,
);

/** The code of each other account has three places, and three targets that it no longer leads to. */
const fillPlaces = sql(
  'fill-places',
  `with removed as (
     insert into removed_targets (qr_code_id, kind, target_id, rule_id, label, url, host, removed_at)
     select id, 'rule', gen_random_uuid(), gen_random_uuid(), '', 'https://example.com', 'example.com', now()
       from qr_codes, generate_series(1, 3) where short_code like 'f-%'
   )
   insert into placements (qr_code_id, key, name, created_at)
   select id, 'table-' || n, 'Table', now() from qr_codes, generate_series(1, 3) n where short_code like 'f-%'`,
);

const fillScanCounts = sql(
  'fill-scan-counts',
  'insert into scan_counts (qr_code_id, total_scans, unique_scans) select id, 5, 3 from qr_codes',
);

type Question = { readonly name: string; ask(side: Side, round: number): Promise<{ status: number }> };

const list = ({ api, owner }: Side, query: string) =>
  api.call({ url: `/v1/qrcodes?${query}`, key: owner.live });
const pages = (side: Side, limit: number) => (side === large ? codes : smallCodes) / limit;

const questions: readonly Question[] = [
  { name: 'first page', ask: side => list(side, 'limit=20') },
  { name: 'last page', ask: side => list(side, `limit=20&page=${pages(side, 20)}`) },
  { name: 'page in the middle', ask: side => list(side, `limit=20&page=${Math.ceil(pages(side, 20) / 2)}`) },
  { name: 'filtered page', ask: side => list(side, 'limit=20&status=draft') },
  { name: 'last filtered page', ask: side => list(side, `limit=20&status=draft&page=${pages(side, 200)}`) },
  { name: 'filtered page without a match', ask: side => list(side, 'limit=20&status=paused') },
  { name: 'oldest first', ask: side => list(side, 'sort=created') },
  {
    name: 'oldest first, page in the middle',
    ask: side => list(side, `sort=created&page=${Math.ceil(pages(side, 20) / 2)}`),
  },
  { name: 'with every field', ask: side => list(side, `include=${listIncludes.join(',')}`) },
  { name: 'common tag', ask: side => list(side, 'tag=common') },
  { name: 'rare tag', ask: side => list(side, 'tag=tag+7') },
  { name: 'tag that does not exist', ask: side => list(side, 'tag=none') },
  { name: 'two tags', ask: side => list(side, 'tag=common&tag=tag+7') },
  { name: 'tag and status', ask: side => list(side, 'tag=common&status=draft') },
  { name: 'common host', ask: side => list(side, 'destination_host=example.com') },
  { name: 'rare host', ask: side => list(side, 'destination_host=rare.example') },
  { name: 'external id', ask: side => list(side, 'external_id=call-3') },
  { name: 'short code', ask: side => list(side, `short_code=${side.shortCode}`) },
  { name: 'common metadata', ask: side => list(side, 'metadata=branch:b2') },
  { name: 'rare metadata', ask: side => list(side, 'metadata=sheet:rare') },
  { name: 'available', ask: side => list(side, 'availability=live') },
  { name: 'suspended', ask: side => list(side, 'availability=suspended') },
  { name: 'created long ago', ask: side => list(side, `created_to=${side.firstAt}`) },
  { name: 'created since then', ask: side => list(side, `created_from=${side.firstAt}`) },
  { name: 'search for a common word', ask: side => list(side, 'search=code') },
  { name: 'search for a rare word', ask: side => list(side, 'search=lighthouse') },
  { name: 'search for an external id', ask: side => list(side, 'search=call-3') },
  { name: 'sorted by name', ask: side => list(side, 'sort=name') },
  { name: 'sorted by scans', ask: side => list(side, 'sort=-scans') },
  { name: 'tag sorted by name', ask: side => list(side, 'sort=-name&tag=common') },
  {
    name: 'after a code in the middle',
    ask: side => list(side, `starting_after=${side.ids[Math.floor(side.ids.length / 2)]}`),
  },
  {
    name: 'with a tag, after a code in the middle',
    ask: side => list(side, `tag=common&starting_after=${side.ids[Math.floor(side.ids.length / 2)]}`),
  },
  {
    name: 'get by external id',
    ask: ({ api, owner }) => api.call({ url: '/v1/qrcodes/ext:call-3', key: owner.live }),
  },
  {
    name: 'get',
    ask: ({ api, owner, ids }, round) =>
      api.call({ url: `/v1/qrcodes/${ids[round % ids.length]}`, key: owner.live }),
  },
  {
    name: 'create',
    ask: ({ api, owner }) =>
      api.call({
        method: 'POST',
        url: '/v1/qrcodes',
        key: owner.live,
        body: { name: 'x', destination_url: 'https://example.com' },
      }),
  },
];

describe('an account with very many codes, beside 10,000 accounts', () => {
  test('no short code that the service made repeats', async () => {
    const [row] = await large.api.api.db.query<{ total: number }>(
      sql(
        'distinct',
        `select count(distinct lower(short_code)) as total from qr_codes where short_code not like 'f-%'`,
      ),
    );
    expect(row!.total).toBe(codes);
  });

  test.each(questions.map(question => [question.name, question] as const))(
    '%s takes at most 3 times as long as on an almost empty database',
    async (name, question) => {
      const timesOf = { small: [] as number[], large: [] as number[] };
      for (let round = 0; round < warmUps + measured; round++) {
        for (const [label, side] of Object.entries({ small, large })) {
          const start = performance.now();
          const { status } = await question.ask(side, round);
          const ms = performance.now() - start;
          expect(status).toBeLessThan(300);
          if (round >= warmUps) timesOf[label as 'small' | 'large'].push(ms);
        }
      }
      const [one, other] = [median(timesOf.small), median(timesOf.large)];
      console.log(
        `size ${name}: ${one.toFixed(2)} ms small, ${other.toFixed(2)} ms large, ratio ${(other / one).toFixed(2)}`,
      );
      expect(other / one).toBeLessThanOrEqual(3);
    },
  );

  test('no plan of any statement scans a large table', async () => {
    const client = new pg.Client({ connectionString: large.api.config.databaseUrl });
    await client.connect();
    const statements = {
      ...(await import('../../apps/server/src/qrcodes/statements.ts')),
      ...(await import('../../apps/server/src/qrcodes/count-statements.ts')),
      ...(await import('../../apps/server/src/redirect/changes/statements.ts')),
      ...(await import('../../apps/server/src/qrcodes/targets/target-statements.ts')),
      ...(await import('../../apps/server/src/qrcodes/tags/tag-statements.ts')),
      deleteScanCounts: deleteCountsOfCodes,
    };
    await client.query(`insert into reports (id, qr_code_id, account_id, count, first_at, last_at)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, now(), now() from generate_series(1, 20000)`);
    await client.query('analyze reports');
    const someone = [large.owner.id, 'live'];
    const id = '01900000-0000-7000-8000-000000000000';
    const values: Record<keyof typeof statements, unknown[]> = {
      insertCodes: [
        ...someone,
        1,
        1,
        0,
        1_000_000_000,
        1_000_000_000,
        new Date(),
        [id],
        ['active'],
        ['explained'],
        ['x'],
        ['https://e.com'],
        ['{}'],
        'api',
        id,
        ['www.e.com', 'e.com', 'com'],
        [''],
        1_000_000_000,
        ['e.com'],
        [Buffer.alloc(16)],
        [null],
        ['ext'],
        ['{}'],
        ['explained'],
        0,
        [null],
        // Its event in the audit log.
        'createQrCode',
        'key',
        id,
        'req_1',
        ['qr_1'],
        '{}',
      ],
      findByKey: ['abcd'],
      findTaken: [large.owner.id, ['abcd', 'efgh']],
      releaseKeys: [large.owner.id, ['t/bcdfghjk/abcd']],
      insertCounts: someone,
      findCounts: someone,
      lockCounts: someone,
      findAny: [id],
      findNames: [...someone, [id]],
      findJustDeleted: someone,
      findCode: [id, ...someone],
      lockCode: [id, ...someone],
      lockCodes: [[id], ...someone],
      lockExisting: [[id], ...someone],
      findCodes: [[id], ...someone],
      findPrinted: [[id], ...someone],
      findIdByExternalId: [...someone, 'call-3'],
      findIdsByExternalIds: [...someone, ['call-3']],
      lockExternalId: [...someone, 'call-3'],
      listNewest: [...someone, codes, 500, 20, false],
      listOldest: [...someone, 0, 500, 20, true],
      listNewestByStatus: [...someone, codes, 500, 20, false, 'draft'],
      listOldestByStatus: [...someone, 0, 500, 20, false, 'draft'],
      findBucketFromNewest: [...someone, 'listed', codes / 2],
      findBucketFromOldest: [...someone, 'archived', codes / 2],
      updateCode: [id, 'x', 'https://e.com', 'paused', new Date(), 'e.com', null, 'ext', '{}', true],
      listTags: someone,
      findTags: [...someone, ['common']],
      countTags: someone,
      insertTags: [...someone, [id], ['x'], ['x'], 'gray'],
      addToCodes: [[id], [id], [1]],
      removeFromCodes: [[id], [id]],
      removeAllFromCodes: [[id]],
      tagsOfCodes: [[id]],
      updateTag: [id, 'x', 'x', 'gray'],
      moveSomeCodes: [id, id, 100],
      removeSomeCodes: [id, 100],
      deleteTag: [id],
      deleteAccountTags: someone,
      codesOfTag: [id, 100],
      softDeleteCodes: [[id], new Date()],
      anyChange: [],
      claimChanges: [1000, 10_000],
      deleteChanges: [[1]],
      releaseChanges: [[1]],
      deleteScanCounts: [[id]],
      adjustCounts: [...someone, [5], [0], [0], [0], [0], 0],
      lockToDelete: [...someone, [id]],
      nextToDelete: [...someone, 1000],
      deleteEmptyBuckets: [...someone, [5]],
      deleteCounts: someone,
      writeTargets: [[id], ['https://e.com'], ['e.com'], [Buffer.alloc(16)], new Date(), 1000],
      replaceRuleTargets: [id, [id], ['rule'], ['https://e.com'], ['e.com'], [Buffer.alloc(16)]],
      keepRemovedTargets: [id, ['rule'], [id], [id], [''], ['https://e.com'], ['e.com'], new Date(), 1000],
      trimRemovedTargets: [[id], 600, 5000],
      countRemovedTargets: [[id]],
      findRemovedTargets: [id],
      deleteRemovedTargets: [[id]],
      updateRouting: [id, '[]', null, null, null, 5, null, false, null],
      deleteTargets: [[id]],
    };
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      for (const [name, statement] of Object.entries(statements)) {
        await client.query('begin');
        const prepared = `${statement.name}-${mode}`;
        await client.query({
          name: prepared,
          text: `explain (format json) ${statement.text}`,
          values: values[name as keyof typeof statements],
        });
        const { rows } = await client.query<{ 'QUERY PLAN': unknown }>({
          name: prepared,
          text: `explain (format json) ${statement.text}`,
          values: values[name as keyof typeof statements],
        });
        await client.query('rollback');
        expect(scannedTables(rows[0]!['QUERY PLAN']), name).toEqual([]);
      }
    }
    await client.end();
  });

  test('blocking a host finds and suspends what leads there among all codes within seconds, by an index', async () => {
    const { api, owner } = large;
    const items = Array(100).fill({ name: 'x', destination_url: 'https://www.phish.example/login' });
    await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: owner.live, body: { items } });
    const { db } = api.api;
    const redirects = { invalidate: async () => {}, notify: async () => {} };
    const suspender = createHostSuspensions({ db, clock: systemClock, redirects });
    const ids = createIds(systemClock);
    const moderation = createModeration({ db, ids, clock: systemClock, redirects, suspender });
    const before = await sequentialScans();
    const start = performance.now();
    const reason = await moderation.block('phish.example', null);
    const suspended = await moderation.suspendAll('phish.example', reason);
    const seconds = (performance.now() - start) / 1000;
    console.log(`size block a host: ${suspended} codes suspended in ${seconds.toFixed(1)} s`);
    expect(suspended).toBe(100);
    expect(seconds).toBeLessThan(60);
    expect(await sequentialScans()).toEqual(before);
  });

  test('no question that was asked here has scanned a large table', async () => {
    const before = await sequentialScans();
    for (const question of questions) await question.ask(large, 1);
    await large.api.call({
      method: 'PATCH',
      url: `/v1/qrcodes/${large.ids[3]}`,
      key: large.owner.live,
      body: { active: true },
    });
    await large.api.call({ method: 'DELETE', url: `/v1/qrcodes/${large.ids[4]}`, key: large.owner.live });
    expect(await sequentialScans()).toEqual(before);
  });
});

/** Nearly empty, so that to read all of it is the quickest: codes changed or deleted a moment ago, hosts that are blocked. */
const alwaysSmall = ['link_changes', 'erasures', 'blocked_hosts', 'stops', 'stop_version', 'suspensions'];

/** Tables of the plan that are read from end to end. */
function scannedTables(plan: unknown): string[] {
  if (plan === null || typeof plan !== 'object') return [];
  const node = plan as Record<string, unknown>;
  const scanned = node['Node Type'] === 'Seq Scan' && !alwaysSmall.includes(String(node['Relation Name']));
  const own = scanned ? [String(node['Relation Name'])] : [];
  return [...own, ...Object.values(node).flatMap(scannedTables)];
}

async function sequentialScans(): Promise<Record<string, number>> {
  const { db } = large.api.api;
  await db.query(sql('fresh-statistics', 'select pg_stat_clear_snapshot(), pg_stat_force_next_flush()'));
  // The counters are sent at the end of a transaction, by each connection for itself.
  await new Promise(resolve => setTimeout(resolve, 1500));
  const rows = await db.query<{ relname: string; seq_scan: number }>(
    sql(
      'sequential-scans',
      `select relname, seq_scan from pg_stat_user_tables where relname in ('qr_codes', 'accounts', 'api_keys', 'code_counts', 'count_buckets', 'scan_counts', 'code_targets', 'tags', 'code_tags')`,
    ),
  );
  return Object.fromEntries(rows.map(row => [row.relname, row.seq_scan]));
}
