import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { KeyFilter } from './key-filter.ts';
import type { Link } from './link.ts';
import { createLinkTable } from './link-table.ts';
import type { LookupGate } from './lookup-gate.ts';
import type { Lookups } from './lookups.ts';

/** A link; `none`: there is no such code; `away`: PostgreSQL does not answer; `busy`: too many look-ups wait. */
export type Found = { readonly link: Link } | 'none' | 'away' | 'busy';

/** The client that a look-up is for. */
type Requester = {
  /** Its block of addresses. */
  readonly block: string;
  /** Whether this block has asked for too many codes that do not exist. */
  readonly isGuessing: boolean;
};

/** Whether memory may be used. */
export type Trust = {
  /** True while a lease is held: then every edit waits until this process has applied it. */
  isGood(): boolean;
  /** Changes when a change may have been missed: what was remembered in an earlier epoch may be out of date. */
  readonly epoch: number;
  /** Changes with every lease. Codes that did not exist under an earlier one may exist since. */
  readonly term: number;
};

/**
 * The link cache, used only while the lease is good: then no edit is done before this process has applied it. Without a
 * lease each request asks PostgreSQL, and where that does not answer either, the last known destination is served.
 */
export type Links = {
  /** From memory only. */
  getCached(key: string): Found | undefined;
  lookUp(key: string, requester: Requester): Promise<Found>;
  /** After this returns, nothing that was read earlier is served for these keys while PostgreSQL answers. */
  invalidate(keys: readonly string[]): void;
  /** Reads entries of earlier epochs again, in batches, so that deletions are found whose invalidation did not arrive. */
  refresh(): Promise<void>;
  /**
   * Links known to be right, and when each was last confirmed. While PostgreSQL answers, those are the trusted ones and those
   * read a moment ago. While it does not, no code can be deleted, so they are all links.
   */
  entries(): Iterable<readonly [key: string, link: Link, confirmedAtMs: number]>;
  /** Adds a link from before a restart. It is served only where PostgreSQL does not answer. */
  restore(key: string, link: Link, confirmedAtMs: number): void;
  /** Increases whenever `entries` may have changed. */
  readonly changes: number;
  readonly size: number;
  readonly lookupCounts: Readonly<LookupCounts>;
};

/** Look-ups by what answered them. Counted in place: memory answers nearly every scan. */
type LookupCounts = {
  memory: number;
  database: number;
  /** Memory, where PostgreSQL could not confirm it. */
  last_known: number;
  /** Nothing: the filter has no such code, and the client is guessing. */
  filter: number;
  /** Nothing: too many wait for PostgreSQL. */
  busy: number;
  /** Nothing: PostgreSQL does not answer. */
  away: number;
};

type Options = {
  readonly lookups: Pick<Lookups, 'find' | 'isQueued'>;
  readonly watch: Pick<DatabaseWatch, 'silentMs' | 'mayRecover' | 'resetSilence' | 'onSilence'>;
  readonly gate: LookupGate;
  readonly filter: Pick<KeyFilter, 'estimate' | 'add'>;
  readonly trust: Trust;
  readonly maxLinks: number;
  /** Codes cached as unknown, so that guessing costs no query. */
  readonly maxUnknown: number;
  readonly unknownMs: number;
  /** How long PostgreSQL may be silent before the last known destination is served. */
  readonly silenceMs: number;
  /** How long a scan waits for PostgreSQL where memory has no answer. */
  readonly lookupTimeoutMs: number;
  /** What happens with the last known destination where PostgreSQL does not answer. */
  readonly staleLinks: 'serve' | 'refuse';
  readonly onLookupError: (error: unknown) => void;
  /** The wall clock, for what outlives the process. */
  readonly clock: Clock;
  readonly nowMs?: () => number;
};

type UnknownKey = { readonly untilMs: number; readonly epoch: number; readonly term: number };
/** A query under way. `stale`: the key was invalidated meanwhile. */
type Pending = { readonly answer: Promise<Found | 'failed'>; readonly epoch: number; stale: boolean };

/** The epoch of what was read without a lease: it is not trusted. */
const untrusted = -1;
/** While PostgreSQL is silent a scan waits this long, in case it has just come back. */
const graceMs = 40;
/** Without a lease, a link read longer ago may have been deleted since. */
const confirmedForMs = 60_000;
/** How long after an invalidation a link is read again if it has not been scanned. */
const rereadAfterMs = 100;
/** Keys that a refresh queries at once, and entries that it checks between two turns of the event loop. */
const [refreshKeys, checksPerTurn] = [100, 2000];
/** Served links that one eviction may skip. If all were served, the table grows by a sixteenth at most. */
const maxSkipped = 16;

