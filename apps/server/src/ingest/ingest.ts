import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { EntryMark, LogEntry } from '../scans/log/format/entry.ts';
import type { LogState } from '../scans/log/meter.ts';
import type { KnownLog } from '../scans/log/reader.ts';
import type { Scan, ScanBatch } from '../scans/scan.ts';

/** The scan log as ingest reads it: the entries of one shard in order, first the existing and then the new ones. */
export type ScanLogReader = {
  /** Resolves when the stream of the shard exists. */
  ready(shard: number, signal: AbortSignal): Promise<void>;
  readState(shard: number): Promise<LogState>;
  /** When the entry was appended; null if it does not exist. */
  readTime(shard: number, position: number): Promise<Date | null>;
  /** Fails with `fault: 'replaced'` as soon as the log turns out not to be the known one. */
  read(shard: number, afterPosition: number, signal: AbortSignal, known?: KnownLog): AsyncIterable<LogEntry>;
};

/** A validated entry: an invalid or missing one has no scans. */
export type CheckedEntry = {
  readonly position: number;
  readonly batch: ScanBatch;
  /** As stored in the log. */
  readonly bytes: Uint8Array;
  readonly mark: EntryMark | null;
  /** Why it is invalid; null for a valid one. */
  readonly fault: string | null;
  /** How many entries, up to and including this position, were trimmed before they were read. */
  readonly missing: number;
  /** The trace that the batch is part of, as a `traceparent`. */
  readonly trace?: string;
};

/** What stands for the scans of an invalid or missing entry. */
export const emptyBatch: ScanBatch = { id: '', scans: [] };

/** Log entries that are counted and stored together: those after `afterPosition`, up to and including `toPosition`. */
export type Group = {
  readonly shard: number;
  /** The number of the log that the positions are in. */
  readonly log: number;
  readonly afterPosition: number;
  readonly toPosition: number;
  readonly entries: readonly CheckedEntry[];
};

export const toGroup = (
  { shard, log }: Pick<Group, 'shard' | 'log'>,
  afterPosition: number,
  entries: readonly CheckedEntry[],
): Group => ({
  shard,
  log,
  afterPosition,
  toPosition: entries.at(-1)?.position ?? afterPosition,
  entries,
});

/** A unique name: the log is part of it because positions start over in a new log, the first batch because a group may be rolled back. */
export const groupName = ({ shard, log, afterPosition, toPosition, entries }: Group) =>
  `${shard}${log > 0 ? `.${log}` : ''}-${afterPosition}-${toPosition}-${firstBatch(entries)?.id}`;

const firstBatch = (entries: readonly CheckedEntry[]) =>
  entries.find(({ batch }) => batch.scans.length > 0)?.batch;

/** All scans of a group in log order. */
export const listScans = (group: Group): Scan[] => group.entries.flatMap(({ batch }) => batch.scans);

/** What became of a scan: skipped, counted, or counted as the first of its visitor. The numbers are stored. */
export const classes = { skipped: 0, counted: 1, unique: 2 } as const;

/** One byte per scan, in log order. */
export type Classifications = Buffer;

/** Publishes counted scans. Idempotent: repeating a group publishes the same messages. */
export type ScanPublisher = {
  /** Whether there is anything to publish of a group. */
  isAwaited(tx: Database, group: Group, classifications: Classifications): Promise<boolean>;
  publish(group: Group, classifications: Classifications, signal: AbortSignal): Promise<void>;
};

/** Erases the scans of deleted codes from another store. Idempotent; calls `renew` while it works. */
export type Eraser = {
  erase(
    accounts: readonly Uuid[],
    codes: readonly Uuid[],
    renew: () => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>;
};

/** Metrics of rows that are hidden but still on disk. */
export type ErasureMetrics = {
  hidden(state: {
    readonly rows: number;
    readonly oldestSeconds: number;
    readonly rewrittenMonth: string | null;
  }): void;
};

/** A counted group: the class of each scan, and the number of its visitor; 0 for a skipped scan. */
export type Counted = { readonly classifications: Classifications; readonly numbers: readonly number[] };

/** An open group has rows to be stored or messages to be published. */
export type CountedGroup = Counted & { readonly isOpen: boolean };

/** The part that belongs to a range of the scans. */
export const sliceCounted = (
  { classifications: all, numbers }: Counted,
  from: number,
  to: number,
): Counted => ({
  classifications: all.subarray(from, to),
  numbers: numbers.slice(from, to),
});

/** Metrics of the work of ingest. */
export type IngestCounters = {
  stored(scans: number): void;
  /** Skipped because the batch had been counted before. */
  repeated(scans: number): void;
  /** Skipped because their code was deleted. */
  ofDeletedCodes(scans: number): void;
  quarantined(entries: number): void;
  /** Entries that were trimmed before they were counted. */
  trimmed(entries: number): void;
  /** Whether the shard is stopped at an entry that this version cannot read. */
  stopped(shard: number, isStopped: boolean): void;
  /** The work paused after a failure: a database or NATS was down, or something else went wrong. */
  interrupted(): void;
};

/** Another process owns this shard, or has taken it over. */
export class ShardTaken extends Error {
  constructor(shard: number) {
    super(`Another process owns shard ${shard}`);
    this.name = 'ShardTaken';
  }
}

/** The log has an entry in a layout that this version does not know: skipping it would silently lose scans. */
export class UnknownLayout extends Error {
  readonly position: number;
  readonly version: number | undefined;

  constructor(position: number, version: number | undefined) {
    super(`The entry at position ${position} has layout ${version}, which this version does not know`);
    this.name = 'UnknownLayout';
    this.position = position;
    this.version = version;
  }
}
