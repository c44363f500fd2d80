import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { within } from '../kernel/within.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { KeyFilter } from './key-filter.ts';
import type { Lease } from './lease.ts';
import type { Link } from './link.ts';
import type { LookUpGate } from './look-up-gate.ts';
import type { LookUps } from './look-ups.ts';

/** A link, the knowledge that there is none, that nobody can be asked, or that too many are asking. */
export type Found = { readonly link: Link } | 'none' | 'away' | 'busy';

/** Who wants to know. */
export type Asker = {
  readonly block: string;
  /** Whether this block has asked for too many codes that do not exist. */
  readonly isGuessing: boolean;
};

/**
 * Links in memory, used only while the lease is good: then every edit is sure to be heard of. Without it each
 * request asks PostgreSQL; and where that does not answer either, the last known destination is served.
 */
export type Links = {
  /** From memory alone. */
  recall(key: string): Found | undefined;
  look(key: string, asker: Asker): Promise<Found>;
  /** After this returns, nothing that was read before is served for these codes while PostgreSQL answers. */
  drop(keys: readonly string[]): void;
  /** Reads again what was known under an earlier lease, so that deletions nobody told of are found. Bounded by its pace. */
  refresh(): Promise<void>;
  /**
   * What is known to be right, and when it was last sure to be. While PostgreSQL answers, that is what is trusted or was read a
   * moment ago; while it does not, nobody can delete, and it is everything.
   */
  entries(): Iterable<readonly [key: string, link: Link, sureAtMs: number]>;
  /** Takes over what was known before a restart. It is served only where PostgreSQL does not answer. */
  restore(key: string, link: Link, sureAtMs: number): void;
  /** Goes up whenever `entries` may have changed. */
  readonly changes: number;
  readonly size: number;
  readonly lookUpCounts: Readonly<LookUpCounts>;
};

/** Look-ups by what answered them. Counted up in place: memory answers nearly every scan. */
export type LookUpCounts = {
  memory: number;
  database: number;
  /** Memory, which PostgreSQL could not be asked to confirm. */
  last_known: number;
  /** Nothing: the filter has no such code, and the asker guesses. */
  filter: number;
  /** Nothing: too many wait for PostgreSQL. */
  busy: number;
  /** Nothing: PostgreSQL does not answer. */
  away: number;
};

type Options = {
  readonly lookUps: Pick<LookUps, 'find' | 'isQueued'>;
  readonly watch: Pick<DatabaseWatch, 'silentMs' | 'mayReturn' | 'wake' | 'afterSilence'>;
  readonly gate: LookUpGate;
  readonly filter: Pick<KeyFilter, 'chanceOf' | 'add'>;
  readonly lease: Pick<Lease, 'epoch' | 'isGood'>;
  readonly maxLinks: number;
  /** Codes remembered as unknown, so that guessing costs no query. */
  readonly maxUnknown: number;
  readonly unknownMs: number;
  /** How long PostgreSQL may be silent before the last known destination is served. */
  readonly silenceMs: number;
  /** How long a scanner waits for PostgreSQL where memory has no answer. */
  readonly lookUpMs: number;
  /** What is done with the last known destination where PostgreSQL does not answer. */
  readonly staleLinks: 'serve' | 'refuse';
  readonly onAway: (error: unknown) => void;
  /** The time of day, for what outlives the process. */
  readonly clock: Clock;
  readonly nowMs?: () => number;
};

type Known = {
  readonly link: Link;
  epoch: number;
  /** Of the question that it answers, or of the edit heard of since: what was asked before says nothing new. */
  asked: number;
  /** By the time of day: when it was read, or last known to be current. */
  sureAtMs: number;
  /** Recalled since it was last up for eviction. */
  used: boolean;
  /** An edit was heard of that has not been read yet. */
  outdated: boolean;
};
type Unknown = { readonly untilMs: number; readonly epoch: number };
type Asking = { readonly answer: Promise<Found | 'failed'>; readonly epoch: number; spoiled: boolean };

