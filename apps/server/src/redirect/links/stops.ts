import type { StopChange, StopReason } from '../changes/stops/stop.ts';
import { createDomainMap, type DomainMap } from './domain-map.ts';
import type { Link } from './link.ts';

/**
 * Stopped accounts and hosts, and all domains, in memory beside the links. Changes are broadcast to every process that holds a lease. A process
 * that missed one finds out with its next look-up, since each look-up returns the number of the last change.
 */
export type Stops = {
  /** Why a link must not redirect, whatever its own status; null where it may. */
  reasonFor(link: Pick<Link, 'accountId' | 'host'> & Partial<Pick<Link, 'routing'>>): StopReason | null;
  /** Applies changes that were broadcast. */
  apply(changes: readonly StopChange[]): void;
  /** Resolves when every change up to this number is known. Rejects where PostgreSQL does not answer. */
  catchUpTo(version: number): Promise<void>;
  /** Restores what was known before a restart. */
  restore(version: number, changes: readonly StopChange[]): void;
  readonly domains: DomainMap;
  /** Everything that is stopped, then all domains. */
  entries(): Iterable<StopChange>;
  /** The number up to which every change is known. */
  readonly version: number;
  /** Increases whenever `entries` may have changed. */
  readonly changes: number;
};

/** The changes after a number, or all stops where they are not known that far back. */
export type StopReading = {
  readonly version: number;
  readonly isComplete: boolean;
  readonly changes: readonly StopChange[];
};

/** Before anything was read. */
const nothingRead = -1;

export function createStops(read: (after: number) => Promise<StopReading>): Stops {
  const accounts = new Map<string, StopReason>();
  const hosts = new Set<string>();
  const domains = createDomainMap();
  /** All stops in force, and domains. There may be very many: a change touches only its own subject. */
  let active = new Map<string, StopChange>();
  /** Changes that were broadcast and not read yet, lifted stops too: a query sent a moment earlier must not undo them. */
  let unread = new Map<string, StopChange>();
  let version = nothingRead;
  let changes = 0;
  let reading: Promise<void> | null = null;

  function set(change: StopChange): void {
    const { subject, reason, domain } = change;
    if (reason === null && !domain) active.delete(subject);
    else active.set(subject, change);
    const [kind, name] = split(subject);
    if (domain) domains.set(name, domain);
    else if (kind === 'host') reason === null ? hosts.delete(name) : hosts.add(name);
    else reason === null ? accounts.delete(name) : accounts.set(name, reason);
  }

  function apply(received: readonly StopChange[]): void {
    for (const change of received) {
      const before = unread.get(change.subject) ?? active.get(change.subject);
      if (change.n <= version || change.n <= (before?.n ?? nothingRead)) continue;
      changes++;
      unread.set(change.subject, change);
      set(change);
    }
  }

  function replace(all: readonly StopChange[]): void {
    active = new Map();
    accounts.clear();
    hosts.clear();
    domains.clear();
    for (const change of all) set(change);
  }

  async function readOnce(): Promise<void> {
    const found = await read(version);
    // A lower number than before: the database was restored from a backup, and later changes never happened there.
    const isEarlier = found.version < version;
    const later = isEarlier ? [] : [...unread.values()].filter(change => change.n > found.version);
    if (found.isComplete) replace(found.changes);
    else for (const change of found.changes) set(change);
    version = found.version;
    changes++;
    unread = new Map(later.map(change => [change.subject, change]));
    for (const change of later) set(change);
  }

  return {
    reasonFor({ accountId, host, routing }) {
      const reason = accounts.size > 0 ? accounts.get(accountId) : undefined;
      if (reason !== undefined) return reason;
      if (hosts.size === 0) return null;
      const isBlocked =
        includesHost(hosts, host) || (routing?.hosts.some(other => includesHost(hosts, other)) ?? false);
      return isBlocked ? 'blocked' : null;
    },

    apply,

    async catchUpTo(wanted) {
      // A query under way may have been sent before the wanted change.
      for (let isFirst = true; version !== wanted && (isFirst || version < wanted); isFirst = false) {
        reading ??= readOnce().finally(() => {
          reading = null;
        });
        await reading;
      }
    },

    restore(restoredVersion, all) {
      if (version !== nothingRead) return;
      replace(all);
      version = restoredVersion;
    },

    domains,

    *entries() {
      for (const change of active.values()) if (!change.domain) yield change;
      for (const change of active.values()) if (change.domain) yield change;
    },

    get version() {
      return version;
    },
    get changes() {
      return changes;
    },
  };
}

function split(subject: string): [kind: string, name: string] {
  const at = subject.indexOf('/');
  return [subject.slice(0, at), subject.slice(at + 1)];
}

/** Whether the host or one of its parent domains is among them. */
function includesHost(hosts: ReadonlySet<string>, host: string): boolean {
  if (hosts.has(host)) return true;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
    if (hosts.has(host.slice(dot + 1))) return true;
  return false;
}
