import type { Uuid } from '../kernel/ids.ts';
import type { Scan, ScanBatch } from '../scans/scan.ts';

/** The scan log as ingest reads it: entries of one shard in order, those that are there and then those that come. */
export type ScanLogReader = {
  read(shard: number, afterPosition: number, signal: AbortSignal): AsyncIterable<LogEntry>;
};

export type LogEntry = {
  readonly position: number;
  readonly batch: ScanBatch;
  /** The trace that the batch is part of, as a `traceparent`. */
  readonly trace?: string;
};

/** An entry after the check: one at fault has no scans any more, only its reason and its text. */
export type CheckedEntry = LogEntry & {
  readonly fault: { readonly reason: string; readonly text: string } | null;
};

/** Log entries that are counted and stored together: those behind `afterPosition`, up to and with `toPosition`. */
export type Group = {
  readonly shard: number;
  readonly afterPosition: number;
  readonly toPosition: number;
  readonly entries: readonly CheckedEntry[];
};

export const groupOf = (shard: number, afterPosition: number, entries: readonly CheckedEntry[]): Group => ({
  shard,
  afterPosition,
  toPosition: entries.at(-1)?.position ?? afterPosition,
  entries,
});

/** All scans of a group in the order of the log. */
export const scansOf = (group: Group): Scan[] => group.entries.flatMap(({ batch }) => batch.scans);

/** What became of a scan: left out, kept, or kept as the first of its visitor. The numbers are stored. */
export const verdicts = { leftOut: 0, kept: 1, unique: 2 } as const;

/** One byte a scan, in the order of the log. */
export type Verdicts = Buffer;

/** Tells others of scans that were counted. A group may be told of again; what is told of it is then the same. */
export type Announcer = { announce(group: Group, result: Verdicts, signal: AbortSignal): Promise<void> };

/** Erases what others keep of the scans of deleted codes. It may be asked more than once. */
export type Eraser = {
  erase(accounts: readonly Uuid[], codes: readonly Uuid[], signal?: AbortSignal): Promise<void>;
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
