import type { Database } from '../../platform/postgres/postgres.ts';
import type { Scan } from '../../scans/scan.ts';
import { toArrayLiteral } from '../arrays.ts';
import { type Classifications, classes } from '../ingest.ts';
import * as statements from '../statements.ts';

/**
 * The number of each scan's visitor; 0 if the scan is skipped. A visitor of an account has one number per window, whichever
 * shard saw it first: the second shard waits for the first to commit and takes its number.
 */
export async function numberVisitors(
  tx: Database,
  scans: readonly Scan[],
  classifications: Classifications,
): Promise<number[]> {
  const visitors = new Map<string, { readonly scan: Scan; number: number }>();
  const toKey = (scan: Scan) => scan.accountId + scan.window + scan.visitor;
  for (const [index, scan] of scans.entries()) {
    if (classifications[index] !== classes.skipped && !visitors.has(toKey(scan)))
      visitors.set(toKey(scan), { scan, number: 0 });
  }
  for (const statement of [statements.knownVisitors, statements.numberVisitors, statements.knownVisitors]) {
    const unknown = [...visitors.values()].filter(visitor => visitor.number === 0);
    if (unknown.length === 0) break;
    const found = await tx.query<{ n: number; number: number }>(statement, toColumns(unknown));
    for (const { n, number } of found) unknown[n - 1]!.number = number;
  }
  const numbers = scans.map((scan, index) =>
    classifications[index] === classes.skipped ? 0 : visitors.get(toKey(scan))!.number,
  );
  if (numbers.some((number, index) => number === 0 && classifications[index] !== classes.skipped))
    throw new Error('A visitor has no number');
  return numbers;
}

const toColumns = (visitors: readonly { readonly scan: Scan }[]) => [
  toArrayLiteral(visitors.map(({ scan }) => scan.accountId)),
  toArrayLiteral(visitors.map(({ scan }) => scan.window)),
  toArrayLiteral(visitors.map(({ scan }) => scan.visitor)),
];

/** 2^48 numbers last longer than any installation. */
const bytesPerNumber = 6;

export function packNumbers(numbers: readonly number[]): Buffer {
  const packed = Buffer.allocUnsafe(numbers.length * bytesPerNumber);
  for (const [index, number] of numbers.entries())
    packed.writeUIntBE(number, index * bytesPerNumber, bytesPerNumber);
  return packed;
}

export const unpackNumbers = (packed: Buffer): number[] =>
  Array.from({ length: packed.length / bytesPerNumber }, (_, index) =>
    packed.readUIntBE(index * bytesPerNumber, bytesPerNumber),
  );
