/**
 * How far a viewer has read: a position in each shard of the scan log. A scan keeps its position, and everything up to the
 * horizon is stored, so reading on from a cursor neither misses nor repeats a scan, however late it came in.
 */
export type Cursor = ReadonlyMap<number, ScanPosition>;

/** An entry in one of the logs that a shard has had, and the index of a scan within it. Each log starts at position 0. */
export type ScanPosition = { readonly log: number; readonly position: number; readonly index: number };

/** After every scan of an entry. */
export const endOfEntry = 0xffff_ffff;

export const logStart: ScanPosition = { log: 0, position: 0, index: endOfEntry };

export const isAfter = (one: ScanPosition, other: ScanPosition): boolean =>
  (one.log - other.log || one.position - other.position || one.index - other.index) > 0;

/** Whether nothing up to `other` is left to read. */
export const hasReached = (cursor: Cursor, other: Cursor): boolean =>
  [...other].every(([shard, position]) => !isAfter(position, cursor.get(shard) ?? logStart));

/** In every shard the further of the two. */
export function furthest(one: Cursor, other: Cursor): Cursor {
  const merged = new Map(one);
  for (const [shard, position] of other) {
    if (isAfter(position, merged.get(shard) ?? logStart)) merged.set(shard, position);
  }
  return merged;
}

/** Up to this scan, if everything up to the horizon is read shard by shard: those before that of the scan are done. */
export function readUpTo(last: ScanPosition & { readonly shard: number }, horizon: Cursor): Cursor {
  const { shard, log, position, index } = last;
  return new Map([...horizon].filter(([other]) => other < shard)).set(shard, { log, position, index });
}

/** As the id of an event: `0.0.123.4_1.0.77.0`. */
export function formatCursor(cursor: Cursor): string {
  return [...cursor]
    .sort(([a], [b]) => a - b)
    .map(([shard, { log, position, index }]) => `${shard}.${log}.${position}.${index}`)
    .join('_');
}

/** Null for any other text. */
export function parseCursor(text: string): Cursor | null {
  const parts = text.split('_');
  if (parts.length > maxShards || !parts.every(part => positionPattern.test(part))) return null;
  return new Map(
    parts.map(part => {
      const [shard = 0, log = 0, position = 0, index = 0] = part.split('.').map(Number);
      return [shard, { log, position, index }];
    }),
  );
}

const maxShards = 256;
const positionPattern = /^\d{1,5}\.\d{1,9}\.\d{1,15}\.\d{1,10}$/;
