import type { SlowReaderPolicy } from '../../../apps/server/src/http/connections/streams.ts';

/** Lets clients read as slowly as they like. */
export const lenientReaders: SlowReaderPolicy = { bytesPerSecond: 1, graceMs: 60_000, onAborted() {} };
