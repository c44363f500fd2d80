import { randomInt } from 'node:crypto';
import type { Mode } from '../kernel/caller.ts';
import { hash32 } from '../kernel/hash32.ts';
import { uuidFrom } from '../kernel/ids.ts';
import { createTextArena } from '../kernel/text-arena.ts';
import type { LinkRouting } from '../rules/link-routing.ts';
import { type Link, linkStatuses } from './link.ts';

/**
 * Links by key, in flat columns: one link takes about 180 bytes, and a million of them give the garbage collector nothing to
 * visit. A link has a slot for as long as it is in the table; links that were served lately are also held as objects.
 */
export type LinkTable = {
  /** The slot of a key; -1 if it has none. */
  find(key: string): number;
  /** Adds a link, or replaces that of the same key, and returns its slot. It is not stale then. */
  set(key: string, link: Link): number;
  delete(slot: number): void;
  keyAt(slot: number): string;
  linkAt(slot: number): Link;
  /** The same, for links that are likely to be read again: they are held as objects for a while. */
  foundAt(slot: number): { readonly link: Link };
  /** The slots in use, as at this moment: a slot may be freed before it is reached. */
  slots(): Iterable<number>;
  isUsed(slot: number): boolean;
  /** The epoch of the lease under which the link is trusted. */
  readonly epochs: Int32Array;
  /** Of the query that returned it, or of the invalidation since: the answer to an earlier query is older. */
  readonly sequences: Float64Array;
  /** Wall-clock time at which it was read, or last known to be current. */
  readonly confirmedAtMs: Float64Array;
  /** 1: served since it was last up for eviction. */
  readonly served: Uint8Array;
  /** 1: invalidated, and not read since. */
  readonly stale: Uint8Array;
  /** One more than the highest slot that was ever in use. */
  readonly end: number;
  readonly size: number;
  /** Their number, where a link with long rules counts as several. */
  readonly weight: number;
  readonly bytes: number;
};

const minSlots = 1024;
/** Links that are held as objects. Codes that are scanned all the time are nearly always among them. */
const recentSlots = 8192;
const idsBytes = 32;

