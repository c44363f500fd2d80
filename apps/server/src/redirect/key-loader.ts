import { setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '../kernel/ids.ts';
import { linkKeySql } from '../kernel/link-key.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type KeyFilter, mostKeys } from './key-filter.ts';
import type { Lease } from './lease.ts';

/** Fills the filter with all keys there are, and catches up with new ones that were not heard of. */
export type KeyLoader = { start(): void; stop(): Promise<void> };

type Options = {
  readonly db: Database;
  readonly filter: KeyFilter;
  readonly lease: Pick<Lease, 'epoch' | 'isGood'>;
  readonly onError: (error: unknown) => void;
};

const pageKeys = 2000;
const lookEveryMs = 500;
/** Without a lease nothing is heard of creations. */
const readEveryMs = 10_000;
const afterErrorMs = 5000;
/** Ids are in the order of creation, as far as the clocks of those who create agree and their transactions are short. */
const overlapMs = 60 * 60 * 1000;
const first = '00000000-0000-0000-0000-000000000000';

export function createKeyLoader({ db, filter, lease, onError }: Options): KeyLoader {
  const stopping = new AbortController();
  const { signal } = stopping;
  let loop: Promise<void> = Promise.resolve();
  /** All keys up to this id are in the filter; null before the first load. */
  let last: Uuid | null = null;
  let keys = 0;
  let caughtUpWith = Number.NaN;
  let caughtUpAtMs = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    const [row] = await db.query<{ keys: number }>(estimateKeys);
    // The estimate is PostgreSQL's, and may be far off on a new database: what was counted before is better.
    const expected = Math.max(row?.keys ?? 0, keys);
    if (expected > mostKeys) return;
    filter.reset(2 * expected);
    last = first;
    keys = await readFrom(first);
  }

  async function readFrom(id: Uuid): Promise<number> {
    let after = id;
    let read = 0;
    for (let isMore = true; isMore && !signal.aborted; ) {
      const rows = await db.query<{ id: Uuid; key: string }>(readKeys, [after, pageKeys]);
      for (const { key } of rows) filter.add(key);
      read += rows.length;
      after = rows.at(-1)?.id ?? after;
      isMore = rows.length === pageKeys;
    }
    if (last !== null && after > last) last = after;
    if (!filter.isFull()) filter.ready();
    return read;
  }

  /** Creations are heard of under a lease; whatever happened before it began has to be read. */
  async function catchUp(): Promise<void> {
    const { epoch } = lease;
    if (last === null || filter.isFull()) await load();
    else await readFrom(earlier(last, overlapMs));
    caughtUpWith = epoch;
    caughtUpAtMs = performance.now();
  }

  const isBehind = () =>
    lease.isGood() ? caughtUpWith !== lease.epoch : performance.now() - caughtUpAtMs >= readEveryMs;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let waitMs = lookEveryMs;
      if (isBehind() || filter.isFull()) {
        await catchUp().catch(error => {
          waitMs = afterErrorMs;
          if (!signal.aborted) onError(error);
        });
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      loop = run();
    },
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

/** The smallest id of so long before; the first 48 bits of an id are the milliseconds of its creation. */
function earlier(id: Uuid, ms: number): Uuid {
  const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const hex = Math.max(0, at - ms)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const estimateKeys = sql(
  'estimate-keys',
  `select reltuples::float8 as keys from pg_class where oid = 'qr_codes'::regclass`,
);
const readKeys = sql(
  'read-keys',
  `select id, ${linkKeySql} as key from qr_codes where id > $1 order by id limit $2`,
);
