import type { Uuid } from '../../../kernel/ids.ts';
import {
  type Database,
  isLockTimeout,
  limitStatements,
  sql,
  unprepared,
} from '../../../platform/postgres/postgres.ts';
import { scanColumns } from '../scan-row.ts';

/** What the roll-ups need to know of scans that are added or removed. */
export const changedColumns = [
  'id',
  'account_id',
  'qr_code_id',
  'mode',
  'at',
  'visitor_number',
  'country',
  'city',
  'device',
  'browser',
  'target_id',
  'placement',
] as const satisfies readonly (keyof typeof scanColumns)[];

/** The values of each column. `at` is in seconds, with three decimals. */
export type ChangedScans = Readonly<Record<(typeof changedColumns)[number], readonly (string | number)[]>>;

/**
 * Locks those of these codes and accounts that have roll-ups, until the transaction ends. Of two shards that count one of
 * them, the second sees what the first has written. None is built meanwhile.
 */
export async function lockRollUps(tx: Database, scopes: Iterable<Uuid>): Promise<readonly Uuid[]> {
  await tx.query(waitForBuilds);
  const rows = await tx.query<{ scope_id: Uuid }>(lockScopes, [[...new Set(scopes)]]);
  return rows.map(row => row.scope_id);
}

/** Adds scans to the roll-ups of locked scopes (1), or removes them (-1). Their rows are stored at this moment. */
export async function changeRollUps(
  tx: Database,
  scopes: readonly Uuid[],
  scans: ChangedScans,
  sign: 1 | -1,
): Promise<void> {
  if (scopes.length === 0 || scans.id.length === 0) return;
  await tx.query(change, [scopes, sign, ...changedColumns.map(column => scans[column])]);
}

/** Removes everything that the roll-ups have of codes. */
export async function dropRollUps(tx: Database, scopes: readonly Uuid[]): Promise<void> {
  for (const statement of dropScopes) await tx.query(statement, [scopes]);
}

/** Removes what has come down to no scans, of locked scopes. */
export async function dropEmptyRollUps(tx: Database, scopes: readonly Uuid[]): Promise<void> {
  for (const statement of dropEmpty) await tx.query(statement, [scopes]);
}

/**
 * Builds the roll-ups of the codes and accounts with at least so many scans that have none yet; returns how many. Fewer
 * are read from the rows just as fast. Counting waits for each build: about a second for 50,000 scans. While a transaction
 * that counts does not end, none is built.
 */
export async function buildRollUps(db: Database, minScans: number, signal?: AbortSignal): Promise<number> {
  const due = await db.transaction(async tx => {
    await tx.query(limitStatements(buildMs));
    return tx.query<LargeScope>(findLarge, [minScans]);
  });
  let built = 0;
  for (const scope of due) {
    signal?.throwIfAborted();
    try {
      await db.transaction(tx => build(tx, scope));
      built++;
    } catch (error) {
      if (isLockTimeout(error)) break;
      throw error;
    }
  }
  return built;
}

type LargeScope = { readonly scope_id: Uuid; readonly account_id: Uuid };

async function build(tx: Database, { scope_id: scope, account_id: account }: LargeScope): Promise<void> {
  for (const statement of beginBuild) await tx.query(statement);
  if ((await tx.query(registerScope, [scope, account])).length === 0) return;
  for (const statement of scope === account ? builds.account : builds.code)
    await tx.query(statement, [scope, account]);
}

const buildLock = `hashtext('scan roll-ups')`;

const waitForBuilds = sql('roll-ups-wait', `select pg_advisory_xact_lock_shared(${buildLock})`);

const lockScopes = sql(
  'roll-ups-lock',
  'select scope_id from scan_roll_ups where scope_id = any($1::uuid[]) order by scope_id for update',
);

const quarterAt = (at: string) => `date_bin('15 minutes', ${at}, timestamptz '2000-01-01 00:00:00+00')`;
const monthAt = (at: string) => `date_trunc('month', ${at}, 'UTC')`;
const dayAt = (at: string) => `date_trunc('day', ${at}, 'UTC')`;
const gapBetween = (at: string, previous: string) =>
  `(extract(epoch from ${quarterAt(at)} - ${quarterAt(previous)}) / 900)::smallint`;
/** A day of a zone has at most 25 hours. */
const isNear = (at: string, previous: string) =>
  `${quarterAt(at)} - ${quarterAt(previous)} < interval '25 hours'`;

