import type { NatsConnection } from './nats.ts';
import { managerOf } from './streams.ts';

/** How much a stream holds, and may hold. */
export type StreamSize = { readonly stream: string; readonly bytes: number; readonly maxBytes: number };

/** Of every stream that NATS shows us. `maxBytes` is Infinity where there is no bound. */
export async function measureStreams(connection: NatsConnection): Promise<StreamSize[]> {
  const sizes: StreamSize[] = [];
  for await (const { config, state } of (await managerOf(connection)).streams.list()) {
    const maxBytes = config.max_bytes > 0 ? config.max_bytes : Number.POSITIVE_INFINITY;
    sizes.push({ stream: config.name, bytes: state.bytes, maxBytes });
  }
  return sizes;
}
