import { createHash } from 'node:crypto';
import { toInsertToken, toRows } from '../../../apps/server/src/ingest/counting/rows.ts';
import { classes, type Group, listScans, toGroup } from '../../../apps/server/src/ingest/ingest.ts';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createIds, type Uuid, zeroId } from '../../../apps/server/src/kernel/ids.ts';
import { browsers, devices, type Scan } from '../../../apps/server/src/scans/scan.ts';
import type { ScanRow } from '../../../apps/server/src/scans/stores/scan-row.ts';
import { dayMs } from '../../../apps/server/src/scans/stores/time-range.ts';
import { createRandom } from '../../../tools/dev/seed/random.ts';

const ids = createIds(systemClock);

/** An account and its codes. */
export type Account = { readonly id: Uuid; readonly codes: readonly Uuid[] };

export const makeAccount = (codes: number): Account => ({
  id: ids.next(),
  codes: Array.from({ length: codes }, () => ids.next()),
});

/** Rows that ingest would insert at once, and their deduplication token. */
export type Insert = { readonly group: Group; readonly rows: readonly ScanRow[]; readonly token: string };

export const fromMs = Date.UTC(2026, 5);
export const toMs = Date.UTC(2026, 7);

/** As many as ingest puts into one insert. */
const scansPerInsert = 5_000;
const scansPerEntry = 50;
/** Not every day has scans, since a backup has a file for each that has some. */
const daysApart = 6;

/** Gives out inserts of generated scans, each shard with positions that ascend. */
export function createGenerator() {
  const random = createRandom(1).next;
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const positions = new Map<number, number>();
  const visitors = new Map<string, number>();
  const seen = new Set<string>();
  const targets = [zeroId, ids.next(), ids.next()];
  const rules = [zeroId, ids.next()];

  function makeScan(account: Account): Scan {
    const day = daysApart * Math.floor((random() * (toMs - fromMs)) / (daysApart * dayMs));
    const atMs = fromMs + Math.floor((day + random()) * dayMs);
    const person = Math.floor(random() ** 2 * 20_000);
    const window = new Date(atMs).toISOString().slice(0, 7);
    return {
      id: ids.next(),
      accountId: account.id,
      // The first codes have more scans than the last.
      qrCodeId: account.codes[Math.floor(random() ** 2 * account.codes.length)]!,
      mode: random() < 0.9 ? 'live' : 'test',
      atMs,
      country: pick(['DE', 'FR', 'US', 'XX']),
      region: pick(['', 'Île-de-France', "Provence-Alpes-Côte d'Azur"]),
      city: pick(['', 'München', 'Xi\\an\t"q"\n', '北京']),
      device: pick(devices),
      browser: pick(browsers),
      visitor: createHash('md5').update(`${account.id} ${window} ${person}`).digest('hex'),
      window,
      ruleId: pick(rules),
      targetId: pick(targets),
      placement: pick(['', '', 'window', 'till']),
      language: pick(['', 'de', 'fr']),
      sandbox: false,
    };
  }

  function makeGroup(accounts: readonly Account[], shard: number, count: number): Group {
    const after = positions.get(shard) ?? 0;
    const entries = Array.from({ length: Math.ceil(count / scansPerEntry) }, (_, index) => {
      const scans = Array.from({ length: Math.min(scansPerEntry, count - index * scansPerEntry) }, () =>
        makeScan(pick(accounts)),
      );
      const batch = { id: ids.next(), scans };
      return {
        position: after + index + 1,
        batch,
        bytes: new Uint8Array(),
        mark: null,
        fault: null,
        missing: 0,
      };
    });
    positions.set(shard, after + entries.length);
    return toGroup({ shard, log: 1 }, after, entries);
  }

  const numberOf = ({ accountId, visitor }: Scan) => {
    const key = accountId + visitor;
    const number = visitors.get(key) ?? visitors.size + 1;
    visitors.set(key, number);
    return number;
  };
  const classOf = ({ qrCodeId, visitor }: Scan) => {
    const key = qrCodeId + visitor;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst ? classes.unique : classes.counted;
  };

  return {
    insertOf(accounts: readonly Account[], shard: number, count: number): Insert {
      const group = makeGroup(accounts, shard, count);
      const scans = listScans(group);
      const counted = { classifications: Buffer.from(scans.map(classOf)), numbers: scans.map(numberOf) };
      return { group, rows: toRows(group, counted), token: toInsertToken(group) };
    },
    /** Inserts with all of these scans, on two shards in turn. */
    *insertsOf(accounts: readonly Account[], count: number): Generator<Insert> {
      for (let at = 0, turn = 0; at < count; at += scansPerInsert, turn++)
        yield this.insertOf(accounts, turn % 2, Math.min(scansPerInsert, count - at));
    },
    /** How far each shard has scans. */
    marks: () => [...positions].map(([shard, position]) => ({ shard, log: 1, position })),
  };
}

export type ScanGenerator = ReturnType<typeof createGenerator>;
