import { createHash } from 'node:crypto';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { expect, test } from 'vitest';
import type { Uuid } from '../../kernel/ids.ts';
import type { Scan } from '../scan.ts';
import { encodeBatch } from './format/batch.ts';
import { encodeScan } from './format/scan-bytes.ts';
import { chooseBatchShard, createShardChooser } from './sharding.ts';
import { createSpreadLookup, nextSpreadStart, type Spread } from './spreads.ts';

const account = '0190a5d2-7c1e-7abc-8def-ba9876543210';
const visitor = (n: number) => createHash('sha256').update(String(n)).digest('hex').slice(0, 32);
const shardsOf = (scans: readonly Scan[], shards: number, spreads: readonly Spread[] = []) => {
  const chooseShard = createShardChooser(shards, createSpreadLookup(spreads));
  return scans.map(scan => chooseShard(encodeScan(scan).bytes));
};
const tally = (values: readonly number[]) =>
  [...Map.groupBy(values, value => value)].sort(([a], [b]) => a - b).map(([, { length }]) => length);

test('the shard of an account never changes: processes of all versions append to one log', () => {
  const accounts = [
    account,
    '00000000-0000-0000-0000-000000000000',
    '0199f3a0-1111-7222-8333-444455556666',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ] as Uuid[];
  const scans = accounts.map(accountId => someScan({ accountId }));
  expect([2, 3, 8, 256].map(shards => shardsOf(scans, shards))).toEqual([
    [0, 1, 1, 0],
    [2, 0, 1, 0],
    [4, 3, 7, 6],
    [196, 59, 71, 134],
  ]);
  const spread = [{ accountId: account as Uuid, from: new Date(0), shards: 3 }];
  const byVisitor = [0, 1, 2, 3, 4].map(n => someScan({ accountId: account as Uuid, visitor: visitor(n) }));
  expect(shardsOf(byVisitor, 8, spread)).toEqual([6, 4, 6, 4, 6]);
});

test('accounts are distributed evenly, those with random ids as well as those with consecutive ones', () => {
  const random = Array.from({ length: 8_000 }, () => someScan({ accountId: ids.next() }));
  const consecutive = Array.from({ length: 8_000 }, (_, n) =>
    someScan({ accountId: `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}` as Uuid }),
  );
  for (const scans of [random, consecutive])
    for (const length of tally(shardsOf(scans, 8))) expect(Math.abs(length - 1_000)).toBeLessThan(150);
});

test('an account is in one shard; one that is spread is in as many as the operator said, by visitor', () => {
  const scans = Array.from({ length: 4_000 }, (_, n) => someScan({ visitor: visitor(n % 1_000) }));
  expect(tally(shardsOf(scans, 8))).toEqual([4_000]);
  const accountId = account as Uuid;
  for (const shards of [2, 3, 8]) {
    const found = shardsOf(scans, 8, [{ accountId, from: new Date(0), shards }]);
    expect(tally(found).length).toBe(shards);
    for (const length of tally(found))
      expect(Math.abs(length - 4_000 / shards)).toBeLessThan(600 / shards + 100);
    // A visitor stays where it is.
    expect(found.slice(1_000)).toEqual(found.slice(0, -1_000));
  }
  const others = [{ accountId: ids.next(), from: new Date(0), shards: 8 }];
  expect(tally(shardsOf(scans, 8, others))).toEqual([4_000]);
});

test('a change of spread holds by the time of the scan, to the millisecond', () => {
  const from = nextSpreadStart(Date.parse('2026-11-17T10:00:00Z'), 'month');
  expect(from).toEqual(new Date('2026-12-01T00:00:00Z'));
  const accountId = account as Uuid;
  const spreads = [
    { accountId, from, shards: 4 },
    { accountId, from: new Date('2027-01-01T00:00:00Z'), shards: 1 },
  ];
  const at = (time: string) =>
    new Set(
      shardsOf(
        Array.from({ length: 100 }, (_, n) => someScan({ atMs: Date.parse(time), visitor: visitor(n) })),
        8,
        spreads,
      ),
    ).size;
  expect(
    [
      '2026-11-30T23:59:59.999Z',
      '2026-12-01T00:00:00Z',
      '2026-12-31T23:59:59.999Z',
      '2027-01-01T00:00:00Z',
    ].map(at),
  ).toEqual([1, 4, 4, 1]);
});

test('a change that is made just before a window begins holds from the one after it: every redirect has read it by then', () => {
  const start = (time: string, kind: 'month' | 'day') =>
    nextSpreadStart(Date.parse(time), kind).toISOString();
  expect(start('2026-11-30T23:49:59Z', 'month')).toBe('2026-12-01T00:00:00.000Z');
  expect(start('2026-11-30T23:50:00Z', 'month')).toBe('2027-01-01T00:00:00.000Z');
  expect(start('2026-11-30T23:50:00Z', 'day')).toBe('2026-12-02T00:00:00.000Z');
});

test('a spooled batch goes to the shard that it was written for', () => {
  const chooseShard = createShardChooser(8);
  for (let n = 0; n < 50; n++) {
    const scans = [someScan({ accountId: ids.next() })];
    const { bytes } = encodeBatch({ id: ids.next(), scans });
    expect(chooseBatchShard(bytes, chooseShard)).toBe(chooseShard(encodeScan(scans[0]!).bytes));
  }
  // What is no batch is refused by the log, not here.
  for (const bytes of [
    encodeBatch({ id: ids.next(), scans: [] }).bytes,
    Buffer.from([2, 1]),
    Buffer.alloc(19, 2),
  ])
    expect(chooseBatchShard(bytes, chooseShard)).toBe(0);
});
