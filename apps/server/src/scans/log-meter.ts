import type { NatsConnection } from '../platform/nats.ts';
import { managerOf } from '../platform/streams.ts';
import { ScanLogError } from './scan-log-error.ts';
import { streamOf } from './scan-streams.ts';

/** Tells of the log what reading it does not: where a shard begins and ends, since when it exists, how old an entry is. */
export type LogMeter = {
  stateOf(shard: number): Promise<LogState>;
  /** When the log took the entry; null where it is not there. */
  timeOf(shard: number, position: number): Promise<Date | null>;
};

export type LogState = {
  /** Another time means another log: its positions begin anew and mean other entries. */
  readonly createdAt: string;
  readonly firstPosition: number;
  /** 0 where nothing was ever appended. */
  readonly lastPosition: number;
};

export function createLogMeter(connection: () => NatsConnection | null): LogMeter {
  const manager = () => {
    const standing = connection();
    if (!standing) throw new ScanLogError('away', 'NATS is not connected');
    return managerOf(standing);
  };
  return {
    async stateOf(shard) {
      const { created, state } = await (await manager()).streams.info(streamOf(shard));
      return { createdAt: created, firstPosition: state.first_seq, lastPosition: state.last_seq };
    },
    async timeOf(shard, position) {
      const entry = await (await manager()).streams.getMessage(streamOf(shard), { seq: position });
      return entry?.time ?? null;
    },
  };
}
