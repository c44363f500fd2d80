/**
 * How far somebody has read: a place in each shard of the scan log. A scan has its place for ever, and everything up to
 * the horizon is stored, so that reading on from a cursor neither misses nor repeats one, however late a scan came in.
 */
export type Cursor = ReadonlyMap<number, Place>;

/** An entry of a shard of the log, and a scan within it. */
export type Place = { readonly position: number; readonly place: number };

/** Behind every scan of an entry. */
export const endOfEntry = 0xffff_ffff;

export const start: Place = { position: 0, place: endOfEntry };

export const isAfter = (one: Place, other: Place): boolean =>
  one.position > other.position || (one.position === other.position && one.place > other.place);

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

/** As the id of an event: `0.123.4_1.77.0`. */
export function formatCursor(cursor: Cursor): string {
  return [...cursor]
    .sort(([a], [b]) => a - b)
    .map(([shard, { position, place }]) => `${shard}.${position}.${place}`)
    .join('_');
}

/** null for anything that is none, which a browser may well send after an update of ours. */
export function parseCursor(text: string): Cursor | null {
  if (!/^\d{1,5}\.\d{1,15}\.\d{1,10}(_\d{1,5}\.\d{1,15}\.\d{1,10}){0,255}$/.test(text)) return null;
  return new Map(
    text.split('_').map(part => {
      const [shard = 0, position = 0, place = 0] = part.split('.').map(Number);
      return [shard, { position, place }];
    }),
  );
}
