import { randomInt } from 'node:crypto';
import type { Mode } from '../../kernel/caller.ts';
import { hash32 } from '../../kernel/hash32.ts';
import { type Uuid, uuidFrom } from '../../kernel/ids.ts';
import { createTextArena } from '../../kernel/text-arena.ts';
import type { LinkRules } from '../../rules/link-rules.ts';
import { type Link, linkStatuses } from './link.ts';
import { createLinkIndex } from './link-index.ts';

/**
 * Links by key, in columns outside the heap: one link takes about 180 bytes, and a million of them give the garbage collector
 * nothing to visit. A link has a row for as long as it is in the table; links that were served lately are also held as objects.
 * Rows are added by the block and the index grows in small tables, so the event loop never waits while the table becomes larger.
 */
export type LinkTable = {
  /** The row of a key; -1 if it has none. */
  find(key: string): number;
  /** Adds a link, or replaces that of the same key, and returns its row. It is not stale then. */
  set(key: string, link: Link, reading: Reading): number;
  delete(row: number): void;
  keyAt(row: number): string;
  linkAt(row: number): Link;
  /** The same, for links that are likely to be read again: they are held as objects for a while. */
  foundAt(row: number): { readonly link: Link };
  /** The rows in use, as at this moment: a row may be freed before it is reached. */
  rows(): Iterable<number>;
  isUsed(row: number): boolean;
  epochAt(row: number): number;
  sequenceAt(row: number): number;
  confirmedAtMsAt(row: number): number;
  confirm(row: number, atMs: number): void;
  /** Invalidated, and not read since. */
  isStale(row: number): boolean;
  invalidate(row: number, epoch: number, sequence: number): void;
  markServed(row: number): void;
  /** Whether the link was served since it was last up for eviction. */
  clearServed(row: number): boolean;
  /** One more than the highest row that was ever in use. */
  readonly end: number;
  readonly size: number;
  /** Their number, where a link with long rules counts as several. */
  readonly weight: number;
  readonly bytes: number;
};

/** How a link became known. */
export type Reading = {
  /** Of the lease under which it is trusted. */
  readonly epoch: number;
  /** Of the query that returned it, or of the invalidation since: the answer to an earlier query is older. */
  readonly sequence: number;
  /** Wall-clock time at which it was read, or last known to be current. */
  readonly confirmedAtMs: number;
};

/** Links that are held as objects. Codes that are scanned all the time are nearly always among them. */
const recentRows = 8192;
const idBytes = 16;
const idsBytes = 2 * idBytes;

/** A block of rows takes 0.5 MB: as much as can be allocated and cleared between two redirects. */
const blockBits = 13;
const blockRows = 2 ** blockBits;

function createBlock() {
  return {
    ids: new Uint8Array(blockRows * idsBytes),
    hashes: new Uint32Array(blockRows),
    addresses: new Uint32Array(blockRows),
    keyLengths: new Uint8Array(blockRows),
    hostLengths: new Uint16Array(blockRows),
    locationLengths: new Uint16Array(blockRows),
    /** Mode, status, whether it is suspended and whether it has routing; 0 for a free row. */
    states: new Uint8Array(blockRows),
    epochs: new Int32Array(blockRows),
    sequences: new Float64Array(blockRows),
    confirmedAtMs: new Float64Array(blockRows),
    /** 1: served since it was last up for eviction. */
    served: new Uint8Array(blockRows),
    /** 1: invalidated, and not read since. */
    stale: new Uint8Array(blockRows),
  };
}
type Block = ReturnType<typeof createBlock>;
const blockBytes = Object.values(createBlock()).reduce((sum, column) => sum + column.byteLength, 0);

const toPlace = (row: number) => row & (blockRows - 1);

/** The texts of the ids are written when they are asked for: most scans need only their bytes. */
class TableLink implements Link {
  readonly idBytes: Uint8Array;
  readonly mode: Mode;
  readonly status: Link['status'];
  readonly suspended: boolean;
  readonly routing: LinkRules | null;
  readonly host: string;
  readonly location: string;
  #qrCodeId: Uuid = '';
  #accountId: Uuid = '';

  constructor(ids: Uint8Array, state: number, routing: LinkRules | null, host: string, location: string) {
    this.idBytes = ids;
    this.mode = decodeMode(state);
    this.status = decodeStatus(state);
    this.suspended = (state & suspendedBit) !== 0;
    this.routing = routing;
    this.host = host;
    this.location = location;
  }

  get qrCodeId(): Uuid {
    this.#qrCodeId ||= readUuid(this.idBytes, 0);
    return this.#qrCodeId;
  }

  get accountId(): Uuid {
    this.#accountId ||= readUuid(this.idBytes, idBytes);
    return this.#accountId;
  }
}

const readUuid = (bytes: Uint8Array, start: number): Uuid =>
  uuidFrom(Buffer.from(bytes.buffer, bytes.byteOffset + start, idBytes).toString('hex'));

