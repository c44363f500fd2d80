import { randomInt } from 'node:crypto';
import type { Mode } from '../../kernel/caller.ts';
import { hash32 } from '../../kernel/hash32.ts';
import { uuidFrom } from '../../kernel/ids.ts';
import { createTextArena } from '../../kernel/text-arena.ts';
import type { LinkRules } from '../../rules/link-rules.ts';
import { type Link, linkStatuses } from './link.ts';

/**
 * Links by key, in flat columns: one link takes about 180 bytes, and a million of them give the garbage collector nothing to
 * visit. A link has a row for as long as it is in the table; links that were served lately are also held as objects.
 */
export type LinkTable = {
  /** The row of a key; -1 if it has none. */
  find(key: string): number;
  /** Adds a link, or replaces that of the same key, and returns its row. It is not stale then. */
  set(key: string, link: Link): number;
  delete(row: number): void;
  keyAt(row: number): string;
  linkAt(row: number): Link;
  /** The same, for links that are likely to be read again: they are held as objects for a while. */
  foundAt(row: number): { readonly link: Link };
  /** The rows in use, as at this moment: a row may be freed before it is reached. */
  rows(): Iterable<number>;
  isUsed(row: number): boolean;
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
  /** One more than the highest row that was ever in use. */
  readonly end: number;
  readonly size: number;
  /** Their number, where a link with long rules counts as several. */
  readonly weight: number;
  readonly bytes: number;
};

const minRows = 1024;
/** Links that are held as objects. Codes that are scanned all the time are nearly always among them. */
const recentRows = 8192;
const idsBytes = 32;

export function createLinkTable(): LinkTable {
  // Owners choose short codes; they must not be able to choose ones that collide.
  const seed = randomInt(2 ** 32);
  const texts = createTextArena();
  const freeRows: number[] = [];
  const recent: ({ readonly row: number; readonly found: { readonly link: Link } } | undefined)[] =
    Array.from({ length: recentRows });
  /** Few links have routing. */
  const routings = new Map<number, LinkRules>();
  let end = 0;
  let size = 0;
  let routingWeight = 0;

  let ids = new Uint8Array(minRows * idsBytes);
  let hashes = new Uint32Array(minRows);
  let addresses = new Uint32Array(minRows);
  let keyLengths = new Uint8Array(minRows);
  let hostLengths = new Uint16Array(minRows);
  let locationLengths = new Uint16Array(minRows);
  /** Mode, status, whether it is suspended and whether it has routing; 0 for a free row. */
  let states = new Uint8Array(minRows);
  let epochs = new Int32Array(minRows);
  let sequences = new Float64Array(minRows);
  let confirmedAtMs = new Float64Array(minRows);
  let served = new Uint8Array(minRows);
  let stale = new Uint8Array(minRows);
  /** Rows + 1 by hash, with linear probing; at most half full. */
  let index = new Int32Array(2 * minRows);

  function grow(): void {
    const rows = 2 * hashes.length;
    const larger = <Column extends Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array>(
      column: Column,
      perRow = 1,
    ): Column => {
      const copy = new (column.constructor as new (length: number) => Column)(rows * perRow);
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
    index = new Int32Array(2 * rows);
    for (let row = 0; row < end; row++) if (states[row] !== 0) addToIndex(row);
  }

  function addToIndex(row: number): void {
    const mask = index.length - 1;
    let at = hashes[row]! & mask;
    while (index[at] !== 0) at = (at + 1) & mask;
    index[at] = row + 1;
  }

  /** Moves later entries of the same run up, so that none is cut off from the place that its hash gives. */
  function removeFromIndex(row: number): void {
    const mask = index.length - 1;
    let gap = hashes[row]! & mask;
    while (index[gap] !== row + 1) gap = (gap + 1) & mask;
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
      const row = index[at]! - 1;
      if (hashes[row] === hash && keyLengths[row] === key.length && texts.startsWith(addresses[row]!, key))
        return row;
    }
    return -1;
  }

  const textLength = (row: number) => keyLengths[row]! + hostLengths[row]! + locationLengths[row]!;

  function read(row: number): Link {
    const address = addresses[row]!;
    const hostAt = keyLengths[row]!;
    const locationAt = hostAt + hostLengths[row]!;
    const idBytes = ids.slice(row * idsBytes, (row + 1) * idsBytes);
    const hex = Buffer.from(idBytes.buffer).toString('hex');
    return {
      qrCodeId: uuidFrom(hex.slice(0, idsBytes)),
      accountId: uuidFrom(hex.slice(idsBytes)),
      idBytes,
      mode: decodeMode(states[row]!),
      status: decodeStatus(states[row]!),
      suspended: (states[row]! & suspendedBit) !== 0,
      routing: (states[row]! & routedBit) === 0 ? null : routings.get(row)!,
      host: texts.read(address, hostAt, locationAt),
      location: texts.read(address, locationAt, textLength(row)),
    };
  }

  function setRouting(row: number, routing: LinkRules | null): void {
    const before = (states[row]! & routedBit) === 0 ? undefined : routings.get(row);
    if (before) {
      routingWeight -= countExtraKiB(before);
      routings.delete(row);
    }
    if (routing === null) return;
    routingWeight += countExtraKiB(routing);
    routings.set(row, routing);
  }

  function forgetRecent(row: number): void {
    if (recent[row % recentRows]?.row === row) recent[row % recentRows] = undefined;
  }

  return {
    find,
    set(key, link) {
      let row = find(key);
      if (row < 0) {
        row = freeRows.pop() ?? end;
        if (row === hashes.length) grow();
        if (row === end) end++;
        size++;
        served[row] = 0;
        hashes[row] = hash32(key, seed);
        addToIndex(row);
      } else {
        texts.free(addresses[row]!, textLength(row));
      }
      forgetRecent(row);
      ids.set(link.idBytes, row * idsBytes);
      keyLengths[row] = key.length;
      hostLengths[row] = link.host.length;
      locationLengths[row] = link.location.length;
      addresses[row] = texts.store(key + link.host + link.location);
      setRouting(row, link.routing);
      states[row] = encodeState(link);
      stale[row] = 0;
      return row;
    },
    delete(row) {
      removeFromIndex(row);
      texts.free(addresses[row]!, textLength(row));
      forgetRecent(row);
      setRouting(row, null);
      states[row] = 0;
      freeRows.push(row);
      size--;
    },
    keyAt: row => texts.read(addresses[row]!, 0, keyLengths[row]!),
    foundAt(row) {
      const held = recent[row % recentRows];
      if (held?.row === row) return held.found;
      const found = { link: read(row) };
      recent[row % recentRows] = { row, found };
      return found;
    },
    linkAt: read,
    *rows() {
      for (let row = 0, last = end; row < last; row++) if (states[row] !== 0) yield row;
    },
    isUsed: row => states[row] !== 0,
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

const encodeState = ({ mode, status, suspended, routing }: Link): number =>
  usedBit |
  (mode === 'test' ? testBit : 0) |
  (suspended ? suspendedBit : 0) |
  (routing === null ? 0 : routedBit) |
  (linkStatuses.indexOf(status) << statusShift);
const decodeMode = (state: number): Mode => ((state & testBit) === 0 ? 'live' : 'test');
const decodeStatus = (state: number): Link['status'] => linkStatuses[(state >> statusShift) & statusMask]!;

/** What is counted besides the link itself: one for each KiB. */
const countExtraKiB = ({ text }: LinkRules): number => Math.floor(text.length / 1024);
