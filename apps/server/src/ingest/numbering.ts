import type { Database } from '../platform/postgres.ts';
import type { Scan } from '../scans/scan.ts';
import { arrayOf } from './arrays.ts';
import { type Verdicts, verdicts } from './ingest.ts';
import * as statements from './statements.ts';

/**
 * The number of each scan's visitor, 0 where the scan is left out. A visitor of an account has one number in a window,
 * whichever shard saw it first: who comes second waits for the first to commit and takes its number.
 */
export async function numberVisitors(
  tx: Database,
  scans: readonly Scan[],
  result: Verdicts,
): Promise<number[]> {
  const people = new Map<string, { readonly scan: Scan; number: number }>();
  const keyOf = (scan: Scan) => scan.accountId + scan.window + scan.visitor;
  for (const [index, scan] of scans.entries()) {
    if (result[index] !== verdicts.leftOut && !people.has(keyOf(scan)))
      people.set(keyOf(scan), { scan, number: 0 });
  }
  for (const statement of [statements.knownVisitors, statements.numberVisitors, statements.knownVisitors]) {
    const unknown = [...people.values()].filter(person => person.number === 0);
    if (unknown.length === 0) break;
    const found = await tx.query<{ n: number; number: number }>(statement, columnsOf(unknown));
    for (const { n, number } of found) unknown[n - 1]!.number = number;
  }
  const numbers = scans.map((scan, index) =>
    result[index] === verdicts.leftOut ? 0 : people.get(keyOf(scan))!.number,
  );
  if (numbers.some((number, index) => number === 0 && result[index] !== verdicts.leftOut))
    throw new Error('A visitor was left without a number');
  return numbers;
}

const columnsOf = (people: readonly { readonly scan: Scan }[]) => [
  arrayOf(people.map(({ scan }) => scan.accountId)),
  arrayOf(people.map(({ scan }) => scan.window)),
  arrayOf(people.map(({ scan }) => scan.visitor)),
];

/** Numbers stay below 2^48 for longer than anybody will ask. */
const bytesEach = 6;

export function packNumbers(numbers: readonly number[]): Buffer {
  const packed = Buffer.allocUnsafe(numbers.length * bytesEach);
  for (const [index, number] of numbers.entries()) packed.writeUIntBE(number, index * bytesEach, bytesEach);
  return packed;
}

export const unpackNumbers = (packed: Buffer): number[] =>
  Array.from({ length: packed.length / bytesEach }, (_, index) =>
    packed.readUIntBE(index * bytesEach, bytesEach),
  );
