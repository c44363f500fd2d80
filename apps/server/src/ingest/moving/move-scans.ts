import type { Print } from '../../kernel/print.ts';
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { excludeWriters, findTarget, setTarget, switchToClickHouse } from '../../scans/stores/claim.ts';
import { createClickHouseRows } from '../../scans/stores/clickhouse/clickhouse-rows.ts';
import * as copies from '../../scans/stores/clickhouse/stored-months.ts';
import { listMonths } from '../../scans/stores/postgres/partitions.ts';
import { countRows } from '../../scans/stores/postgres/stored-rows.ts';
import { eraseAgain } from '../erasure/request.ts';
import { compareStores } from './comparing.ts';
import { type CopyParts, copyMonth } from './copy-month.ts';
import { countCopied, forgetProgress } from './progress.ts';

type Parts = Pick<CopyParts, 'rowsPerInsert'> & {
  /** At least three connections. */
  readonly db: Database;
  /** Migrated. */
  readonly clickhouse: ClickHouse;
  /** Names it without its password. */
  readonly target: string;
  readonly print: Print;
};

export type Moved = { readonly scans: number; readonly months: number; readonly pausedMs: number };

/** Counting pauses when a round has copied no more than this. */
const smallRound = 5_000;
const maxRounds = 20;

/**
 * Copies all scans to ClickHouse while counting goes on, in rounds, each with what came during the one before. For the last
 * round counting and erasure pause, both stores are compared, and the row that names the store is switched. Whatever ends it
 * before that changes nothing: scans are counted on in PostgreSQL, and the next call continues.
 */
export async function moveScans(parts: Parts): Promise<Moved> {
  const { db, clickhouse, target, print } = parts;
  await prepareTarget(db, clickhouse, target);
  const onCopied = await createProgressLines(db, print);
  const copying = { ...parts, target: createClickHouseRows(clickhouse), onCopied };
  const copyAll = async () => {
    let rows = 0;
    for (const month of await listMonths(db)) rows += await copyMonth(copying, month);
    return rows;
  };
  for (let round = 0; round < maxRounds && (await copyAll()) > smallRound; round++);
  return switchWhilePaused(parts, copyAll);
}

/** Only rows of this move may be in the target: others would count as scans of this installation. */
async function prepareTarget(db: Database, clickhouse: ClickHouse, target: string): Promise<void> {
  if ((await findTarget(db)) !== target) await forgetProgress(db);
  const copied = await countCopied(db);
  const present = await copies.countRows(clickhouse);
  if (present === 0 && copied > 0) await forgetProgress(db);
  if (present > 0 && !(await hasBegun(db)))
    throw new Error(
      `${target} has ${present} scans already, which this command did not copy. Name an empty database, or drop the table \`scans\` there.`,
    );
  await setTarget(db, target);
}

async function switchWhilePaused(
  { db, clickhouse, print }: Parts,
  copyAll: () => Promise<number>,
): Promise<Moved> {
  let startMs = 0;
  const { scans, months } = await db.transaction(async tx => {
    await tx.query(limitWait);
    await excludeWriters(tx);
    startMs = performance.now();
    print('Counting pauses; redirects continue, and scans wait in their log.');
    await copyAll();
    const comparison = await compareStores(db, clickhouse);
    if (comparison.wrongMonths.length > 0) await beginAgain(db, clickhouse, comparison.wrongMonths);
    await eraseAgain(tx, comparison.deleted);
    await forgetProgress(tx);
    await switchToClickHouse(tx);
    return comparison;
  });
  return { scans, months, pausedMs: performance.now() - startMs };
}

async function beginAgain(db: Database, clickhouse: ClickHouse, months: readonly string[]): Promise<never> {
  for (const month of months) {
    await forgetProgress(db, month);
    await copies.dropMonth(clickhouse, month);
  }
  throw new Error(
    `ClickHouse has other scans of ${months.join(', ')} than PostgreSQL: these months were removed there, and nothing was switched. Run the same command again: it copies them again.`,
  );
}

/** A line with the share that is copied, every second. */
async function createProgressLines(db: Database, print: Print): Promise<CopyParts['onCopied']> {
  let copied = await countCopied(db);
  let total = 0;
  for (const month of await listMonths(db)) total += await countRows(db, month);
  let printedMs = performance.now();
  return (month, rows) => {
    copied += rows;
    // What is counted meanwhile is copied too.
    total = Math.max(total, copied);
    if (performance.now() - printedMs < printEveryMs && copied < total) return;
    printedMs = performance.now();
    const share = Math.floor((100 * copied) / total);
    const bar = '#'.repeat(Math.floor(share / 5)).padEnd(20, '.');
    print(`[${bar}] ${share} %  ${copied} of ${total} scans, in ${month}`);
  };
}

const printEveryMs = 1_000;

const hasBegun = async (db: Database) => (await db.query(findAny)).length > 0;

const findAny = sql('scan-moves-any', 'select from scan_moves limit 1');

/** A transaction that counts takes much less. */
const limitWait = sql('scan-moves-limit-wait', `set local lock_timeout = '60s'`);
