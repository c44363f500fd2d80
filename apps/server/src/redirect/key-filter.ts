import { randomInt } from 'node:crypto';
import type { Chance } from './look-up-gate.ts';

/**
 * Which keys may exist, in a few bits each (a Bloom filter). It decides whose look-up goes first under a flood, never
 * what a scanner is told: a key that it lacks is still looked up while there is room.
 */
export type KeyFilter = {
  chanceOf(key: string): Chance;
  add(key: string): void;
  /** Begins again with room for so many keys; until `ready` nothing is sure. */
  reset(keys: number): void;
  ready(): void;
  /** Whether there are more keys than it was made for. */
  isFull(): boolean;
  readonly bytes: number;
};

const bitsPerKey = 12;
const hashes = 8;
const fewestKeys = 100_000;
/** Beyond this the filter stays off, and look-ups are bounded by address alone. */
export const mostKeys = 80_000_000;

export function createKeyFilter(): KeyFilter {
  // Strangers choose the keys that are asked for; they must not be able to choose ones that collide.
  const seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  let bits = new Uint8Array(0);
  let room = 0;
  let added = 0;
  let isReady = false;

  /** Calls back with each bit of the key until it returns false. */
  function everyBit(key: string, work: (byte: number, mask: number) => boolean): boolean {
    const size = bits.length * 8;
    const first = hash(key, seeds[0]);
    // Odd, so that the steps do not fall together.
    const step = hash(key, seeds[1]) | 1;
    for (let i = 0; i < hashes; i++) {
      const at = ((first + Math.imul(i, step)) >>> 0) % size;
      if (!work(at >>> 3, 1 << (at & 7))) return false;
    }
    return true;
  }

  return {
    chanceOf(key) {
      if (!isReady) return 'unsure';
      return everyBit(key, (byte, mask) => (bits[byte]! & mask) !== 0) ? 'likely' : 'unlikely';
    },
    add(key) {
      if (room === 0) return;
      let isNew = false;
      everyBit(key, (byte, mask) => {
        isNew ||= (bits[byte]! & mask) === 0;
        bits[byte]! |= mask;
        return true;
      });
      if (isNew) added++;
    },
    reset(keys) {
      isReady = false;
      added = 0;
      room = Math.max(fewestKeys, keys);
      bits = new Uint8Array(Math.ceil((room * bitsPerKey) / 8));
    },
    ready() {
      isReady = true;
    },
    isFull: () => added > room,
    get bytes() {
      return bits.length;
    },
  };
}

/** FNV-1a with a seed and a last mix (MurmurHash3's), 32 bits. */
function hash(text: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
