import type { Nats } from '../../platform/nats.ts';
import { measureStream, type StreamSize } from '../../platform/stream-sizes.ts';
import { type LogFill, watchFill } from './fill.ts';
import { createScanLog, type ScanLog } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';
import { streamOf } from './streams.ts';

type Options = {
  readonly nats: Nats;
  readonly shard: number;
  readonly maxBytes: number;
  /** Called with the position of every append that is acked in time. */
  readonly onAck?: (position: number) => void;
  readonly onSize?: (size: StreamSize | null) => void;
  readonly measureEveryMs?: number;
};

/** The log for a process that appends: it refuses once its shard reaches its size limit. Stop `fill` at shutdown. */
export function openBoundedLog(options: Options): { readonly log: ScanLog; readonly fill: LogFill } {
  const {
    nats,
    shard,
    maxBytes,
    onAck = () => undefined,
    onSize = () => undefined,
    measureEveryMs = 1_000,
  } = options;
  const measure = async () => {
    const connection = nats.connection();
    if (!connection) throw new ScanLogError('away', 'NATS is not connected');
    return measureStream(connection, streamOf(shard), { maxBytes });
  };
  const fill = watchFill({ measure, onSize, everyMs: measureEveryMs });
  return { log: createScanLog({ nats, shard, isFull: fill.isFull, onAck }), fill };
}
