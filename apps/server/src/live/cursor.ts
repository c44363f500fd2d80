/**
 * How far somebody has read: a place in each shard of the scan log. A scan keeps its place, and everything up to the
 * horizon is stored, so that reading on from a cursor neither misses nor repeats one, however late a scan came in.
 */
export type Cursor = ReadonlyMap<number, Place>;

/** An entry of a shard of the log, and a scan within it. Positions begin again with every log that a shard has had. */
export type Place = { readonly log: number; readonly position: number; readonly place: number };

/** Behind every scan of an entry. */
export const endOfEntry = 0xffff_ffff;

export const start: Place = { log: 0, position: 0, place: endOfEntry };

export const isAfter = (one: Place, other: Place): boolean =>
  (one.log - other.log || one.position - other.position || one.place - other.place) > 0;

/** Whether nothing up to `other` is left to read. */
export const hasReached = (cursor: Cursor, other: Cursor): boolean =>
  [...other].every(([shard, place]) => !isAfter(place, cursor.get(shard) ?? start));

/** The further of the two in every shard. */
export function furthest(one: Cursor, other: Cursor): Cursor {
  const joined = new Map(one);
  for (const [shard, place] of other) {
    if (isAfter(place, joined.get(shard) ?? start)) joined.set(shard, place);
  }
  return joined;
}

/** As the id of an event: `0.0.123.4_1.0.77.0`. */
export function formatCursor(cursor: Cursor): string {
  return [...cursor]
    .sort(([a], [b]) => a - b)
    .map(([shard, { log, position, place }]) => `${shard}.${log}.${position}.${place}`)
    .join('_');
}

/** null for anything that is none. Ids from when a shard had one log only have three numbers, and mean the first log. */
export function parseCursor(text: string): Cursor | null {
  const parts = text.split('_');
  if (parts.length > mostShards || !parts.every(part => onePlace.test(part))) return null;
  return new Map(
    parts.map(part => {
      const [shard = 0, ...rest] = part.split('.').map(Number);
      const [log = 0, position = 0, place = 0] = rest.length === 3 ? rest : [0, ...rest];
      return [shard, { log, position, place }];
    }),
  );
}

const mostShards = 256;
const onePlace = /^\d{1,5}(\.\d{1,9})?\.\d{1,15}\.\d{1,10}$/;
