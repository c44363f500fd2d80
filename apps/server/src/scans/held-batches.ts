import { setTimeout as pause } from 'node:timers/promises';
import { countScans, type EncodedBatch, encodedFrom } from './log/format/batch.ts';
import { packRecord, recordHeaderBytes, unpackRecords } from './spool/records.ts';

/**
 * Batches in memory that neither the log nor the disk takes, while their scanners are redirected. They are stored as soon as
 * one of the two takes them again. A killed process loses them.
 */
export type HeldBatches = {
  /** Copies the batch; false if there is no room. */
  hold(batch: EncodedBatch): boolean;
  stats(): HeldStats;
  /** Gives up when nothing could be stored for a moment, and reports what is left as lost. */
  close(): Promise<void>;
};

type HeldStats = { readonly scans: number; readonly bytes: number; readonly maxBytes: number };

export type HeldEvent =
  /** Nothing is held any more: so many scans are stored. */
  | { readonly kind: 'held_stored'; readonly scans: number }
  | { readonly kind: 'lost'; readonly scans: number; readonly reason: 'stopped' | 'too_large' };

type Options = {
  readonly maxBytes: number;
  /** Never rejects. `unstorable`: it will never be stored. */
  readonly store: (batch: EncodedBatch) => Promise<'stored' | 'failed' | 'unstorable'>;
  readonly onEvent: (event: HeldEvent) => void;
  readonly retryMs?: number;
};

/** Records one after the other. An object for each batch would take more memory than its scans. */
type Block = { readonly bytes: Buffer; end: number; scans: number };

const blockBytes = 256 * 1024;
/** Stored at the same time, so that they share a write. */
const concurrency = 256;
/** A disk that has failed is tried again after a second: the end of the process waits for one attempt. */
const maxIdleMs = 1_500;

export function createHeldBatches({ maxBytes, store, onEvent, retryMs = 250 }: Options): HeldBatches {
  /** The oldest first; batches are added to the last. */
  const blocks: Block[] = [];
  /** The one whose batches are being stored. */
  let storing: Block | null = null;
  let draining: Promise<void> | null = null;
  let storedScans = 0;
  let progressMs = 0;
  const closing = new AbortController();

  const all = () => (storing ? [storing, ...blocks] : blocks);
  const sum = (of: (block: Block) => number) => all().reduce((total, block) => total + of(block), 0);
  const size = () => sum(({ bytes }) => bytes.length);

  function blockFor(recordBytes: number): Block | null {
    const last = blocks.at(-1);
    if (last && last.end + recordBytes <= last.bytes.length) return last;
    const bytes = Math.max(blockBytes, recordBytes);
    if (size() + bytes > maxBytes) return null;
    // From the pool, a batch that stays would keep the memory of others that have gone.
    const block = { bytes: Buffer.allocUnsafeSlow(bytes), end: 0, scans: 0 };
    blocks.push(block);
    return block;
  }

  async function drain(): Promise<void> {
    while (blocks.length > 0 && !closing.signal.aborted) {
      storing = blocks.shift()!;
      const rest = await storeBlock(storing);
      storing = null;
      if (!rest) continue;
      blocks.unshift(rest);
      await pause(retryMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
    draining = null;
    if (blocks.length > 0) return;
    onEvent({ kind: 'held_stored', scans: storedScans });
    storedScans = 0;
  }

  /** Returns what could not be stored; null if nothing is left. */
  async function storeBlock(block: Block): Promise<Block | null> {
    let left = toBatches(block);
    while (left.length > 0) {
      const failed = await storeSome(block, left.slice(0, concurrency));
      left = [...failed, ...left.slice(concurrency)];
      if (failed.length > 0) return toBlock(left);
    }
    return null;
  }

  /** Returns those that could not be stored. */
  async function storeSome(block: Block, batches: readonly EncodedBatch[]): Promise<EncodedBatch[]> {
    const outcomes = await Promise.all(batches.map(store));
    return batches.filter((batch, index) => {
      if (outcomes[index] === 'failed') return true;
      const scans = countScans(batch.bytes);
      block.scans -= scans;
      progressMs = performance.now();
      if (outcomes[index] === 'stored') storedScans += scans;
      else onEvent({ kind: 'lost', scans, reason: 'too_large' });
      return false;
    });
  }

  return {
    hold(batch) {
      const block = blockFor(recordHeaderBytes + batch.bytes.length);
      if (!block) return false;
      block.end += packRecord(batch.bytes).copy(block.bytes, block.end);
      block.scans += countScans(batch.bytes);
      draining ??= drain();
      return true;
    },
    stats: () => ({ scans: sum(({ scans }) => scans), bytes: size(), maxBytes }),
    async close() {
      progressMs = performance.now();
      while (draining && performance.now() - progressMs < maxIdleMs) await pause(20);
      closing.abort();
      const scans = sum(block => block.scans);
      if (scans > 0) onEvent({ kind: 'lost', scans, reason: 'stopped' });
    },
  };
}

const toBatches = ({ bytes, end }: Block): EncodedBatch[] =>
  unpackRecords(bytes.subarray(0, end))
    .records.map(encodedFrom)
    .filter(batch => typeof batch !== 'string');

function toBlock(batches: readonly EncodedBatch[]): Block {
  const bytes = Buffer.concat(batches.map(batch => packRecord(batch.bytes)));
  const scans = batches.reduce((total, batch) => total + countScans(batch.bytes), 0);
  return { bytes, end: bytes.length, scans };
}
