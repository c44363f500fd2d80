import type { NatsConnection } from './nats.ts';
import { managerOf } from './streams.ts';

/** How much a stream holds, and may hold. */
export type StreamSize = {
  readonly stream: string;
  readonly bytes: number;
  /** Null where it is bounded by messages alone. */
  readonly maxBytes: number | null;
  /** How full it is by the bound that is nearer, from 0 to 1; null where it has none. */
  readonly used: number | null;
};

/** Of every stream that NATS shows us. */
export async function measureStreams(connection: NatsConnection): Promise<StreamSize[]> {
  const sizes: StreamSize[] = [];
  for await (const { config, state } of (await managerOf(connection)).streams.list()) {
    const parts = [
      ...(config.max_bytes > 0 ? [state.bytes / config.max_bytes] : []),
      ...(config.max_msgs > 0 ? [state.messages / config.max_msgs] : []),
    ];
    sizes.push({
      stream: config.name,
      bytes: state.bytes,
      maxBytes: config.max_bytes > 0 ? config.max_bytes : null,
      used: parts.length > 0 ? Math.max(...parts) : null,
    });
  }
  return sizes;
}