const addQuarters = `on conflict (scope_id, mode, quarter, time_window) do update
       set scans = held.scans + excluded.scans, firsts = held.firsts + excluded.firsts, lasts = held.lasts + excluded.lasts`;
const addRepeats =
  'on conflict (scope_id, mode, quarter, gap) do update set repeats = held.repeats + excluded.repeats';
const addDays =
  'on conflict (scope_id, mode, kind, day, key_1, key_2) do update set scans = held.scans + excluded.scans';

const ofVisitor = (condition: string) => `
          s.visitor_number = u.visitor_number and s.mode = u.mode and s.account_id = u.account_id
            and (u.scope_id = u.account_id or s.qr_code_id = u.scope_id) ${condition}`;

/**
 * The scans of a visitor in a month are a chain by their time. Only the part of it around changed scans is read: from the
 * scan before them to the scan after them. What the part counts for without them is replaced by what it counts for with
 * them. `offset 0` keeps each look-up one of the index.
 */
const change = unprepared(`
  with changed as materialized (
    select ${changedColumns
      .map(column => (column === 'at' ? 'to_timestamp(at)::timestamptz(3) as at' : column))
      .join(', ')}
      from unnest(${changedColumns
        .map((column, n) => `$${n + 3}::${scanColumns[column]}[]`)
        .join(', ')}) as changed (${changedColumns.join(', ')})
  ), scoped as materialized (
    select account_id as scope_id, true as is_account, changed.* from changed where account_id = any($1::uuid[])
     union all
    select qr_code_id, false, changed.* from changed where qr_code_id = any($1::uuid[])
  ), touched as materialized (
    select scope_id, account_id, mode, visitor_number, ${monthAt('at')} as month,
           (${monthAt('at')} at time zone 'UTC' + interval '1 month') at time zone 'UTC' as next_month,
           min(at) as from_at, max(at) as to_at
      from scoped group by 1, 2, 3, 4, 5, 6
  ), parts as materialized (
    select u.scope_id, u.mode, u.visitor_number, u.month, s.at, s.id, s.time_window, c.id is not null as is_changed
      from touched u
     cross join lateral (
       select coalesce((select s.at from scans s
                         where ${ofVisitor('and s.at >= u.month and s.at < u.from_at')}
                         order by s.at desc limit 1), u.from_at) as from_at,
              coalesce((select s.at from scans s
                         where ${ofVisitor('and s.at > u.to_at and s.at < u.next_month')}
                         order by s.at limit 1), u.to_at) as to_at offset 0) edge
     cross join lateral (
       select s.at, s.id, s.time_window from scans s
        where ${ofVisitor('and s.at >= edge.from_at and s.at <= edge.to_at')} offset 0) s
      left join changed c on c.id = s.id
  ), links as materialized (
    select *, $2::integer as sign,
           lag(at) over chain as previous, lead(at) over chain as next
      from parts window chain as (partition by scope_id, mode, visitor_number, month order by at, id)
     union all
    select *, -$2::integer, lag(at) over chain, lead(at) over chain
      from parts where not is_changed window chain as (partition by scope_id, mode, visitor_number, month order by at, id)
  ), quarters as (
    insert into scan_quarters as held (scope_id, mode, time_window, quarter, scans, firsts, lasts)
    select scope_id, mode, time_window, quarter, scans, firsts, lasts
      from (select scope_id, mode, time_window, ${quarterAt('at')} as quarter, sum(sign) as scans,
                   coalesce(sum(sign) filter (where previous is null), 0) as firsts,
                   coalesce(sum(sign) filter (where next is null), 0) as lasts
              from links group by 1, 2, 3, 4) sums
     where (scans, firsts, lasts) <> (0, 0, 0) order by scope_id, mode, quarter, time_window
    ${addQuarters}
  ), repeats as (
    insert into scan_repeats as held (scope_id, mode, quarter, gap, repeats)
    select * from (select scope_id, mode, ${quarterAt('at')} as quarter, ${gapBetween('at', 'previous')} as gap, sum(sign) as repeats
                     from links where ${isNear('at', 'previous')} group by 1, 2, 3, 4) sums
     where repeats <> 0 order by scope_id, mode, quarter, gap
    ${addRepeats}
  )
  insert into scan_days as held (scope_id, mode, kind, day, key_1, key_2, scans)
  select scope_id, mode, kind, ${dayAt('at')} as day, key_1, key_2, $2::integer * count(*)
    from scoped,
         lateral (values ('a'::"char", device, browser), ('p', country, city),
                         ((case when is_account then 'c' else 't' end)::"char",
                          (case when is_account then qr_code_id else target_id end)::text,
                          case when is_account then '' else placement end)) as keys (kind, key_1, key_2)
   group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  ${addDays}`);