/** Of no lease: known once, but not to be trusted. */
const untrusted = -1;
/** While PostgreSQL is silent a scan waits this long, in case it has just come back. */
const graceMs = 40;
/** Without a lease, what was read so long ago may have been deleted since. */
const sureForMs = 60_000;
/** How long after an edit that was heard of a code is read again, where nobody has scanned it. */
const readAgainMs = 100;
/** What a refresh asks for at once, and looks at between two turns of the event loop. */
const [refreshKeys, looksATurn] = [100, 2000];
/** Entries that one insertion may pass over. All of them in use: the memory then grows by a sixteenth at most. */
const mostPassedOver = 16;

export function createLinks(options: Options): Links {
  const { lookUps, watch, gate, filter, lease, maxLinks, maxUnknown, unknownMs, silenceMs, lookUpMs } =
    options;
  const { staleLinks, onAway, clock, nowMs = () => performance.now() } = options;
  const known = new Map<string, Known>();
  const unknown = new Map<string, Unknown>();
  const asking = new Map<string, Asking>();
  /** Known codes of which an edit was heard a moment ago. */
  const dropped = new Set<string>();
  const counts: LookUpCounts = { memory: 0, database: 0, last_known: 0, filter: 0, busy: 0, away: 0 };
  let changes = 0;
  /** Puts questions and edits in order. */
  let sequence = 0;

  function remember(key: string, link: Link | null, epoch: number, asked: number): void {
    const before = known.get(key);
    if (before && before.asked > asked) return;
    changes++;
    if (link) {
      if (!before && known.size >= maxLinks) evict();
      const sureAtMs = clock.now().getTime();
      known.set(key, { link, epoch, asked, sureAtMs, used: before?.used ?? false, outdated: false });
    } else {
      known.delete(key);
      if (epoch === untrusted) return;
      unknown.set(key, { untilMs: nowMs() + unknownMs, epoch });
      if (unknown.size > maxUnknown) unknown.delete(unknown.keys().next().value!);
    }
  }

  /** The oldest goes, but one that was used since its last turn gets another: many cold codes do not push out a hot one. */
  function evict(): void {
    let passed = 0;
    for (const [key, entry] of known) {
      known.delete(key);
      if (entry.used) {
        entry.used = false;
        known.set(key, entry);
        if (++passed === mostPassedOver) return;
      } else if (known.size < maxLinks) return;
    }
  }

  /** Puts the question to PostgreSQL. What it says is trusted only where one lease was good all the while. */
  async function ask(key: string, epoch: number, isSpoiled: () => boolean): Promise<Found | 'failed'> {
    const asked = ++sequence;
    try {
      const link = await lookUps.find(key);
      const trusted = lease.isGood() && lease.epoch === epoch && !isSpoiled();
      remember(key, link, trusted ? epoch : untrusted, asked);
      return link ? { link } : 'none';
    } catch (error) {
      onAway(error);
      return 'failed';
    }
  }

  /**
   * Only under one and the same lease may several share a question that is on its way: else one that was put before an edit
   * could answer after it.
   */
  function question(key: string): Promise<Found | 'failed'> {
    const { epoch } = lease;
    const shared = asking.get(key);
    if (shared?.epoch === epoch && lease.isGood()) return shared.answer;
    const entry: { spoiled: boolean; epoch: number; answer: Promise<Found | 'failed'> } = {
      spoiled: false,
      epoch: lease.isGood() ? epoch : untrusted,
      answer: Promise.resolve('failed' as const),
    };
    entry.answer = ask(key, entry.epoch, () => entry.spoiled).finally(() => {
      if (asking.get(key) === entry) asking.delete(key);
    });
    asking.set(key, entry);
    return entry.answer;
  }

  /**
   * Soon, not with the next scan: were PostgreSQL away by then, what was stopped or deleted would be served. But not at once,
   * so that whoever edits does not wait for it, and many edits are one question.
   */
  function readAgain(key: string): void {
    if (dropped.size === 0)
      setTimeout(() => {
        const keys = [...dropped];
        dropped.clear();
        for (const one of keys) if (known.get(one)?.outdated) void question(one);
      }, readAgainMs).unref();
    dropped.add(key);
  }

  /** A code that is known: PostgreSQL has the last word, but not for longer than a scanner can wait. */
  async function confirm(key: string, entry: Known): Promise<Found> {
    // After an edit that was heard of, the old destination is the last resort.
    const patienceMs = entry.outdated ? lookUpMs : silenceMs;
    const lastKnown = () => {
      counts.last_known++;
      return known.get(key) ?? entry;
    };
    if (watch.silentMs() >= patienceMs && !(await watch.mayReturn(graceMs))) return lastKnown();
    const silence = Promise.withResolvers<'failed'>();
    const end = watch.afterSilence(patienceMs, () => silence.resolve('failed'));
    const answer = Promise.race([question(key), silence.promise]);
    const found = await within(lookUpMs, answer).catch(() => 'failed' as const);
    end();
    if (found === 'failed') return lastKnown();
    counts.database++;
    return found;
  }

  async function look(key: string, { block, isGuessing }: Asker): Promise<Found> {
    const entry = known.get(key);
    if (entry && staleLinks === 'serve') return confirm(key, entry);
    if (watch.silentMs() >= lookUpMs) return unanswered('away');
    if (entry || asking.has(key) || lookUps.isQueued(key)) return inTime(question(key));
    const chance = filter.chanceOf(key);
    if (chance === 'unlikely' && isGuessing) {
      counts.filter++;
      return 'busy';
    }
    const leave = gate.enter(chance, block);
    if (!leave) return unanswered('busy');
    try {
      return await inTime(question(key));
    } finally {
      leave();
    }
  }

  async function inTime(answer: Promise<Found | 'failed'>): Promise<Found> {
    const found = await within(lookUpMs, answer).catch(() => 'failed' as const);
    if (found === 'failed') return unanswered('away');
    counts.database++;
    return found;
  }

  function unanswered(why: 'away' | 'busy'): Found {
    counts[why]++;
    return why;
  }

  return {
    recall(key) {
      if (!lease.isGood()) return undefined;
      const entry = known.get(key);
      if (entry) {
        if (entry.epoch !== lease.epoch) return undefined;
        entry.used = true;
        counts.memory++;
        return entry;
      }
      const missing = unknown.get(key);
      if (!missing || missing.epoch !== lease.epoch || nowMs() >= missing.untilMs) return undefined;
      counts.memory++;
      return 'none';
    },

    look,

    drop(keys) {
      // An edit was committed, so PostgreSQL answers, whatever it looked like from here.
      watch.wake();
      changes++;
      for (const key of keys) {
        filter.add(key);
        const entry = known.get(key);
        if (entry) {
          entry.epoch = untrusted;
          entry.outdated = true;
          entry.asked = ++sequence;
          readAgain(key);
        }
        unknown.delete(key);
        const open = asking.get(key);
        if (open) {
          open.spoiled = true;
          asking.delete(key);
        }
      }
    },

    async refresh() {
      let batch: string[] = [];
      let looked = 0;
      for (const [key, entry] of known.entries().take(known.size)) {
        if (!lease.isGood() || watch.silentMs() >= silenceMs) return;
        if (++looked % looksATurn === 0) await turn();
        if (entry.epoch !== lease.epoch) batch.push(key);
        if (batch.length < refreshKeys) continue;
        await Promise.all(batch.map(question));
        batch = [];
      }
      await Promise.all(batch.map(question));
    },

    *entries() {
      const now = clock.now().getTime();
      // Eviction puts entries that are in use behind those that are yet to come.
      for (const [key, entry] of known.entries().take(known.size)) {
        if (entry.epoch === lease.epoch && lease.isGood()) entry.sureAtMs = now;
        const isSure = now - entry.sureAtMs <= sureForMs || watch.silentMs() >= silenceMs;
        if (isSure && !entry.outdated && entry.link.status !== 'deleted')
          yield [key, entry.link, entry.sureAtMs] as const;
      }
    },

    restore(key, link, sureAtMs) {
      if (known.has(key) || known.size >= maxLinks) return;
      known.set(key, { link, epoch: untrusted, asked: 0, sureAtMs, used: false, outdated: false });
    },

    get changes() {
      return changes;
    },
    get size() {
      return known.size;
    },
    lookUpCounts: counts,
  };
}
