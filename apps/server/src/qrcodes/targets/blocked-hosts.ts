import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { StopChange } from '../../redirect/changes/stops/stop.ts';
import { writeHostStop } from '../../redirect/changes/stops/stop-writer.ts';
import { type BlockedHost, blockedRefusal, listAllHosts } from './blocked-host.ts';
import type { Leading } from './leading-urls.ts';

/**
 * Keeps the list unchanged until the transaction ends. An edit does this before it locks anything else, as a create does:
 * in another order both could deadlock with a transaction that blocks a host.
 */
export async function lockBlockList(tx: Database): Promise<void> {
  await tx.query(lockList);
}

/** Which of these are on the list. */
export async function findBlocked(db: Database, hosts: readonly string[]): Promise<readonly string[]> {
  const rows = await db.query<{ host: string }>(selectBlocked, [hosts]);
  return rows.map(row => row.host);
}

export async function refuseBlocked(tx: Database, leading: Leading): Promise<void> {
  const refusal = blockedRefusal(leading, await findBlocked(tx, listAllHosts(leading)));
  if (refusal) throw refusal;
}

/** A host that was just blocked: the reason that owners are shown, and the stops to broadcast. */
export type Blocked = { readonly ownerReason: string | null; readonly changes: readonly StopChange[] };

/** Waits for transactions that hold the list: when it resolves, every later write of a destination sees the host. */
export function addHost(db: Database, host: string, reason: string | null, now: Date): Promise<Blocked> {
  return db.transaction(async tx => {
    await tx.query(lockListExclusively);
    const [row] = await tx.query<{ owner_reason: string | null }>(insertHost, [host, reason, now]);
    return { ownerReason: row!.owner_reason, changes: await writeHostStop(tx, host, 'blocked', now) };
  });
}

/** The stops to broadcast; null where the host was not blocked. Waits for a process that is suspending its codes. */
export function removeHost(db: Database, host: string, now: Date): Promise<readonly StopChange[] | null> {
  return db.transaction(async tx => {
    if ((await tx.query(deleteHost, [host])).length === 0) return null;
    return writeHostStop(tx, host, null, now);
  });
}

export async function listHosts(db: Database): Promise<readonly BlockedHost[]> {
  const rows = await db.query<{ host: string; reason: string; created_at: Date }>(selectHosts);
  return rows.map(({ host, reason, created_at: createdAt }) => ({ host, reason, createdAt }));
}

/** Hosts of which some codes may not be marked as suspended yet, by name. */
export async function findUnmarked(db: Database): Promise<readonly string[]> {
  return (await db.query<{ host: string }>(selectUnmarked)).map(row => row.host);
}

/** Lets one of several processes mark the codes of a host. The reason for their owners, or null where another has it. */
export async function claimHost(
  db: Database,
  host: string,
  claimMs: number,
): Promise<{ readonly ownerReason: string | null } | null> {
  const [row] = await db.query<{ owner_reason: string | null }>(claim, [host, claimMs]);
  return row ? { ownerReason: row.owner_reason } : null;
}

export async function releaseHost(db: Database, host: string): Promise<void> {
  await db.query(releaseClaim, [host]);
}

/**
 * Runs `mark` for the codes that lead to a host, and records that it is done. Not where the host was unblocked and blocked
 * again meanwhile: then some codes may be left.
 */
export async function markHost<Result>(
  db: Database,
  host: string,
  mark: () => Promise<Result>,
): Promise<Result> {
  const [block] = await db.query<{ since: string }>(findBlock, [host]);
  const result = await mark();
  if (block) await db.query(recordMarked, [host, block.since]);
  return result;
}

/** Hosts that are no longer blocked but still have suspended codes: their release was interrupted. */
export async function findReleasable(db: Database): Promise<readonly string[]> {
  return (await db.query<{ host: string }>(selectReleasable)).map(row => row.host);
}

export type BlockedHostItem = BlockedHost & {
  /** Codes that are suspended because they lead there. */
  readonly suspendedCodes: number;
  /** Whether other codes that lead there are not marked as suspended yet. */
  readonly marking: boolean;
};

