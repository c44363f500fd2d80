import type { Lease } from './lease.ts';
import type { Link } from './link.ts';
import type { LinkStore } from './store.ts';

/** A link, the knowledge that there is none, or that nobody can be asked. */
export type Found = { readonly link: Link } | 'none' | 'away';

/**
 * Links in memory, used only while the lease is good: then every edit is sure to be heard of. Without it each
 * request asks PostgreSQL; and where that cannot be reached either, what was known last is served, since then
 * nobody can edit.
 */
export type Links = {
  /** From memory alone. */
  recall(shortCode: string): Found | undefined;
  look(shortCode: string): Promise<Found>;
  /** After this resolves or returns, nothing that was read before is served for these codes. */
  drop(shortCodes: readonly string[]): void;
  readonly size: number;
};

type Options = {
  readonly store: LinkStore;
  readonly lease: Pick<Lease, 'epoch' | 'isGood'>;
  readonly maxLinks: number;
  /** Codes remembered as unknown, so that guessing costs no query. */
  readonly maxUnknown: number;
  readonly unknownMs: number;
  /** How long PostgreSQL is left alone after it could not be reached. */
  readonly restMs: number;
  readonly onAway: (error: unknown) => void;
  /** Whether PostgreSQL could not be reached at all, rather than being silent. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly nowMs?: () => number;
};

type Known = { readonly link: Link; readonly epoch: number };
type Unknown = { readonly untilMs: number; readonly epoch: number };
type Asking = { readonly answer: Promise<Found>; spoiled: boolean };

/** Of no lease: known once, but not to be trusted. */
const untrusted = -1;

export function createLinks(options: Options): Links {
  const {
    store,
    lease,
    maxLinks,
    maxUnknown,
    unknownMs,
    restMs,
    onAway,
    isRefusal,
    nowMs = () => performance.now(),
  } = options;
  const known = new Map<string, Known>();
  const unknown = new Map<string, Unknown>();
  const asking = new Map<string, Asking>();
  let restUntilMs = 0;

  function remember(shortCode: string, link: Link | null, epoch: number): void {
    if (link) {
      known.set(shortCode, { link, epoch });
      if (known.size > maxLinks) known.delete(known.keys().next().value!);
    } else {
      known.delete(shortCode);
      if (epoch === untrusted) return;
      unknown.set(shortCode, { untilMs: nowMs() + unknownMs, epoch });
      if (unknown.size > maxUnknown) unknown.delete(unknown.keys().next().value!);
    }
  }

  function lastKnown(shortCode: string): Found {
    const entry = known.get(shortCode);
    return entry ? { link: entry.link } : 'away';
  }

  async function ask(shortCode: string, isSpoiled: () => boolean): Promise<Found> {
    if (nowMs() < restUntilMs) return lastKnown(shortCode);
    const leased = lease.isGood();
    const { epoch } = lease;
    try {
      const link = await findPatiently(shortCode);
      const trusted = leased && lease.isGood() && lease.epoch === epoch && !isSpoiled();
      remember(shortCode, link, trusted ? epoch : untrusted);
      return link ? { link } : 'none';
    } catch (error) {
      onAway(error);
      restUntilMs = nowMs() + restMs;
      return lastKnown(shortCode);
    }
  }

  /**
   * A refusal means that PostgreSQL is down, and then nobody can edit. Silence may only mean that it is slow, or that
   * this very process was stopped for a while: then the question is asked once more before memory is believed.
   */
  async function findPatiently(shortCode: string): Promise<Link | null> {
    try {
      return await store.find(shortCode);
    } catch (error) {
      if (isRefusal(error)) throw error;
      return store.find(shortCode);
    }
  }

  return {
    recall(shortCode) {
      if (!lease.isGood()) return undefined;
      const entry = known.get(shortCode);
      if (entry) return entry.epoch === lease.epoch ? entry : undefined;
      const missing = unknown.get(shortCode);
      return missing && missing.epoch === lease.epoch && nowMs() < missing.untilMs ? 'none' : undefined;
    },

    look(shortCode) {
      // Only under a lease may several share one question: else one that was asked before an edit could answer after it.
      if (!lease.isGood()) return ask(shortCode, () => true);
      const shared = asking.get(shortCode);
      if (shared) return shared.answer;
      const entry: { spoiled: boolean; answer: Promise<Found> } = {
        spoiled: false,
        answer: ask(shortCode, () => entry.spoiled).finally(() => {
          if (asking.get(shortCode) === entry) asking.delete(shortCode);
        }),
      };
      asking.set(shortCode, entry);
      return entry.answer;
    },

    drop(shortCodes) {
      for (const shortCode of shortCodes) {
        const entry = known.get(shortCode);
        if (entry) known.set(shortCode, { ...entry, epoch: untrusted });
        unknown.delete(shortCode);
        const question = asking.get(shortCode);
        if (question) {
          question.spoiled = true;
          asking.delete(shortCode);
        }
      }
    },

    get size() {
      return known.size;
    },
  };
}