export function createLinks(options: Options): Links {
  const { lookups, watch, gate, filter, trust, maxLinks, maxUnknown, unknownMs, silenceMs, lookupTimeoutMs } =
    options;
  const { staleLinks, onLookupError, clock, nowMs = () => performance.now() } = options;
  const table = createLinkTable();
  /** Where the next eviction begins. */
  let hand = 0;
  const unknown = new Map<string, UnknownKey>();
  const pending = new Map<string, Pending>();
  /** Cached keys that were invalidated a moment ago. */
  const toReread = new Set<string>();
  const counts: LookupCounts = { memory: 0, database: 0, last_known: 0, filter: 0, busy: 0, away: 0 };
  let changes = 0;
  /** Orders queries and invalidations. */
  let lastSequence = 0;

  function remember(key: string, link: Link | null, epoch: number, sequence: number): void {
    const before = table.find(key);
    if (before >= 0 && table.sequenceAt(before) > sequence) return;
    changes++;
    if (link) {
      if (before < 0) makeRoom();
      table.set(key, link, { epoch, sequence, confirmedAtMs: clock.now().getTime() });
    } else {
      if (before >= 0) table.delete(before);
      if (epoch === untrusted) return;
      unknown.set(key, { untilMs: nowMs() + unknownMs, epoch, term: trust.term });
      if (unknown.size > maxUnknown) unknown.delete(unknown.keys().next().value!);
    }
  }

  /**
   * Removes links in turn, but gives a second chance to those served since their last turn, so that many cold codes do not
   * push out a hot one.
   */
  function makeRoom(): void {
    for (let skipped = 0; skipped < maxSkipped && table.size > 0 && table.weight >= maxLinks; hand++) {
      if (hand >= table.end) hand = 0;
      if (!table.isUsed(hand)) continue;
      if (table.clearServed(hand)) skipped++;
      else table.delete(hand);
    }
  }

  /**
   * Queries PostgreSQL. The answer has every change that was committed before the query. It is trusted where no change was
   * missed since, and none of this key was applied.
   */
  async function query(key: string, epoch: number, isStale: () => boolean): Promise<Found | 'failed'> {
    const sequence = ++lastSequence;
    try {
      const link = await lookups.find(key);
      const trusted = trust.isGood() && trust.epoch === epoch && !isStale();
      remember(key, link, trusted ? epoch : untrusted, sequence);
      return link ? { link } : 'none';
    } catch (error) {
      onLookupError(error);
      return 'failed';
    }
  }

  /**
   * Requests share a query under way only under a lease: otherwise a query sent before an edit could answer a request that
   * came after it.
   */
  function sharedQuery(key: string): Promise<Found | 'failed'> {
    const { epoch } = trust;
    const shared = pending.get(key);
    if (shared?.epoch === epoch && trust.isGood()) return shared.answer;
    // An invalidation finds only the newest query for a key.
    if (shared) shared.stale = true;
    const entry: { stale: boolean; epoch: number; answer: Promise<Found | 'failed'> } = {
      stale: false,
      epoch: trust.isGood() ? epoch : untrusted,
      answer: Promise.resolve('failed' as const),
    };
    entry.answer = query(key, entry.epoch, () => entry.stale).finally(() => {
      if (pending.get(key) === entry) pending.delete(key);
    });
    pending.set(key, entry);
    return entry.answer;
  }

  /**
   * Reads the link soon and not with the next scan: if PostgreSQL were away by then, a stopped or deleted code would be served.
   * But not at once, so that the edit does not wait for it and many edits share one query.
   */
  function scheduleReread(key: string): void {
    if (toReread.size === 0)
      setTimeout(() => {
        const keys = [...toReread];
        toReread.clear();
        for (const changed of keys) if (isStale(table.find(changed))) void sharedQuery(changed);
      }, rereadAfterMs).unref();
    toReread.add(key);
  }

  const isStale = (row: number) => row >= 0 && table.isStale(row);

  /** A cached link: PostgreSQL has the last word, but only for as long as a scanner can wait. */
  async function confirm(key: string, row: number): Promise<Found> {
    // After an invalidation, the old destination is the last resort.
    const maxSilenceMs = isStale(row) ? lookupTimeoutMs : silenceMs;
    const cached = table.foundAt(row);
    const lastKnown = () => {
      counts.last_known++;
      const current = table.find(key);
      return current < 0 ? cached : table.foundAt(current);
    };
    if (watch.silentMs() >= maxSilenceMs && !(await watch.mayRecover(graceMs))) return lastKnown();
    const silence = Promise.withResolvers<'failed'>();
    const cancel = watch.onSilence(maxSilenceMs, () => silence.resolve('failed'));
    const answer = Promise.race([sharedQuery(key), silence.promise]);
    const found = await withTimeout(lookupTimeoutMs, answer).catch(() => 'failed' as const);
    cancel();
    if (found === 'failed') return lastKnown();
    counts.database++;
    return found;
  }

  async function lookUp(key: string, { block, isGuessing }: Requester): Promise<Found> {
    const row = table.find(key);
    if (row >= 0 && staleLinks === 'serve') return confirm(key, row);
    if (watch.silentMs() >= lookupTimeoutMs) return unanswered('away');
    if (row >= 0 || pending.has(key) || lookups.isQueued(key)) return awaitAnswer(sharedQuery(key));
    const likelihood = filter.estimate(key);
    if (likelihood === 'unlikely' && isGuessing) {
      counts.filter++;
      return 'busy';
    }
    const leave = gate.enter(likelihood, block);
    if (!leave) return unanswered('busy');
    try {
      return await awaitAnswer(sharedQuery(key));
    } finally {
      leave();
    }
  }

  async function awaitAnswer(answer: Promise<Found | 'failed'>): Promise<Found> {
    const found = await withTimeout(lookupTimeoutMs, answer).catch(() => 'failed' as const);
    if (found === 'failed') return unanswered('away');
    counts.database++;
    return found;
  }

  function unanswered(reason: 'away' | 'busy'): Found {
    counts[reason]++;
    return reason;
  }

  return {
    getCached(key) {
      if (!trust.isGood()) return undefined;
      const row = table.find(key);
      if (row >= 0) {
        if (table.epochAt(row) !== trust.epoch) return undefined;
        table.markServed(row);
        counts.memory++;
        return table.foundAt(row);
      }
      const missing = unknown.get(key);
      if (!missing || missing.epoch !== trust.epoch || missing.term !== trust.term) return undefined;
      if (nowMs() >= missing.untilMs) return undefined;
      counts.memory++;
      return 'none';
    },

    lookUp,

    invalidate(keys) {
      // An edit was committed, so PostgreSQL answers, even if it seems silent from here.
      watch.resetSilence();
      changes++;
      for (const key of keys) {
        filter.add(key);
        const row = table.find(key);
        if (row >= 0) {
          table.invalidate(row, untrusted, ++lastSequence);
          scheduleReread(key);
        }
        unknown.delete(key);
        const underWay = pending.get(key);
        if (underWay) {
          underWay.stale = true;
          pending.delete(key);
        }
      }
    },

    async refresh() {
      let batch: string[] = [];
      let checked = 0;
      for (const row of table.rows()) {
        if (!trust.isGood() || watch.silentMs() >= silenceMs) return;
        if (++checked % checksPerTurn === 0) await nextTurn();
        if (table.isUsed(row) && table.epochAt(row) !== trust.epoch) batch.push(table.keyAt(row));
        if (batch.length < refreshKeys) continue;
        await Promise.all(batch.map(sharedQuery));
        batch = [];
      }
      await Promise.all(batch.map(sharedQuery));
    },

    *entries() {
      const now = clock.now().getTime();
      for (const row of table.rows()) {
        if (table.epochAt(row) === trust.epoch && trust.isGood()) table.confirm(row, now);
        const confirmedAtMs = table.confirmedAtMsAt(row);
        const isConfirmed = now - confirmedAtMs <= confirmedForMs || watch.silentMs() >= silenceMs;
        if (!isConfirmed || isStale(row)) continue;
        const link = table.linkAt(row);
        if (link.status !== 'deleted') yield [table.keyAt(row), link, confirmedAtMs] as const;
      }
    },

    restore(key, link, confirmedAtMs) {
      if (table.find(key) >= 0 || table.weight >= maxLinks) return;
      table.set(key, link, { epoch: untrusted, sequence: 0, confirmedAtMs });
    },

    get changes() {
      return changes;
    },
    get size() {
      return table.size;
    },
    lookupCounts: counts,
  };
}
