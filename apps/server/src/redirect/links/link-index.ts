/**
 * The rows of links by a hash of their keys. Entries are spread over many small tables that double one by one: a single table of
 * millions would block the event loop for a tenth of a second whenever it doubled.
 */
export type LinkIndex = {
  /** The row with this hash for which `isRow` holds; -1 if there is none. */
  find(hash: number, isRow: (row: number) => boolean): number;
  add(hash: number, row: number): void;
  remove(hash: number, row: number): void;
  readonly bytes: number;
};

/** Low bits of a hash that choose the table; the others choose the place in it. */
const tableBits = 10;
const tableCount = 2 ** tableBits;
const minPlaces = 8;

export function createLinkIndex(hashAt: (row: number) => number): LinkIndex {
  /** Rows + 1, with linear probing; at most half full. */
  const tables = Array.from({ length: tableCount }, () => new Int32Array(minPlaces));
  const counts = new Uint32Array(tableCount);
  let places = tableCount * minPlaces;

  const tableFor = (hash: number) => hash & (tableCount - 1);
  const findHome = (hash: number, table: Int32Array) => (hash >>> tableBits) & (table.length - 1);

  function place(table: Int32Array, row: number): void {
    const mask = table.length - 1;
    let at = findHome(hashAt(row), table);
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = row + 1;
  }

  function grow(number: number): Int32Array {
    const table = tables[number]!;
    const larger = new Int32Array(2 * table.length);
    for (const entry of table) if (entry !== 0) place(larger, entry - 1);
    tables[number] = larger;
    places += table.length;
    return larger;
  }

  return {
    find(hash, isRow) {
      const table = tables[tableFor(hash)]!;
      const mask = table.length - 1;
      for (let at = findHome(hash, table); table[at] !== 0; at = (at + 1) & mask) {
        const row = table[at]! - 1;
        if (hashAt(row) === hash && isRow(row)) return row;
      }
      return -1;
    },
    add(hash, row) {
      const number = tableFor(hash);
      const isFull = 2 * ++counts[number]! > tables[number]!.length;
      place(isFull ? grow(number) : tables[number]!, row);
    },
    /** Moves later entries of the same run up, so that none is cut off from the place that its hash gives. */
    remove(hash, row) {
      const number = tableFor(hash);
      const table = tables[number]!;
      const mask = table.length - 1;
      let gap = findHome(hash, table);
      while (table[gap] !== row + 1) gap = (gap + 1) & mask;
      for (let at = (gap + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
        const home = findHome(hashAt(table[at]! - 1), table);
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        table[gap] = table[at]!;
        gap = at;
      }
      table[gap] = 0;
      counts[number]!--;
    },
    get bytes() {
      return places * Int32Array.BYTES_PER_ELEMENT;
    },
  };
}
