import type { Uuid } from '../kernel/ids.ts';
import type { EntryMark, LogEntry } from '../scans/log-entry.ts';
import type { Scan, ScanBatch } from '../scans/scan.ts';

/** The scan log as ingest reads it: entries of one shard in order, those that are there and then those that come. */
export type ScanLogReader = {
  /** Resolves when the shard can be asked about. */
  ready(shard: number, signal: AbortSignal): Promise<void>;
  stateOf(shard: number): Promise<LogState>;
  /** When the log took the entry; null where it is not there. */
  timeOf(shard: number, position: number): Promise<Date | null>;
  /** Fails with `fault: 'replaced'` as soon as the log turns out not to be the one that is known. */
  read(shard: number, afterPosition: number, signal: AbortSignal, known?: KnownLog): AsyncIterable<LogEntry>;
};

export type LogState = {
  readonly createdAt: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly lastAtMs: number | null;
};

/** By which a log is known again: its beginning, the entry counted last, and how far others have seen it reach. */
export type KnownLog = {
  readonly createdAt: string;
  readonly mark: EntryMark | null;
  readonly extent: () => Promise<LogExtent>;
};

export type LogExtent = {
  readonly reached: { readonly position: number; readonly takenAtMs: number } | null;
  readonly acked: number;
};

/** An entry after the check: one at fault or missing has no scans any more. */
export type CheckedEntry = {
  readonly position: number;
  readonly batch: ScanBatch;
  /** As it lies in the log. */
  readonly bytes: Uint8Array;
  readonly mark: EntryMark | null;
  /** Why it cannot be taken; null for a good one. */
  readonly fault: string | null;
  /** How many entries up to and with this position left the log before they were read. */
  readonly missing: number;
  /** The trace that the batch is part of, as a `traceparent`. */
  readonly trace?: string;
};

/** Log entries that are counted and stored together: those behind `afterPosition`, up to and with `toPosition`. */
export type Group = {
  readonly shard: number;
  /** The number of the log that the positions are in. */
  readonly log: number;
  readonly afterPosition: number;
  readonly toPosition: number;
  readonly entries: readonly CheckedEntry[];
};

export const groupOf = (
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

/** Names a group like no other: with another log, positions begin again. Its first batch tells it from one that was rolled back. */
export const nameOf = ({ shard, log, afterPosition, toPosition, entries }: Group) =>
  `${shard}${log > 0 ? `.${log}` : ''}-${afterPosition}-${toPosition}-${firstBatch(entries)?.id}`;

const firstBatch = (entries: readonly CheckedEntry[]) =>
  entries.find(({ batch }) => batch.scans.length > 0)?.batch;

/** All scans of a group in the order of the log. */
export const scansOf = (group: Group): Scan[] => group.entries.flatMap(({ batch }) => batch.scans);

/** What became of a scan: left out, kept, or kept as the first of its visitor. The numbers are stored. */
export const verdicts = { leftOut: 0, kept: 1, unique: 2 } as const;

/** One byte a scan, in the order of the log. */
export type Verdicts = Buffer;

/** Tells others of scans that were counted. A group may be told of again; what is told of it is then the same. */
export type Announcer = { announce(group: Group, result: Verdicts, signal: AbortSignal): Promise<void> };

/** Erases what others keep of the scans of deleted codes. It may be asked more than once, and calls `renew` while it works. */
export type Eraser = {
  erase(
    accounts: readonly Uuid[],
    codes: readonly Uuid[],
    renew: () => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>;
};

/** What erasure tells of rows that are hidden and still on the disk. */
export type ErasureMetrics = {
  hidden(state: {
    readonly rows: number;
    readonly oldestSeconds: number;
    readonly merged: string | null;
  }): void;
};

/** A group after it was counted: what became of each scan, and which number its visitor has; 0 for one left out. */
export type Counted = { readonly verdicts: Verdicts; readonly numbers: readonly number[] };

/** The part of it that belongs to some of the scans. */
export const cutOut = ({ verdicts: all, numbers }: Counted, from: number, to: number): Counted => ({
  verdicts: all.subarray(from, to),
  numbers: numbers.slice(from, to),
});

/** What ingest tells of its work. */
export type IngestCounters = {
  stored(scans: number): void;
  /** Left out because the batch had been counted before. */
  repeated(scans: number): void;
  /** Left out because their code was deleted. */
  ofDeletedCodes(scans: number): void;
  setAside(entries: number): void;
  /** Entries that left the log before they were counted. */
  trimmed(entries: number): void;
  /** The shard stands still at an entry that this version cannot read, or goes on. */
  stopped(shard: number, isStopped: boolean): void;
  /** The work stopped for a while: an engine was away, or something went wrong. */
  interrupted(): void;
};

/** Another process works on this shard, or has taken it over. */
export class ShardTaken extends Error {
  constructor(shard: number) {
    super(`Another process works on shard ${shard}`);
    this.name = 'ShardTaken';
  }
}

/** The log has an entry in a layout that this version does not know: to pass over it would lose scans in silence. */
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
