import { isIP } from 'node:net';

/** The values that a record of an MMDB file may hold, as far as tests need them. */
export type MmdbValue = string | number | readonly MmdbValue[] | { readonly [key: string]: MmdbValue };

/**
 * A small MMDB file for IPv4 and IPv6 in the published format: a tree over the bits of addresses, a data section and
 * metadata. Records are given by network, such as `192.0.2.0/24`.
 */
export function mmdbFile(
  records: Readonly<Record<string, MmdbValue>>,
  builtAt = new Date('2026-09-21'),
): Buffer {
  type Node = [Branch, Branch];
  type Branch = Node | { readonly offset: number } | null;
  const root: Node = [null, null];
  const nodes: Node[] = [root];
  const data: Buffer[] = [];
  for (const [network, record] of Object.entries(records)) {
    const [address = '', length = ''] = network.split('/');
    const bits = bitsOf(address).slice(0, Number(length) + (isIP(address) === 4 ? 96 : 0));
    const offset = Buffer.concat(data).length;
    data.push(encode(record));
    let node = root;
    for (const bit of bits.slice(0, -1)) {
      let next = node[bit];
      if (!Array.isArray(next)) {
        next = [null, null];
        node[bit] = next;
        nodes.push(next);
      }
      node = next;
    }
    node[bits.at(-1)!] = { offset };
  }
  const pointerOf = (branch: Branch) => {
    if (branch === null) return nodes.length;
    return Array.isArray(branch) ? nodes.indexOf(branch) : nodes.length + 16 + branch.offset;
  };
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [index, [left, right]] of nodes.entries()) {
    tree.writeUInt32BE(pointerOf(left), index * 8);
    tree.writeUInt32BE(pointerOf(right), index * 8 + 4);
  }
  const description = encode({
    node_count: nodes.length,
    record_size: 32,
    ip_version: 6,
    database_type: 'GeoLite2-City',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    description: { en: 'for tests' },
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, description]);
}

/** The 128 bits of an address; IPv4 is stored as ::a.b.c.d. */
function bitsOf(address: string): (0 | 1)[] {
  const bytes =
    isIP(address) === 4 ? [...Array(12).fill(0), ...address.split('.').map(Number)] : ipv6Bytes(address);
  return bytes.flatMap(byte => [7, 6, 5, 4, 3, 2, 1, 0].map(shift => ((byte >> shift) & 1) as 0 | 1));
}

function ipv6Bytes(address: string): number[] {
  const [left = [], right = []] = address.split('::').map(half => half.split(':').filter(Boolean));
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return groups.map(group => Number.parseInt(group, 16)).flatMap(group => [group >> 8, group & 255]);
}

/** Strings, integers, doubles, arrays and maps, none longer than 285. */
function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(2, bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(Number.isInteger(value) ? 4 : 8);
    if (Number.isInteger(value)) bytes.writeUInt32BE(value);
    else bytes.writeDoubleBE(value);
    return Buffer.concat([head(Number.isInteger(value) ? 6 : 3, bytes.length), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([head(7, entries.length), ...entries.flatMap(pair => pair.map(encode))]);
}

const head = (type: number, size: number) =>
  Buffer.from(size < 29 ? [(type << 5) | size] : [(type << 5) | 29, size - 29]);
