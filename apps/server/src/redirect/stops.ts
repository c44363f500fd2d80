import type { StopChange, StopReason } from '../stops/stop.ts';
import type { Link } from './link.ts';

/**
 * Accounts and hosts that nobody is sent to, in memory beside the links. Changes are told to every process that holds a
 * lease; whoever was away finds out with its next look-up, since each tells the number of the last change there was.
 */
export type Stops = {
  /** What keeps a link from sending anybody on, whatever its own status; null where nothing does. */
  of(link: Pick<Link, 'accountId' | 'host'>): StopReason | null;
  /** Takes over changes that were told. */
  apply(changes: readonly StopChange[]): void;
  /** Resolves when every change up to this number is known. Rejects where PostgreSQL cannot be asked. */
  reach(version: number): Promise<void>;
  /** What was known before a restart. */
  restore(version: number, changes: readonly StopChange[]): void;
  /** Everything that is stopped. */
  entries(): Iterable<StopChange>;
  /** The number up to which every change is known. */
  readonly version: number;
  /** Goes up whenever `entries` may have changed. */
  readonly changes: number;
};

/** What changed after a number, or everything there is where that number says too little. */
export type StopReading = {
  readonly version: number;
  readonly isWhole: boolean;
  readonly changes: readonly StopChange[];
};

/** Before anything was read. */
const nothingRead = -1;

export function createStops(read: (after: number) => Promise<StopReading>): Stops {
  const accounts = new Map<string, StopReason>();
  const hosts = new Set<string>();
  /** All that are in force. There may be very many: a change touches its own subject alone. */
  let known = new Map<string, StopChange>();
  /** What was told and not read yet, lifted ones too: a reading of a moment before must not undo it. */
  let told = new Map<string, StopChange>();
  let version = nothingRead;
  let changes = 0;
  let reading: Promise<void> | null = null;

  function set(change: StopChange): void {
    const { subject, reason } = change;
    if (reason === null) known.delete(subject);
    else known.set(subject, change);
    const [kind, name] = split(subject);
    if (kind === 'host') reason === null ? hosts.delete(name) : hosts.add(name);
    else reason === null ? accounts.delete(name) : accounts.set(name, reason);
  }

  function apply(some: readonly StopChange[]): void {
    for (const change of some) {
      const before = told.get(change.subject) ?? known.get(change.subject);
      if (change.n <= version || change.n <= (before?.n ?? nothingRead)) continue;
      changes++;
      told.set(change.subject, change);
      set(change);
    }
  }

  function replace(all: readonly StopChange[]): void {
    known = new Map();
    accounts.clear();
    hosts.clear();
    for (const change of all) set(change);
  }

  async function readOnce(): Promise<void> {
    const found = await read(version);
    // A number that went back: the database was restored, and what is known from after that never was.
    const isEarlier = found.version < version;
    const later = isEarlier ? [] : [...told.values()].filter(change => change.n > found.version);
    if (found.isWhole) replace(found.changes);
    else for (const change of found.changes) set(change);
    version = found.version;
    changes++;
    told = new Map(later.map(change => [change.subject, change]));
    for (const change of later) set(change);
  }

  return {
    of({ accountId, host }) {
      const reason = accounts.size > 0 ? accounts.get(accountId) : undefined;
      if (reason !== undefined) return reason;
      return hosts.size > 0 && isIn(hosts, host) ? 'blocked' : null;
    },

    apply,

    async reach(wanted) {
      // A reading that is under way may have begun before the change that is wanted.
      for (let isFirst = true; version !== wanted && (isFirst || version < wanted); isFirst = false) {
        reading ??= readOnce().finally(() => {
          reading = null;
        });
        await reading;
      }
    },

    restore(of, all) {
      if (version !== nothingRead) return;
      replace(all);
      version = of;
    },

    entries: () => known.values(),

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

/** Whether the host or a domain above it is among them. */
function isIn(hosts: ReadonlySet<string>, host: string): boolean {
  if (hosts.has(host)) return true;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
    if (hosts.has(host.slice(dot + 1))) return true;
  return false;
}
