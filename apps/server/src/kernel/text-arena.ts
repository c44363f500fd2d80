/**
 * Short ASCII texts outside the heap, so that a million of them give the garbage collector nothing to visit. A text is
 * stored in a block of its size class, and a freed block is reused by the next text of that class.
 */
export type TextArena = {
  /** Stores the text and returns its address. */
  store(text: string): number;
  /** Frees the block of a text of this length. */
  free(address: number, length: number): void;
  /** Part of the text at an address. */
  read(address: number, from: number, to: number): string;
  /** Whether the text at an address begins with this one. */
  startsWith(address: number, text: string): boolean;
  readonly bytes: number;
};

/** Addresses count units, so that 32 bits of them reach 128 GB. */
const unitBytes = 32;
const chunkBytes = 1024 * 1024;
const unitsPerChunk = chunkBytes / unitBytes;
/** Sizes up to 16 units have a class each; beyond, a class each 16 units, so that rare sizes share one. */
const fineUnits = 16;
/** Texts of a class that is rarely used should not take a whole chunk. */
const blocksPerRun = 64;

export function createTextArena(): TextArena {
  const chunks: Buffer[] = [];
  /** Free addresses by the number of units. */
  const free = new Map<number, number[]>();
  /** Where the next run of blocks begins, in the last chunk. */
  let nextUnit = unitsPerChunk;

  function findFreeBlocks(units: number): number[] {
    const blocks = free.get(units) ?? [];
    if (blocks.length > 0) return blocks;
    free.set(units, blocks);
    const run = Math.min(blocksPerRun, Math.floor(unitsPerChunk / units));
    if (nextUnit + run * units > unitsPerChunk) {
      chunks.push(Buffer.alloc(chunkBytes));
      nextUnit = 0;
    }
    const start = (chunks.length - 1) * unitsPerChunk + nextUnit;
    for (let block = run - 1; block >= 0; block--) blocks.push(start + block * units);
    nextUnit += run * units;
    return blocks;
  }

  const chunkAt = (address: number) => chunks[Math.floor(address / unitsPerChunk)]!;
  const toByteOffset = (address: number) => (address % unitsPerChunk) * unitBytes;

  return {
    store(text) {
      const units = unitsFor(text.length);
      if (units > unitsPerChunk) throw new RangeError(`A text has at most ${chunkBytes} characters`);
      const address = findFreeBlocks(units).pop()!;
      chunkAt(address).write(text, toByteOffset(address), 'latin1');
      return address;
    },
    free(address, length) {
      free.get(unitsFor(length))!.push(address);
    },
    read(address, from, to) {
      const offset = toByteOffset(address);
      return chunkAt(address).toString('latin1', offset + from, offset + to);
    },
    startsWith(address, text) {
      const chunk = chunkAt(address);
      const offset = toByteOffset(address);
      for (let i = 0; i < text.length; i++) if (chunk[offset + i] !== text.charCodeAt(i)) return false;
      return true;
    },
    get bytes() {
      return chunks.length * chunkBytes;
    },
  };
}

function unitsFor(length: number): number {
  const units = Math.max(1, Math.ceil(length / unitBytes));
  return units <= fineUnits ? units : Math.ceil(units / fineUnits) * fineUnits;
}