export function createLinkTable(): LinkTable {
  // Owners choose short codes; they must not be able to choose ones that collide.
  const seed = randomInt(2 ** 32);
  const texts = createTextArena();
  const blocks: Block[] = [];
  const freeRows: number[] = [];
  const recent: ({ readonly row: number; readonly found: { readonly link: Link } } | undefined)[] =
    Array.from({ length: recentRows });
  /** Few links have routing. */
  const routings = new Map<number, LinkRules>();
  let end = 0;
  let size = 0;
  let routingWeight = 0;

  const blockFor = (row: number): Block => blocks[row >>> blockBits]!;
  const index = createLinkIndex(row => blockFor(row).hashes[toPlace(row)]!);
  const addressAt = (row: number) => blockFor(row).addresses[toPlace(row)]!;
  const keyLengthAt = (row: number) => blockFor(row).keyLengths[toPlace(row)]!;

  const find = (key: string): number =>
    index.find(
      hash32(key, seed),
      row => keyLengthAt(row) === key.length && texts.startsWith(addressAt(row), key),
    );

  function measureText(row: number): number {
    const { keyLengths, hostLengths, locationLengths } = blockFor(row);
    const at = toPlace(row);
    return keyLengths[at]! + hostLengths[at]! + locationLengths[at]!;
  }

  function takeRow(): number {
    const row = freeRows.pop() ?? end++;
    if (row >>> blockBits === blocks.length) blocks.push(createBlock());
    return row;
  }

  function read(row: number): Link {
    const { ids, states, addresses, keyLengths, hostLengths } = blockFor(row);
    const at = toPlace(row);
    const hostLength = hostLengths[at]!;
    const text = texts.read(addresses[at]!, keyLengths[at]!, measureText(row));
    const state = states[at]!;
    return new TableLink(
      ids.slice(at * idsBytes, (at + 1) * idsBytes),
      state,
      (state & routedBit) === 0 ? null : routings.get(row)!,
      text.slice(0, hostLength),
      text.slice(hostLength),
    );
  }

  function setRouting(row: number, routing: LinkRules | null): void {
    const before = (blockFor(row).states[toPlace(row)]! & routedBit) === 0 ? undefined : routings.get(row);
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
    set(key, link, { epoch, sequence, confirmedAtMs }) {
      const before = find(key);
      const row = before < 0 ? takeRow() : before;
      const block = blockFor(row);
      const at = toPlace(row);
      if (before < 0) {
        size++;
        block.served[at] = 0;
        block.hashes[at] = hash32(key, seed);
        index.add(block.hashes[at], row);
      } else {
        texts.free(block.addresses[at]!, measureText(row));
      }
      forgetRecent(row);
      block.ids.set(link.idBytes, at * idsBytes);
      block.keyLengths[at] = key.length;
      block.hostLengths[at] = link.host.length;
      block.locationLengths[at] = link.location.length;
      block.addresses[at] = texts.store(key + link.host + link.location);
      setRouting(row, link.routing);
      block.states[at] = encodeState(link);
      block.stale[at] = 0;
      block.epochs[at] = epoch;
      block.sequences[at] = sequence;
      block.confirmedAtMs[at] = confirmedAtMs;
      return row;
    },
    delete(row) {
      const block = blockFor(row);
      const at = toPlace(row);
      index.remove(block.hashes[at]!, row);
      texts.free(block.addresses[at]!, measureText(row));
      forgetRecent(row);
      setRouting(row, null);
      block.states[at] = 0;
      freeRows.push(row);
      size--;
    },
    keyAt: row => texts.read(addressAt(row), 0, keyLengthAt(row)),
    foundAt(row) {
      const held = recent[row % recentRows];
      if (held?.row === row) return held.found;
      const found = { link: read(row) };
      recent[row % recentRows] = { row, found };
      return found;
    },
    linkAt: read,
    *rows() {
      for (let row = 0, last = end; row < last; row++)
        if (blockFor(row).states[toPlace(row)] !== 0) yield row;
    },
    isUsed: row => blockFor(row).states[toPlace(row)] !== 0,
    epochAt: row => blockFor(row).epochs[toPlace(row)]!,
    sequenceAt: row => blockFor(row).sequences[toPlace(row)]!,
    confirmedAtMsAt: row => blockFor(row).confirmedAtMs[toPlace(row)]!,
    confirm(row, atMs) {
      blockFor(row).confirmedAtMs[toPlace(row)] = atMs;
    },
    isStale: row => blockFor(row).stale[toPlace(row)] === 1,
    invalidate(row, epoch, sequence) {
      const block = blockFor(row);
      const at = toPlace(row);
      block.epochs[at] = epoch;
      block.sequences[at] = sequence;
      block.stale[at] = 1;
    },
    markServed(row) {
      blockFor(row).served[toPlace(row)] = 1;
    },
    clearServed(row) {
      const { served } = blockFor(row);
      const was = served[toPlace(row)] === 1;
      served[toPlace(row)] = 0;
      return was;
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
      return blocks.length * blockBytes + index.bytes + texts.bytes;
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