const dropScopes = [
  sql('roll-ups-drop-quarters', 'delete from scan_quarters where scope_id = any($1::uuid[])'),
  sql('roll-ups-drop-repeats', 'delete from scan_repeats where scope_id = any($1::uuid[])'),
  sql('roll-ups-drop-days', 'delete from scan_days where scope_id = any($1::uuid[])'),
  sql('roll-ups-drop-scopes', 'delete from scan_roll_ups where scope_id = any($1::uuid[])'),
];

const dropEmpty = [
  sql('roll-ups-empty-quarters', 'delete from scan_quarters where scope_id = any($1::uuid[]) and scans = 0'),
  sql('roll-ups-empty-repeats', 'delete from scan_repeats where scope_id = any($1::uuid[]) and repeats = 0'),
  sql('roll-ups-empty-days', 'delete from scan_days where scope_id = any($1::uuid[]) and scans = 0'),
  sql(
    'roll-ups-empty-scopes',
    `delete from scan_roll_ups r
      where scope_id = any($1::uuid[]) and not exists (select from scan_quarters q where q.scope_id = r.scope_id)`,
  ),
];

/** Whoever counts waits behind a build that waits. */
const lockMs = 2_000;

/** Time for millions of scans, as a restored backup may have them, and to find what is due among millions of codes. */
const buildMs = 600_000;

const beginBuild = [
  sql('roll-ups-limit-lock', `set local lock_timeout = ${lockMs}`),
  sql('roll-ups-lock-builds', `select pg_advisory_xact_lock(${buildLock})`),
  limitStatements(buildMs),
  sql('roll-ups-build-memory', `set local work_mem = '64MB'`),
];

const registerScope = sql(
  'roll-ups-register',
  `insert into scan_roll_ups (scope_id, account_id) values ($1, $2) on conflict do nothing returning scope_id`,
);

const findLarge = unprepared(
  `select scope_id, account_id
     from (select c.id as scope_id, c.account_id, s.total_scans as scans
             from scan_counts s join qr_codes c on c.id = s.qr_code_id where c.status <> 'deleted'
            union all
           select c.account_id, c.account_id, sum(s.total_scans)::bigint
             from scan_counts s join qr_codes c on c.id = s.qr_code_id group by c.account_id) counted
    where scans >= $1 and not exists (select from scan_roll_ups r where r.scope_id = counted.scope_id)
    order by scope_id`,
  buildMs,
);

const builds = {
  code: listBuilds('and qr_code_id = $1', `('t', target_id::text, placement)`),
  account: listBuilds('and account_id = $1', `('c', qr_code_id::text, '')`),
};

/** The statements are planned each time: a plan for any scope would not use the index of a code's scans. */
function listBuilds(condition: string, third: string) {
  const rows = `scans where account_id = $2 and mode in ('live', 'test') ${condition}`;
  const links = `(select mode, time_window, at, lag(at) over chain as previous, lead(at) over chain as next
                    from ${rows} window chain as (partition by mode, visitor_number, ${monthAt('at')} order by at, id)) links`;
  return [
    unprepared(
      `insert into scan_quarters (scope_id, mode, time_window, quarter, scans, firsts, lasts)
       select $1::uuid, mode, time_window, ${quarterAt('at')}, count(*), count(*) filter (where previous is null),
              count(*) filter (where next is null)
         from ${links} group by 1, 2, 3, 4`,
      buildMs,
    ),
    unprepared(
      `insert into scan_repeats (scope_id, mode, quarter, gap, repeats)
       select $1::uuid, mode, ${quarterAt('at')}, ${gapBetween('at', 'previous')}, count(*)
         from ${links} where ${isNear('at', 'previous')} group by 1, 2, 3, 4`,
      buildMs,
    ),
    unprepared(
      `insert into scan_days (scope_id, mode, kind, day, key_1, key_2, scans)
       select $1::uuid, mode, kind, ${dayAt('at')}, key_1, key_2, count(*)
         from (select * from ${rows}) s, lateral (values ('a'::"char", device, browser), ('p', country, city), ${third}) as keys (kind, key_1, key_2)
        group by 2, 3, 4, 5, 6`,
      buildMs,
    ),
  ];
}
