import type { Nats } from '../../platform/nats/nats.ts';
import { measureStream, type StreamSize } from '../../platform/nats/stream-sizes.ts';
import { type LogFill, watchFill } from './fill.ts';
import { createScanLog, type ScanLog } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';
import { toStreamName } from './streams.ts';

type Options = {
  readonly nats: Nats;
  readonly shards: number;
  /** Per shard. */
  readonly maxBytes: number;
  /** Called with the position of every append that is acked in time. */
  readonly onAck?: (shard: number, position: number) => void;
  readonly onSizes?: (sizes: readonly StreamSize[]) => void;
  readonly measureEveryMs?: number;
};

/** The log for a process that appends: a shard that reaches its size limit refuses. Stop `fill` at shutdown. */
export function openBoundedLog(options: Options): { readonly log: ScanLog; readonly fill: LogFill } {
  const {
    nats,
    shards,
    maxBytes,
    onAck = () => undefined,
    onSizes = () => undefined,
    measureEveryMs = 1_000,
  } = options;
  const measure = async (shard: number) => {
    const connection = nats.connection();
    if (!connection) throw new ScanLogError('away', 'NATS is not connected');
    return measureStream(connection, toStreamName(shard), { maxBytes });
  };
  const fill = watchFill({ shards, measure, onSizes, everyMs: measureEveryMs });
  return { log: createScanLog({ nats, isFull: fill.isFull, onAck }), fill };
}