/** Newest first. */
export async function pageHosts(db: Database, page: Page): Promise<Paged<BlockedHostItem>> {
  const rows = await db.query<HostRow>(selectPage, [toOffset(page), page.limit]);
  const [counted] = await db.query<{ total: number }>(countHosts);
  return { items: rows.map(toItem), page, total: counted?.total ?? 0 };
}

export async function findHost(db: Database, host: string): Promise<BlockedHostItem | null> {
  const [row] = await db.query<HostRow>(selectHost, [host]);
  return row ? toItem(row) : null;
}

type HostRow = {
  host: string;
  reason: string;
  created_at: Date;
  suspended_codes: number;
  marking: boolean;
};

const toItem = (row: HostRow): BlockedHostItem => ({
  host: row.host,
  reason: row.reason,
  createdAt: row.created_at,
  suspendedCodes: row.suspended_codes,
  marking: row.marking,
});

const lockList = sql('lock-block-list', 'lock table blocked_hosts in row share mode');

/** No other transaction can lock the list until this one commits. Plain reads, as of a backup, do not conflict. */
const lockListExclusively = sql('lock-block-list-exclusively', 'lock table blocked_hosts in exclusive mode');

const selectBlocked = sql(
  'select-blocked',
  'select host from blocked_hosts where host = any($1::text[]) order by host',
);

const insertHost = sql(
  'insert-blocked-host',
  `insert into blocked_hosts as existing (host, reason, owner_reason, created_at)
   values ($1, coalesce($2::text, ''), $2::text, $3)
   on conflict (host) do update
      set reason = coalesce($2::text, existing.reason), owner_reason = coalesce($2::text, existing.owner_reason),
          marked_at = null, claimed_at = null
   returning owner_reason`,
);

const selectUnmarked = sql(
  'select-unmarked-hosts',
  'select host from blocked_hosts where marked_at is null order by host',
);

const claim = sql(
  'claim-unmarked-host',
  `update blocked_hosts set claimed_at = now()
    where host = $1 and marked_at is null
      and (claimed_at is null or claimed_at < now() - $2 * interval '1 millisecond')
   returning owner_reason`,
);

const releaseClaim = sql(
  'release-unmarked-host',
  'update blocked_hosts set claimed_at = null where host = $1',
);

const findBlock = sql(
  'find-block-to-mark',
  'select created_at::text as since from blocked_hosts where host = $1',
);

const recordMarked = sql(
  'record-marked-host',
  'update blocked_hosts set marked_at = now() where host = $1 and created_at = $2::timestamptz',
);

/** Skips from one host to the next in the index, however many codes each has. */
const selectReleasable = sql(
  'select-releasable-hosts',
  `with recursive sources as (
     (select source from suspensions where cause = 'host' and released_at is null order by source limit 1)
     union all
     select (select s.source from suspensions s
              where s.cause = 'host' and s.released_at is null and s.source > sources.source
              order by s.source limit 1)
       from sources where sources.source is not null
   )
   select source as host from sources
    where source is not null and not exists (select from blocked_hosts b where b.host = source)`,
);

const deleteHost = sql('delete-blocked-host', 'delete from blocked_hosts where host = $1 returning host');

const selectHosts = sql(
  'select-blocked-hosts',
  'select host, reason, created_at from blocked_hosts order by host',
);

const itemColumns = `b.host, b.reason, b.created_at, b.marked_at is null as marking,
  (select count(*) from suspensions s
    where s.source = b.host and s.cause = 'host' and s.released_at is null and s.deleted_at is null) as suspended_codes`;

const selectPage = sql(
  'page-blocked-hosts',
  `select ${itemColumns}
     from (select * from blocked_hosts order by created_at desc, host offset $1 limit $2) b
    order by b.created_at desc, b.host`,
);

const selectHost = sql('find-blocked-host', `select ${itemColumns} from blocked_hosts b where b.host = $1`);

const countHosts = sql('count-blocked-hosts', 'select count(*) as total from blocked_hosts');
