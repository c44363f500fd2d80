import { expect, test, vi } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { createMetrics } from '../platform/metrics.ts';
import { ScanLogError } from '../scans/log/scan-log-error.ts';
import type { ScanWriterEvent } from '../scans/scan-writer.ts';
import { logScanWriterEvents } from './scan-writer-logging.ts';

/** The log lines and metrics of an event. */
function logged(event: ScanWriterEvent) {
  const lines: { level: string; msg: string; err?: { message: string } }[] = [];
  const logger = createLogger('info', 'test', { write: line => void lines.push(JSON.parse(line)) });
  const metrics = createMetrics('test');
  logScanWriterEvents({ logger, metrics })(event);
  return { lines, metrics };
}

test('outcomes of scans are counted, and only a loss is logged', async () => {
  for (const kind of ['logged', 'spooled'] as const) {
    const { lines, metrics } = logged({ kind, scans: 3, ms: 1 });
    expect(lines).toEqual([]);
    expect((await metrics.scans.get()).values).toMatchObject([{ labels: { outcome: kind }, value: 3 }]);
  }
  const { lines, metrics } = logged({ kind: 'lost', scans: 2, reason: 'no_store' });
  expect(lines).toMatchObject([{ level: 'error', msg: 'scans lost' }]);
  expect((await metrics.scans.get()).values).toMatchObject([{ labels: { outcome: 'lost' }, value: 2 }]);
});

test.each<[ScanWriterEvent, string]>([
  [{ kind: 'log_unhealthy', error: new Error('late'), shard: 0 }, 'warn'],
  [{ kind: 'log_recovered', shard: 0 }, 'info'],
  [{ kind: 'held', scans: 1, ms: 1 }, 'error'],
  [{ kind: 'held_stored', scans: 1 }, 'info'],
  [{ kind: 'replayed', batches: 1, bytes: 9 }, 'info'],
  [{ kind: 'spool_adopted', segments: 1, bytes: 9, unsealed: 1 }, 'warn'],
  [{ kind: 'spool_full', bytes: 9, maxBytes: 9 }, 'error'],
  [{ kind: 'spool_failed', error: new Error('disk') }, 'error'],
  [{ kind: 'spool_damaged', segment: '1', tornBytes: 1, damaged: 1 }, 'error'],
  [{ kind: 'replay_refused', batches: 1, segment: '1' }, 'error'],
  [{ kind: 'replay_unknown', batches: 1, segment: '1' }, 'error'],
])('%o is logged as %s: a recovery is not an error', (event, level) => {
  expect(logged(event).lines.map(line => line.level)).toEqual([level]);
});

test('a full log is not reported as slow', () => {
  const full = logged({ kind: 'log_unhealthy', error: new ScanLogError('full', 'SCANS_0'), shard: 0 });
  expect(full.lines).toMatchObject([{ msg: 'scan log is full' }]);
  const late = logged({ kind: 'log_unhealthy', error: new Error('late'), shard: 0 });
  expect(late.lines).toMatchObject([{ msg: 'scan log did not take scans in time' }]);
});

test('a fault that every scan hits is logged once a second, with all scans lost since the last line', () => {
  const lines: { msg: string; scans?: number }[] = [];
  const logger = createLogger('info', 'test', { write: line => void lines.push(JSON.parse(line)) });
  const onEvent = logScanWriterEvents({ logger, metrics: createMetrics('test') });
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    for (let ms = 0; ms < 3_000; ms++, vi.advanceTimersByTime(1)) {
      onEvent({ kind: 'spool_failed', error: new Error('disk') });
      onEvent({ kind: 'lost', scans: 2, reason: 'no_store' });
    }
  } finally {
    vi.useRealTimers();
  }
  expect(lines.filter(line => line.msg === 'scan spool')).toHaveLength(3);
  expect(lines.filter(line => line.msg === 'scans lost').map(line => line.scans)).toEqual([2, 2_000, 2_000]);
});

test('the error of a failure is logged with its message', () => {
  const { lines } = logged({ kind: 'spool_failed', error: new Error('no room on the disk') });
  expect(lines[0]!.err?.message).toBe('no room on the disk');
});
