import { openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isIP } from 'node:net';

/** An open MMDB file. */
export type MmdbFile = {
  readonly ipVersion: number;
  /** The record of an address, with its texts, whole numbers, maps and lists; null if it has none. */
  get(address: string): unknown;
};

const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
/** The format ends the search for the metadata here. */
const maxMetadataBytes = 128 * 1024;
/** Between the tree and the data. */
export const separatorBytes = 16;

/** The file stays on disk: a lookup reads the few pages that it needs, which the kernel keeps in its cache. */
export async function openMmdbFile(path: string): Promise<MmdbFile> {
  const { node_count: nodeCount, record_size: recordBits, ip_version: ipVersion } = await readMetadata(path);
  const pages = openPages(path);
  const nodeBytes = recordBits / 4;
  const treeBytes = nodeCount * nodeBytes;
  const decode = createDecoder(pages, treeBytes + separatorBytes);

  function readChild(node: number, isRight: boolean): number {
    const bytes = pages(node * nodeBytes, nodeBytes);
    if (recordBits === 32) return bytes.readUInt32BE(isRight ? 4 : 0);
    if (recordBits === 24) return bytes.readUIntBE(isRight ? 3 : 0, 3);
    // 28 bits: the byte in the middle has the highest four of either side.
    const highest = isRight ? bytes[3]! & 0x0f : bytes[3]! >> 4;
    return highest * 2 ** 24 + bytes.readUIntBE(isRight ? 4 : 0, 3);
  }

  return {
    ipVersion,
    get(address) {
      const bytes = toAddressBytes(address, ipVersion);
      let node = 0;
      for (let bit = 0; bit < bytes.length * 8 && node < nodeCount; bit++)
        node = readChild(node, ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1);
      return node > nodeCount ? decode(node - nodeCount + treeBytes).value : null;
    },
  };
}

type Metadata = { readonly node_count: number; readonly record_size: number; readonly ip_version: number };

/** With the offset at which it begins, which is the end of the data. */
export async function readMetadata(path: string): Promise<Metadata & { readonly metadataAt: number }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxMetadataBytes);
    const end = Buffer.alloc(length);
    await file.read(end, 0, length, size - length);
    const at = end.lastIndexOf(marker);
    if (at < 0) throw new Error(`${path} is not an MMDB file`);
    const start = at + marker.length;
    const decode = createDecoder((offset, bytes) => end.subarray(offset, offset + bytes), start);
    const metadata = decode(start).value as Metadata;
    if (![24, 28, 32].includes(metadata.record_size))
      throw new Error(`${path} has records of an unknown size`);
    return { ...metadata, metadataAt: size - length + at };
  } finally {
    await file.close();
  }
}

/** Bytes of a file. They must not be changed, and hold only until the next call. */
type Bytes = (offset: number, length: number) => Buffer;

const [pageBytes, maxPages] = [4096, 1024];

/** The pages that were read last, up to four megabytes. At the limit all are dropped, which is cheaper than tracking use. */
function openPages(path: string): Bytes {
  // Open for the life of the process: a file that is replaced meanwhile is read on as it was.
  const file = openSync(path, 'r');
  const pages = new Map<number, Buffer>();
  function pageAt(index: number): Buffer {
    const known = pages.get(index);
    if (known) return known;
    const page = Buffer.allocUnsafeSlow(pageBytes);
    const length = readSync(file, page, 0, pageBytes, index * pageBytes);
    if (pages.size >= maxPages) pages.clear();
    pages.set(index, page.subarray(0, length));
    return page.subarray(0, length);
  }
  return (offset, length) => {
    const [index, start] = [Math.floor(offset / pageBytes), offset % pageBytes];
    const bytes = pageAt(index).subarray(start, start + length);
    if (bytes.length === length) return bytes;
    const parts = [bytes];
    for (let missing = length - bytes.length, next = index + 1; missing > 0; next++) {
      const part = pageAt(next).subarray(0, missing);
      if (part.length === 0) throw new Error(`${path} ends early`);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  };
}

type Decoded = { readonly value: unknown; readonly end: number };

/** Reads values of the format's data section. Those that we have no use for (fractions, coordinates) are undefined. */
function createDecoder(bytes: Bytes, sectionStart: number): (offset: number) => Decoded {
  const number = (offset: number, length: number) =>
    length === 0 ? 0 : bytes(offset, length).readUIntBE(0, length);

  function decodePointer(control: number, offset: number): Decoded {
    const [size, highest] = [(control >> 3) & 3, control & 7];
    const base = [0, 2048, 526_336, 0][size]!;
    const pointer = number(offset, size + 1) + (size === 3 ? 0 : highest * 2 ** (8 * (size + 1))) + base;
    return { value: decode(sectionStart + pointer).value, end: offset + size + 1 };
  }

  function decodeMap(entries: number, start: number): Decoded {
    const map: Record<string, unknown> = {};
    let offset = start;
    for (let entry = 0; entry < entries; entry++) {
      const key = decode(offset);
      const { value, end } = decode(key.end);
      map[String(key.value)] = value;
      offset = end;
    }
    return { value: map, end: offset };
  }

  function decodeList(entries: number, start: number): Decoded {
    const list: unknown[] = [];
    let offset = start;
    for (let entry = 0; entry < entries; entry++) {
      const { value, end } = decode(offset);
      list.push(value);
      offset = end;
    }
    return { value: list, end: offset };
  }

  function decode(start: number): Decoded {
    const control = number(start, 1);
    let [type, size, offset] = [control >> 5, control & 31, start + 1];
    if (type === types.pointer) return decodePointer(control, offset);
    if (type === types.extended) type = 7 + number(offset++, 1);
    if (size > 28) {
      const more = size - 28;
      size = [29, 285, 65_821][more - 1]! + number(offset, more);
      offset += more;
    }
    if (type === types.map) return decodeMap(size, offset);
    if (type === types.list) return decodeList(size, offset);
    if (type === types.boolean) return { value: size === 1, end: offset };
    const end = offset + size;
    if (type === types.text) return { value: bytes(offset, size).toString('utf8'), end };
    if (type === types.uint16 || type === types.uint32) return { value: number(offset, size), end };
    return { value: undefined, end };
  }
  return decode;
}

export const types = {
  extended: 0,
  pointer: 1,
  text: 2,
  uint16: 5,
  uint32: 6,
  map: 7,
  list: 11,
  boolean: 14,
} as const;

/** IPv4 lies in a file for IPv6 as ::a.b.c.d. */
function toAddressBytes(address: string, ipVersion: number): Uint8Array {
  if (isIP(address) === 4) {
    const bytes = address.split('.').map(Number);
    return Uint8Array.from(ipVersion === 4 ? bytes : [...Array<number>(12).fill(0), ...bytes]);
  }
  const [head = '', tail = ''] = address.replace(/%.*/, '').split('::');
  const [before, after] = [parseGroups(head), parseGroups(tail)];
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return Uint8Array.from([...before, ...zeros, ...after].flatMap(group => [group >> 8, group & 0xff]));
}

/** The 16-bit groups of a part of an IPv6 address, which may end in an IPv4 address. */
const parseGroups = (part: string): number[] =>
  part === ''
    ? []
    : part.split(':').flatMap(group => {
        const [a, b, c, d] = group.split('.').map(Number);
        return d === undefined ? [Number.parseInt(group, 16)] : [a! * 256 + b!, c! * 256 + d];
      });
