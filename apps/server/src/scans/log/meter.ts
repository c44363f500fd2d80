import type { StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '../../platform/nats/nats.ts';
import { createManager } from '../../platform/nats/streams.ts';
import { decodeEntry, type EntryMark, type LogSize } from './format/entry.ts';
import { ScanLogError } from './scan-log-error.ts';
import { parseShard, toStreamName, toSubject } from './streams.ts';

/** Reads the log's metadata: which shards exist, where each begins and ends, and what identifies one entry. */
export type LogMeter = {
  /** Every shard that has a stream, including those beyond the settings. */
  shards(): Promise<readonly number[]>;
  readState(shard: number): Promise<LogState>;
  /** When the entry was appended; null if it does not exist. */
  readTime(shard: number, position: number): Promise<Date | null>;
  /** Null if the entry does not exist. */
  markAt(shard: number, position: number): Promise<EntryMark | null>;
  readSize(shard: number): Promise<LogSize>;
};

export type LogState = {
  /** Another time means another log: its positions start over and refer to other entries. */
  readonly createdAt: string;
  readonly firstPosition: number;
  /** 0 if nothing was ever appended. */
  readonly lastPosition: number;
  /** When the last entry was appended; null if there is none. */
  readonly lastAtMs: number | null;
};

export function createLogMeter(connection: () => NatsConnection | null): LogMeter {
  const manager = () => {
    const current = connection();
    if (!current) throw new ScanLogError('away', 'NATS is not connected');
    return createManager(current);
  };
  const entryAt = async (shard: number, position: number): Promise<StoredMsg | null> =>
    position > 0 ? (await manager()).streams.getMessage(toStreamName(shard), { seq: position }) : null;
  return {
    async shards() {
      const found: number[] = [];
      for await (const name of (await manager()).streams.names(toSubject('*'))) {
        const shard = parseShard(name);
        if (shard !== null) found.push(shard);
      }
      return found.sort((a, b) => a - b);
    },
    async readState(shard) {
      const { created, state } = await (await manager()).streams.info(toStreamName(shard));
      const { first_seq: firstPosition, last_seq: lastPosition } = state;
      const lastAtMs = lastPosition > 0 && state.messages > 0 ? Date.parse(state.last_ts) : null;
      return { createdAt: created, firstPosition, lastPosition, lastAtMs };
    },
    async readSize(shard) {
      const { created, state } = await (await manager()).streams.info(toStreamName(shard));
      return {
        bytes: state.bytes,
        createdAt: created,
        firstPosition: state.first_seq,
        lastPosition: state.last_seq,
      };
    },
    readTime: async (shard, position) => (await entryAt(shard, position))?.time ?? null,
    async markAt(shard, position) {
      const found = await entryAt(shard, position);
      if (!found) return null;
      const entry = decodeEntry(position, found.data, found.time.getTime());
      return entry.kind === 'missing' ? null : entry.mark;
    },
  };
}
