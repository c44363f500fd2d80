import type { Reading } from '../../apps/server/src/http/streams.ts';

/** However slowly a file is read. */
export const patientReading: Reading = { bytesPerSecond: 1, patienceMs: 60_000, onEnded() {} };
