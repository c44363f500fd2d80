import type { Nats } from '../platform/nats.ts';
import { measureStream, type StreamSize } from '../platform/stream-sizes.ts';
import { type LogFill, watchFill } from './log-fill.ts';
import { createScanLog, type ScanLog } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';
import { streamOf } from './scan-streams.ts';

type Options = {
  readonly nats: Nats;
  readonly shard: number;
  readonly maxBytes: number;
  /** Called with the position of every append that was acked in time. */
  readonly onAck?: (position: number) => void;
  readonly onSize?: (size: StreamSize | null) => void;
  readonly lookEveryMs?: number;
};

/** The log for a process that appends: it refuses once its shard holds as much as it may. Stop its `fill` at the end. */
export function openBoundedLog(options: Options): { readonly log: ScanLog; readonly fill: LogFill } {
  const {
    nats,
    shard,
    maxBytes,
    onAck = () => undefined,
    onSize = () => undefined,
    lookEveryMs = 1_000,
  } = options;
  const look = async () => {
    const connection = nats.connection();
    if (!connection) throw new ScanLogError('away', 'NATS is not connected');
    return measureStream(connection, streamOf(shard), { maxBytes });
  };
  const fill = watchFill({ look, onSize, everyMs: lookEveryMs });
  return { log: createScanLog({ nats, shard, isFull: fill.isFull, onAck }), fill };
}
