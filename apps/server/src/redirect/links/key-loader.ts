import { setTimeout as sleep } from 'node:timers/promises';
import { type Uuid, zeroId } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Lease } from '../changes/lease.ts';
import { type KeyFilter, maxKeys } from './key-filter.ts';

type Options = {
  readonly db: Database;
  readonly filter: KeyFilter;
  readonly lease: Pick<Lease, 'term' | 'isGood'>;
  readonly onError: (error: unknown) => void;
};

const pageKeys = 2000;
const checkEveryMs = 500;
/** Without a lease this process receives no messages about new codes. */
const readEveryMs = 10_000;
const afterErrorMs = 5000;
/** Ids are in the order of creation as far as the clocks of the creating processes agree and transactions are short. */
const overlapMs = 60 * 60 * 1000;
const firstId = zeroId;

/** Fills the filter with all existing keys, and catches up with new ones whose message did not arrive. */
export class KeyLoader {
  readonly #db: Database;
  readonly #filter: KeyFilter;
  readonly #lease: Options['lease'];
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** All keys up to this id are in the filter; null before the first load. */
  #lastId: Uuid | null = null;
  #keys = 0;
  #caughtUpTerm = Number.NaN;
  #caughtUpAtMs = Number.NEGATIVE_INFINITY;

  constructor({ db, filter, lease, onError }: Options) {
    this.#db = db;
    this.#filter = filter;
    this.#lease = lease;
    this.#onError = onError;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let waitMs = checkEveryMs;
      if (this.#isBehind() || this.#filter.isFull()) {
        await this.#catchUp().catch(error => {
          waitMs = afterErrorMs;
          if (!signal.aborted) this.#onError(error);
        });
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #isBehind(): boolean {
    return this.#lease.isGood()
      ? this.#caughtUpTerm !== this.#lease.term
      : performance.now() - this.#caughtUpAtMs >= readEveryMs;
  }

  /** Under a lease new codes are announced by messages; what was created before it began has to be read. */
  async #catchUp(): Promise<void> {
    const { term } = this.#lease;
    if (this.#lastId === null || this.#filter.isFull()) await this.#load();
    else await this.#readAfter(earlier(this.#lastId, overlapMs));
    this.#caughtUpTerm = term;
    this.#caughtUpAtMs = performance.now();
  }

  async #load(): Promise<void> {
    const [row] = await this.#db.query<{ keys: number }>(estimateKeys);
    // PostgreSQL's estimate may be far off on a new database: the last count is better where there is one.
    const expected = Math.max(row?.keys ?? 0, this.#keys);
    if (expected > maxKeys) return;
    this.#filter.reset(2 * expected);
    this.#lastId = firstId;
    this.#keys = await this.#readAfter(firstId);
  }

  async #readAfter(id: Uuid): Promise<number> {
    let after = id;
    let read = 0;
    for (let isMore = true; isMore && !this.#stopping.signal.aborted; ) {
      const rows = await this.#db.query<{ id: Uuid; key: string }>(readKeys, [after, pageKeys]);
      for (const { key } of rows) this.#filter.add(key);
      read += rows.length;
      after = rows.at(-1)?.id ?? after;
      isMore = rows.length === pageKeys;
    }
    if (this.#lastId !== null && after > this.#lastId) this.#lastId = after;
    if (!this.#filter.isFull()) this.#filter.ready();
    return read;
  }
}

/** The smallest id that is older by this much: the first 48 bits of an id are the milliseconds of its creation. */
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
  `select id, link_key as key from qr_codes where id > $1 order by id limit $2`,
);