export function createLinkTable(): LinkTable {
  // Owners choose short codes; they must not be able to choose ones that collide.
  const seed = randomInt(2 ** 32);
  const texts = createTextArena();
  const freeSlots: number[] = [];
  const recent: ({ readonly slot: number; readonly found: { readonly link: Link } } | undefined)[] =
    Array.from({ length: recentSlots });
  /** Few links have routing. */
  const routings = new Map<number, LinkRouting>();
  let end = 0;
  let size = 0;
  let routingWeight = 0;

  let ids = new Uint8Array(minSlots * idsBytes);
  let hashes = new Uint32Array(minSlots);
  let addresses = new Uint32Array(minSlots);
  let keyLengths = new Uint8Array(minSlots);
  let hostLengths = new Uint16Array(minSlots);
  let locationLengths = new Uint16Array(minSlots);
  /** Mode, status, whether it is suspended and whether it has routing; 0 for a free slot. */
  let states = new Uint8Array(minSlots);
  let epochs = new Int32Array(minSlots);
  let sequences = new Float64Array(minSlots);
  let confirmedAtMs = new Float64Array(minSlots);
  let served = new Uint8Array(minSlots);
  let stale = new Uint8Array(minSlots);
  /** Slots + 1 by hash, with linear probing; at most half full. */
  let index = new Int32Array(2 * minSlots);

  function grow(): void {
    const slots = 2 * hashes.length;
    const larger = <Column extends Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array>(
      column: Column,
      perSlot = 1,
    ): Column => {
      const copy = new (column.constructor as new (length: number) => Column)(slots * perSlot);
      copy.set(column);
      return copy;
    };
    ids = larger(ids, idsBytes);
    hashes = larger(hashes);
    addresses = larger(addresses);
    keyLengths = larger(keyLengths);
    hostLengths = larger(hostLengths);
    locationLengths = larger(locationLengths);
    states = larger(states);
    epochs = larger(epochs);
    sequences = larger(sequences);
    confirmedAtMs = larger(confirmedAtMs);
    served = larger(served);
    stale = larger(stale);
    index = new Int32Array(2 * slots);
    for (let slot = 0; slot < end; slot++) if (states[slot] !== 0) addToIndex(slot);
  }

  function addToIndex(slot: number): void {
    const mask = index.length - 1;
    let at = hashes[slot]! & mask;
    while (index[at] !== 0) at = (at + 1) & mask;
    index[at] = slot + 1;
  }

  /** Moves later entries of the same run up, so that none is cut off from the place that its hash gives. */
  function removeFromIndex(slot: number): void {
    const mask = index.length - 1;
    let gap = hashes[slot]! & mask;
    while (index[gap] !== slot + 1) gap = (gap + 1) & mask;
    for (let at = (gap + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const home = hashes[index[at]! - 1]! & mask;
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      index[gap] = index[at]!;
      gap = at;
    }
    index[gap] = 0;
  }

  function find(key: string): number {
    const hash = hash32(key, seed);
    const mask = index.length - 1;
    for (let at = hash & mask; index[at] !== 0; at = (at + 1) & mask) {
      const slot = index[at]! - 1;
      if (hashes[slot] === hash && keyLengths[slot] === key.length && texts.startsWith(addresses[slot]!, key))
        return slot;
    }
    return -1;
  }

  const textLength = (slot: number) => keyLengths[slot]! + hostLengths[slot]! + locationLengths[slot]!;

  function read(slot: number): Link {
    const address = addresses[slot]!;
    const hostAt = keyLengths[slot]!;
    const locationAt = hostAt + hostLengths[slot]!;
    const idBytes = ids.slice(slot * idsBytes, (slot + 1) * idsBytes);
    const hex = Buffer.from(idBytes.buffer).toString('hex');
    return {
      qrCodeId: uuidFrom(hex.slice(0, idsBytes)),
      accountId: uuidFrom(hex.slice(idsBytes)),
      idBytes,
      mode: modeIn(states[slot]!),
      status: statusIn(states[slot]!),
      suspended: (states[slot]! & suspendedBit) !== 0,
      routing: (states[slot]! & routedBit) === 0 ? null : routings.get(slot)!,
      host: texts.read(address, hostAt, locationAt),
      location: texts.read(address, locationAt, textLength(slot)),
    };
  }

  function setRouting(slot: number, routing: LinkRouting | null): void {
    const before = (states[slot]! & routedBit) === 0 ? undefined : routings.get(slot);
    if (before) {
      routingWeight -= weightOf(before);
      routings.delete(slot);
    }
    if (routing === null) return;
    routingWeight += weightOf(routing);
    routings.set(slot, routing);
  }

  function forgetRecent(slot: number): void {
    if (recent[slot % recentSlots]?.slot === slot) recent[slot % recentSlots] = undefined;
  }

  return {
    find,
    set(key, link) {
      let slot = find(key);
      if (slot < 0) {
        slot = freeSlots.pop() ?? end;
        if (slot === hashes.length) grow();
        if (slot === end) end++;
        size++;
        served[slot] = 0;
        hashes[slot] = hash32(key, seed);
        addToIndex(slot);
      } else {
        texts.free(addresses[slot]!, textLength(slot));
      }
      forgetRecent(slot);
      ids.set(link.idBytes, slot * idsBytes);
      keyLengths[slot] = key.length;
      hostLengths[slot] = link.host.length;
      locationLengths[slot] = link.location.length;
      addresses[slot] = texts.store(key + link.host + link.location);
      setRouting(slot, link.routing);
      states[slot] = stateOf(link);
      stale[slot] = 0;
      return slot;
    },
    delete(slot) {
      removeFromIndex(slot);
      texts.free(addresses[slot]!, textLength(slot));
      forgetRecent(slot);
      setRouting(slot, null);
      states[slot] = 0;
      freeSlots.push(slot);
      size--;
    },
    keyAt: slot => texts.read(addresses[slot]!, 0, keyLengths[slot]!),
    foundAt(slot) {
      const held = recent[slot % recentSlots];
      if (held?.slot === slot) return held.found;
      const found = { link: read(slot) };
      recent[slot % recentSlots] = { slot, found };
      return found;
    },
    linkAt: read,
    *slots() {
      for (let slot = 0, last = end; slot < last; slot++) if (states[slot] !== 0) yield slot;
    },
    isUsed: slot => states[slot] !== 0,
    get epochs() {
      return epochs;
    },
    get sequences() {
      return sequences;
    },
    get confirmedAtMs() {
      return confirmedAtMs;
    },
    get served() {
      return served;
    },
    get stale() {
      return stale;
    },
    get end() {
      return end;
    },
    get size() {
      return size;
    },
    get weight() {
      return size + routingWeight;
    },
    get bytes() {
      const columns = [ids, hashes, addresses, keyLengths, hostLengths, locationLengths, states];
      const more = [epochs, sequences, confirmedAtMs, served, stale, index];
      return [...columns, ...more].reduce((sum, column) => sum + column.byteLength, texts.bytes);
    },
  };
}

const [usedBit, testBit, suspendedBit, statusShift, statusMask, routedBit] = [1, 2, 4, 3, 3, 32] as const;

const stateOf = ({ mode, status, suspended, routing }: Link): number =>
  usedBit |
  (mode === 'test' ? testBit : 0) |
  (suspended ? suspendedBit : 0) |
  (routing === null ? 0 : routedBit) |
  (linkStatuses.indexOf(status) << statusShift);
const modeIn = (state: number): Mode => ((state & testBit) === 0 ? 'live' : 'test');
const statusIn = (state: number): Link['status'] => linkStatuses[(state >> statusShift) & statusMask]!;

/** What is counted besides the link itself: one for each KiB. */
const weightOf = ({ text }: LinkRouting): number => Math.floor(text.length / 1024);
