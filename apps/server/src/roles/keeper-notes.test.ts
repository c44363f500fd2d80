import { expect, test, vi } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { createMetrics } from '../platform/metrics.ts';
import type { KeeperEvent } from '../scans/scan-keeper.ts';
import { ScanLogError } from '../scans/scan-log-error.ts';
import { noteKeeperEvents } from './keeper-notes.ts';

/** What is logged of an event, and how loudly. */
function told(event: KeeperEvent) {
  const lines: { level: string; msg: string; err?: { message: string } }[] = [];
  const logger = createLogger('info', 'test', { write: line => void lines.push(JSON.parse(line)) });
  const metrics = createMetrics('test');
  noteKeeperEvents({ logger, metrics })(event);
  return { lines, metrics };
}

test('what becomes of scans is counted, and only a loss is said aloud', async () => {
  for (const kind of ['logged', 'spooled'] as const) {
    const { lines, metrics } = told({ kind, scans: 3, ms: 1 });
    expect(lines).toEqual([]);
    expect((await metrics.scans.get()).values).toMatchObject([{ labels: { kept: kind }, value: 3 }]);
  }
  const { lines, metrics } = told({ kind: 'lost', scans: 2, why: 'nowhere' });
  expect(lines).toMatchObject([{ level: 'error', msg: 'scans lost' }]);
  expect((await metrics.scans.get()).values).toMatchObject([{ labels: { kept: 'lost' }, value: 2 }]);
});

test.each<[KeeperEvent, string]>([
  [{ kind: 'log_doubted', error: new Error('late') }, 'warn'],
  [{ kind: 'log_trusted' }, 'info'],
  [{ kind: 'replayed', batches: 1, bytes: 9 }, 'info'],
  [{ kind: 'spool_adopted', segments: 1, bytes: 9, unsealed: 1 }, 'warn'],
  [{ kind: 'spool_full', bytes: 9, maxBytes: 9 }, 'error'],
  [{ kind: 'spool_failed', error: new Error('disk') }, 'error'],
  [{ kind: 'spool_damaged', segment: '1', tornBytes: 1, damaged: 1 }, 'error'],
  [{ kind: 'replay_refused', batches: 1, segment: '1' }, 'error'],
  [{ kind: 'replay_unknown', batches: 1, segment: '1' }, 'error'],
])('%o is said as %s: that something is well again is no error', (event, level) => {
  expect(told(event).lines.map(line => line.level)).toEqual([level]);
});

test('a log that is full is not called slow', () => {
  const full = told({ kind: 'log_doubted', error: new ScanLogError('full', 'SCANS_0') });
  expect(full.lines).toMatchObject([{ msg: 'scan log is full: scans are spooled' }]);
  const late = told({ kind: 'log_doubted', error: new Error('late') });
  expect(late.lines).toMatchObject([{ msg: 'scan log did not answer in time' }]);
});

test('of a fault that every scan meets there is one line a second, with all the scans that were lost since the last', () => {
  const lines: { msg: string; scans?: number }[] = [];
  const logger = createLogger('info', 'test', { write: line => void lines.push(JSON.parse(line)) });
  const note = noteKeeperEvents({ logger, metrics: createMetrics('test') });
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    for (let ms = 0; ms < 3_000; ms++, vi.advanceTimersByTime(1)) {
      note({ kind: 'spool_failed', error: new Error('disk') });
      note({ kind: 'lost', scans: 2, why: 'nowhere' });
    }
  } finally {
    vi.useRealTimers();
  }
  expect(lines.filter(line => line.msg === 'scan spool')).toHaveLength(3);
  expect(lines.filter(line => line.msg === 'scans lost').map(line => line.scans)).toEqual([2, 2_000, 2_000]);
});

test('the error behind a failure is logged as one', () => {
  const { lines } = told({ kind: 'spool_failed', error: new Error('no room on the disk') });
  expect(lines[0]!.err?.message).toBe('no room on the disk');
});
