import type { StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from './nats.ts';
import { createManager } from './streams.ts';

/** The maximum size of a stream by our own settings, whatever bound it has in NATS. */
export type StreamBound = { readonly maxBytes: number } | { readonly maxMessages: number };

/** How much a stream contains, and may contain. */
export type StreamSize = {
  readonly stream: string;
  readonly bytes: number;
  /** Null if it is bounded by messages only. */
  readonly maxBytes: number | null;
  /** How full it is by the tighter bound, ours or that of NATS: 1 is full. */
  readonly used: number;
};

/** Measures every stream that has a bound; other programs may have streams in the same NATS. */
export async function measureStreams(
  connection: NatsConnection,
  getBound: (stream: string) => StreamBound | null,
): Promise<StreamSize[]> {
  const sizes: StreamSize[] = [];
  for await (const info of (await createManager(connection)).streams.list()) {
    const bound = getBound(info.config.name);
    if (bound) sizes.push(toStreamSize(info, bound));
  }
  return sizes;
}

export async function measureStream(
  connection: NatsConnection,
  stream: string,
  bound: StreamBound,
): Promise<StreamSize> {
  return toStreamSize(await (await createManager(connection)).streams.info(stream), bound);
}

function toStreamSize({ config, state }: StreamInfo, bound: StreamBound): StreamSize {
  const maxBytes = 'maxBytes' in bound ? bound.maxBytes : null;
  const byOurBound = 'maxBytes' in bound ? state.bytes / bound.maxBytes : state.messages / bound.maxMessages;
  const byNatsBound = config.max_msgs > 0 ? state.messages / config.max_msgs : 0;
  return { stream: config.name, bytes: state.bytes, maxBytes, used: Math.max(byOurBound, byNatsBound) };
}
