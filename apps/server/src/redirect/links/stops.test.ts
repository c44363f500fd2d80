import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StopChange, StopReason } from '../changes/stops/stop.ts';
import { createStops, type StopReading } from './stops.ts';

const link = { accountId: 'a', host: 'login.bank.example' };
const suspended = (n: number): StopChange => ({ subject: 'account/a', reason: 'suspended', n });
const lifted = (n: number): StopChange => ({ subject: 'account/a', reason: null, n });

/** The table of stops, as far as a redirect reads it. */
function createTable() {
  const rows = new Map<string, StopChange>();
  let [version, floor] = [0, 0];
  return {
    write(subject: string, reason: StopReason | null): StopChange {
      const change = { subject, reason, n: ++version };
      rows.set(subject, change);
      return change;
    },
    pruneLifted() {
      for (const { subject, reason, n } of rows.values()) {
        if (reason !== null) continue;
        rows.delete(subject);
        floor = Math.max(floor, n);
      }
    },
    read: async (after: number): Promise<StopReading> => {
      const isComplete = after < floor || after > version;
      return { version, isComplete, changes: [...rows.values()].filter(({ n }) => isComplete || n > after) };
    },
    get version() {
      return version;
    },
  };
}

describe('stops', () => {
  test('a stopped account stops its own links and no others', () => {
    const stops = createStops(createTable().read);
    stops.apply([suspended(1)]);
    expect(stops.reasonFor(link)).toBe('suspended');
    expect(stops.reasonFor({ ...link, accountId: 'b' })).toBeNull();
    stops.apply([lifted(2)]);
    expect(stops.reasonFor(link)).toBeNull();
  });

  test.each([
    ['login.bank.example', true],
    ['bank.example', true],
    ['example', true],
    ['ank.example', false],
    ['evil.login.bank.example', false],
    ['', false],
  ])('a block of %s: %s', (host, blocks) => {
    const stops = createStops(createTable().read);
    stops.apply([{ subject: `host/${host}`, reason: 'blocked', n: 1 }]);
    expect(stops.reasonFor(link)).toBe(blocks ? 'blocked' : null);
  });

  test('a change that arrives late does not undo a later one', () => {
    const stops = createStops(createTable().read);
    stops.apply([lifted(2)]);
    stops.apply([suspended(1)]);
    expect(stops.reasonFor(link)).toBeNull();
  });

  test('changes that were broadcast and not read yet are among the entries, for the snapshot', async () => {
    const table = createTable();
    table.write('account/a', 'held');
    const stops = createStops(table.read);
    await stops.catchUpTo(1);
    stops.apply([suspended(5), { subject: 'account/b', reason: 'suspended', n: 6 }]);
    expect([...stops.entries()].map(({ subject, reason }) => `${subject} ${reason}`).sort()).toEqual([
      'account/a suspended',
      'account/b suspended',
    ]);
  });

  test('a change that arrives during a query is not undone by its answer', async () => {
    const table = createTable();
    table.write('account/a', 'suspended');
    const { promise, resolve } = Promise.withResolvers<void>();
    const stops = createStops(async after => {
      const found = await table.read(after);
      await promise;
      return found;
    });
    const reached = stops.catchUpTo(1);
    stops.apply([table.write('account/a', null)]);
    resolve();
    await reached;
    expect(stops.reasonFor(link)).toBeNull();
  });

  test('a database that was restored from a backup is trusted', async () => {
    const [later, restored] = [createTable(), createTable()];
    for (let i = 0; i < 5; i++) later.write('account/b', 'suspended');
    restored.write('account/a', 'held');
    let table = later;
    const stops = createStops(after => table.read(after));
    await stops.catchUpTo(later.version);
    table = restored;
    await stops.catchUpTo(restored.version);
    expect([stops.version, [...stops.entries()]]).toEqual([
      1,
      [{ subject: 'account/a', reason: 'held', n: 1 }],
    ]);
  });

  test('a query that fails rejects for its waiters, and the next one is sent', async () => {
    const table = createTable();
    table.write('account/a', 'suspended');
    let fails = true;
    const stops = createStops(async after => {
      if (fails) throw new Error('away');
      return table.read(after);
    });
    await expect(stops.catchUpTo(1)).rejects.toThrow('away');
    fails = false;
    await stops.catchUpTo(1);
    expect(stops.reasonFor(link)).toBe('suspended');
  });

  test('whatever is broadcast, lost, repeated and pruned: after a query it agrees with the table', async () => {
    const steps = fc.oneof(
      fc.record({
        do: fc.constantFrom('write', 'write and broadcast', 'repeat'),
        subject: fc.constantFrom('account/a', 'account/b', 'host/x.example'),
        reason: fc.constantFrom('suspended', 'held', null),
      }),
      fc.record({ do: fc.constantFrom('prune', 'catch up') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 60 }), async sequence => {
        const table = createTable();
        const stops = createStops(table.read);
        const broadcast: StopChange[] = [];
        for (const step of sequence) {
          if (step.do === 'prune') table.pruneLifted();
          else if (step.do === 'catch up') await stops.catchUpTo(table.version);
          else if (step.do === 'repeat') stops.apply(broadcast.slice(-5).reverse());
          else if ('subject' in step) {
            const change = table.write(step.subject, step.reason as StopReason | null);
            broadcast.push(change);
            if (step.do === 'write and broadcast') stops.apply([change]);
          }
        }
        await stops.catchUpTo(table.version);
        const all = (await table.read(-1)).changes.filter(({ reason }) => reason !== null);
        const bySubject = (one: StopChange, other: StopChange) => (one.subject < other.subject ? -1 : 1);
        expect([...stops.entries()].toSorted(bySubject)).toEqual(all.toSorted(bySubject));
        for (const { subject, reason } of all.filter(change => change.subject.startsWith('account/')))
          expect(stops.reasonFor({ accountId: subject.slice(8), host: '' })).toBe(reason);
      }),
      { numRuns: 500 },
    );
  });
});
