import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readMetadata, separatorBytes, types } from './mmdb-file.ts';

const recordsPerTurn = 250;

/**
 * Calls `visit` with every record of a file, reduced to the fields that are wanted. The data section is read from its
 * beginning to its end rather than by the tree over all addresses, which has twenty times as many entries. It is done in
 * turns, so that nothing else waits.
 */
export async function readRecords(
  path: string,
  wanted: ReadonlySet<string>,
  visit: (record: object) => void,
): Promise<void> {
  const section = await readSection(path);
  const reader = createReader(section, wanted);
  for (let records = 1; reader.at < section.length; records++) {
    const value = reader.next();
    if (typeof value === 'object') visit(value);
    if (records % recordsPerTurn === 0) await nextTurn();
  }
}

async function readSection(path: string): Promise<Buffer> {
  const { node_count: nodeCount, record_size: recordBits, metadataAt } = await readMetadata(path);
  const start = nodeCount * (recordBits / 4) + separatorBytes;
  const section = Buffer.allocUnsafeSlow(metadataAt - start);
  const file = await open(path, 'r');
  try {
    const { bytesRead } = await file.read(section, 0, section.length, start);
    if (bytesRead < section.length) throw new Error(`${path} ends early`);
  } finally {
    await file.close();
  }
  return section;
}

type Value = string | object | undefined;

/** Reads one value after the other. What is not wanted, and what is neither text, map nor list, is undefined. */
function createReader(section: Buffer, wanted: ReadonlySet<string>) {
  const keys = new Map<number, string>();
  let at = 0;

  function uint(length: number): number {
    const value = length === 0 ? 0 : section.readUIntBE(at, length);
    at += length;
    return value;
  }

  function pointer(control: number): number {
    const [size, highest] = [(control >> 3) & 3, control & 7];
    if (size === 3) return uint(4);
    return uint(size + 1) + highest * 2 ** (8 * (size + 1)) + (size === 0 ? 0 : size === 1 ? 2048 : 526_336);
  }

  /** Reads what a pointer leads to, and goes on after the pointer. */
  function follow<Result>(to: number, read: () => Result): Result {
    const after = at;
    at = to;
    const value = read();
    at = after;
    return value;
  }

  /** Keys are the same few texts in every record. */
  function key(): string {
    const control = section[at]!;
    if (control >> 5 !== types.pointer) return String(next());
    at++;
    const to = pointer(control);
    let text = keys.get(to);
    if (text === undefined) {
      text = String(follow(to, next));
      keys.set(to, text);
    }
    return text;
  }

  function next(isWanted = true): Value {
    const control = section[at++]!;
    let type = control >> 5;
    if (type === types.pointer) {
      const to = pointer(control);
      return isWanted ? follow(to, next) : undefined;
    }
    if (type === types.extended) type = 7 + section[at++]!;
    let size = control & 31;
    if (size === 29) size += uint(1);
    else if (size === 30) size = 285 + uint(2);
    else if (size === 31) size = 65_821 + uint(3);
    if (type === types.map) return map(size, isWanted);
    if (type === types.list) return list(size, isWanted);
    if (type === types.boolean) return undefined;
    const start = at;
    at += size;
    return isWanted && type === types.text ? section.toString('utf8', start, at) : undefined;
  }

  function map(entries: number, isWanted: boolean): object {
    const found: Record<string, Value> = {};
    for (let entry = 0; entry < entries; entry++) {
      const name = key();
      const value = next(isWanted && wanted.has(name));
      if (value !== undefined) found[name] = value;
    }
    return found;
  }

  function list(entries: number, isWanted: boolean): object {
    const found: Value[] = [];
    for (let entry = 0; entry < entries; entry++) found.push(next(isWanted));
    return found;
  }

  return {
    get at() {
      return at;
    },
    next: () => next(),
  };
}
