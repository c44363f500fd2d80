import { randomInt } from 'node:crypto';
import { hash32 } from '../../kernel/hash32.ts';
import type { Likelihood } from './lookup-gate.ts';

/**
 * Which keys may exist, in a few bits each (a Bloom filter). It decides which look-ups go first under a flood, never what a
 * scanner sees: a key that it lacks is still looked up while the gate has capacity.
 */
export type KeyFilter = {
  estimate(key: string): Likelihood;
  add(key: string): void;
  /** Empties the filter and sizes it for this many keys. Until `ready` every key is `unsure`. */
  reset(keys: number): void;
  ready(): void;
  /** Whether it has more keys than it was sized for. */
  isFull(): boolean;
  readonly bytes: number;
};

const bitsPerKey = 12;
const hashes = 8;
const minKeys = 100_000;
/** Beyond this the filter stays off, and look-ups are limited by address only. */
export const maxKeys = 80_000_000;

export function createKeyFilter(): KeyFilter {
  // Clients choose the keys they request; they must not be able to choose keys that collide.
  const seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  let bits = new Uint8Array(0);
  let capacity = 0;
  let added = 0;
  let isReady = false;

  /** Calls back with each bit of the key until the callback returns false. */
  function everyBit(key: string, visit: (byte: number, mask: number) => boolean): boolean {
    const size = bits.length * 8;
    const first = hash32(key, seeds[0]);
    // An odd step does not revisit the same bits.
    const step = hash32(key, seeds[1]) | 1;
    for (let i = 0; i < hashes; i++) {
      const at = ((first + Math.imul(i, step)) >>> 0) % size;
      if (!visit(at >>> 3, 1 << (at & 7))) return false;
    }
    return true;
  }

  return {
    estimate(key) {
      if (!isReady) return 'unsure';
      return everyBit(key, (byte, mask) => (bits[byte]! & mask) !== 0) ? 'likely' : 'unlikely';
    },
    add(key) {
      if (capacity === 0) return;
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
      capacity = Math.max(minKeys, keys);
      bits = new Uint8Array(Math.ceil((capacity * bitsPerKey) / 8));
    },
    ready() {
      isReady = true;
    },
    isFull: () => added > capacity,
    get bytes() {
      return bits.length;
    },
  };
}
