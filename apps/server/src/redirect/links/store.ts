import { parseHost, toLocation } from '../../kernel/addresses/location.ts';
import type { Mode } from '../../kernel/caller.ts';
import { toIdBytes, type Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { createLinkRules } from '../../rules/link-rules.ts';
import type { UnnumberedChanges } from '../changes/change-feed.ts';
import { type StopReason, type StoredDomain, toChange } from '../changes/stops/stop.ts';
import type { Link } from './link.ts';
import type { StopReading, Stops } from './stops.ts';

/** Where links that are not in memory are looked up. */
export type LinkStore = { find(keys: readonly string[]): Promise<ReadonlyMap<string, Link>> };

/** Null for a code without rules, schedule and the like. */
const routingSql = `case when c.rules is null and c.fallback_url is null and c.starts_at is null and c.expires_at is null
            and c.used_up_at is null and c.append_query is null and not c.forward_query
            and coalesce(cardinality(c.placement_keys), 0) = 0
          then null
          else json_build_object(
            'shortCode', c.short_code, 'rules', c.rules, 'fallback', c.fallback_url,
            'startsAtMs', extract(epoch from c.starts_at) * 1000, 'expiresAtMs', extract(epoch from c.expires_at) * 1000,
            'usedUp', c.used_up_at is not null, 'forward', c.forward_query, 'append', c.append_query,
            'placements', c.placement_keys)::text
          end`;

/** One index lookup for each key, in the index that keeps keys unique. */
const findLinks = sql(
  'find-links',
  `select link_key as key, id, account_id, mode, status, destination_url,
          exists (select from suspensions s where s.qr_code_id = c.id and s.released_at is null) as suspended,
          (select n from stop_version) as stops, ${routingSql} as routing
     from qr_codes c where link_key = any($1)`,
);

/** The current number and a page of stops after another number, from one snapshot. */
const readStops = sql(
  'read-stops',
  `select v.n as version, v.floor, s.subject, s.reason, s.domain, s.n
     from stop_version v
     left join lateral (select * from stops where n > $1 order by n limit $2) s on true`,
);

/** Changes that may have no number yet, and the number of the last stop, from one snapshot. */
const readUnnumbered = sql(
  'read-unnumbered-changes',
  `select (select n from stop_version) as stops, array(select key from link_changes limit $1) as keys`,
);

/** More are not worth being dropped one by one. */
const maxUnnumbered = 10_000;

/** Takes PostgreSQL tens of milliseconds; a query may take a second. */
const stopsPerPage = 10_000;

type LinkRow = {
  key: string;
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  status: Link['status'];
  destination_url: string;
  suspended: boolean;
  stops: number;
  routing: string | null;
};

type StopRow = {
  version: number;
  floor: number;
  subject: string | null;
  reason: StopReason | null;
  domain: StoredDomain | null;
  n: number | null;
};

/** A link is returned only after every stop is known that existed when it was read. */
export function createLinkStore(db: Database, stops: Pick<Stops, 'catchUpTo'>): LinkStore {
  return {
    async find(keys) {
      const rows = await db.query<LinkRow>(findLinks, [keys]);
      const [first] = rows;
      if (first) await stops.catchUpTo(first.stops);
      return new Map(rows.map(row => [row.key, toLink(row)]));
    },
  };
}

/** Resolves when every stop and domain is known that was committed before the call. */
export function createStopCatchUp(db: Database, stops: Pick<Stops, 'catchUpTo'>): () => Promise<void> {
  return async () => {
    const [row] = await db.query<{ n: number }>(readVersion, []);
    await stops.catchUpTo(row!.n);
  };
}

const readVersion = sql('read-stop-version', 'select n from stop_version');

/** What was committed before the call, by what has no number yet. */
export function createUnnumberedReader(
  db: Database,
  stops: Pick<Stops, 'catchUpTo'>,
): () => Promise<UnnumberedChanges> {
  return async () => {
    const [row] = await db.query<{ stops: number; keys: string[] }>(readUnnumbered, [maxUnnumbered + 1]);
    const { stops: version, keys } = row!;
    return {
      keys: keys.length > maxUnnumbered ? null : keys,
      catchUpStops: () => stops.catchUpTo(version),
    };
  };
}

/**
 * Reads page by page. What changes meanwhile gets a higher number and appears again on a later page. The last page states
 * the number up to which everything was read.
 */
export function createStopReader(db: Database): (after: number) => Promise<StopReading> {
  async function readPage(after: number) {
    const rows = await db.query<StopRow>(readStops, [after, stopsPerPage]);
    const [{ version, floor }] = rows as [StopRow];
    const changes = rows.flatMap(({ subject, reason, domain, n }) =>
      subject === null || n === null ? [] : [toChange({ subject, reason, domain, n })],
    );
    return { version, floor, changes };
  }

  return async after => {
    let page = await readPage(after);
    const isComplete = after < page.floor || after > page.version;
    if (isComplete && after > 0) page = await readPage(0);
    const changes = page.changes;
    while (page.changes.length === stopsPerPage) {
      page = await readPage(changes.at(-1)!.n);
      changes.push(...page.changes);
    }
    return { version: page.version, isComplete, changes };
  };
}

function toLink(row: LinkRow): Link {
  const location = toLocation(row.destination_url);
  return {
    qrCodeId: row.id,
    accountId: row.account_id,
    idBytes: toIdBytes(row.id, row.account_id),
    mode: row.mode,
    status: row.status,
    suspended: row.suspended,
    location,
    host: parseHost(location),
    routing: row.routing === null ? null : createLinkRules(row.routing),
  };
}
