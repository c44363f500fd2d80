import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StopChange, StopReason } from '../stops/stop.ts';
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
    forget() {
      for (const { subject, reason, n } of rows.values()) {
        if (reason !== null) continue;
        rows.delete(subject);
        floor = Math.max(floor, n);
      }
    },
    read: async (after: number): Promise<StopReading> => {
      const isWhole = after < floor || after > version;
      return { version, isWhole, changes: [...rows.values()].filter(({ n }) => isWhole || n > after) };
    },
    get version() {
      return version;
    },
  };
}

describe('what is stopped', () => {
  test('an account stops its links, and nobody else’s', () => {
    const stops = createStops(createTable().read);
    stops.apply([suspended(1)]);
    expect(stops.of(link)).toBe('suspended');
    expect(stops.of({ ...link, accountId: 'b' })).toBeNull();
    stops.apply([lifted(2)]);
    expect(stops.of(link)).toBeNull();
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
    expect(stops.of(link)).toBe(blocks ? 'blocked' : null);
  });

  test('what is told late does not undo what was told since', () => {
    const stops = createStops(createTable().read);
    stops.apply([lifted(2)]);
    stops.apply([suspended(1)]);
    expect(stops.of(link)).toBeNull();
  });

  test('what was told and not read yet is among what is stopped, for the snapshot', async () => {
    const table = createTable();
    table.write('account/a', 'held');
    const stops = createStops(table.read);
    await stops.reach(1);
    stops.apply([suspended(5), { subject: 'account/b', reason: 'suspended', n: 6 }]);
    expect([...stops.entries()].map(({ subject, reason }) => `${subject} ${reason}`).sort()).toEqual([
      'account/a suspended',
      'account/b suspended',
    ]);
  });

  test('what is told while it is read is not undone by the reading', async () => {
    const table = createTable();
    table.write('account/a', 'suspended');
    const { promise, resolve } = Promise.withResolvers<void>();
    const stops = createStops(async after => {
      const found = await table.read(after);
      await promise;
      return found;
    });
    const reached = stops.reach(1);
    stops.apply([table.write('account/a', null)]);
    resolve();
    await reached;
    expect(stops.of(link)).toBeNull();
  });

  test('a database that was restored from before is believed', async () => {
    const [later, restored] = [createTable(), createTable()];
    for (let i = 0; i < 5; i++) later.write('account/b', 'suspended');
    restored.write('account/a', 'held');
    let table = later;
    const stops = createStops(after => table.read(after));
    await stops.reach(later.version);
    table = restored;
    await stops.reach(restored.version);
    expect([stops.version, [...stops.entries()]]).toEqual([
      1,
      [{ subject: 'account/a', reason: 'held', n: 1 }],
    ]);
  });

  test('a reading that fails is told to whoever waits for it, and the next one is tried', async () => {
    const table = createTable();
    table.write('account/a', 'suspended');
    let fails = true;
    const stops = createStops(async after => {
      if (fails) throw new Error('away');
      return table.read(after);
    });
    await expect(stops.reach(1)).rejects.toThrow('away');
    fails = false;
    await stops.reach(1);
    expect(stops.of(link)).toBe('suspended');
  });

  test('whatever is told, lost, told twice and forgotten: once it has read, it agrees with the table', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constantFrom('write', 'write and tell', 'tell again'),
        subject: fc.constantFrom('account/a', 'account/b', 'host/x.example'),
        reason: fc.constantFrom('suspended', 'held', null),
      }),
      fc.record({ do: fc.constantFrom('forget', 'reach') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const table = createTable();
        const stops = createStops(table.read);
        const told: StopChange[] = [];
        for (const one of steps) {
          if (one.do === 'forget') table.forget();
          else if (one.do === 'reach') await stops.reach(table.version);
          else if (one.do === 'tell again') stops.apply(told.slice(-5).reverse());
          else if ('subject' in one) {
            const change = table.write(one.subject, one.reason as StopReason | null);
            told.push(change);
            if (one.do === 'write and tell') stops.apply([change]);
          }
        }
        await stops.reach(table.version);
        const all = (await table.read(-1)).changes.filter(({ reason }) => reason !== null);
        const bySubject = (one: StopChange, other: StopChange) => (one.subject < other.subject ? -1 : 1);
        expect([...stops.entries()].toSorted(bySubject)).toEqual(all.toSorted(bySubject));
        for (const { subject, reason } of all.filter(change => change.subject.startsWith('account/')))
          expect(stops.of({ accountId: subject.slice(8), host: '' })).toBe(reason);
      }),
      { numRuns: 500 },
    );
  });
});
