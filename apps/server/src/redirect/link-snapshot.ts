import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { StopChange } from '../stops/stop.ts';
import type { Link } from './link.ts';
import type { Links } from './links.ts';
import type { Stops } from './stops.ts';

/**
 * The links of a process on disk, beside the spool, so that one which is started while PostgreSQL is away can serve them.
 * It holds destinations and nothing of scanners. The last to write wins: every process of the machine may read it.
 */
export type LinkSnapshot = {
  /** Takes over what is on disk, where it is whole and not too old. */
  load(): Promise<LoadOutcome>;
  start(): void;
  stop(): Promise<void>;
  /** Of the newest one that this process has written or read; infinite where there is none. */
  ageSeconds(): number;
};

export type LoadOutcome =
  | { readonly kind: 'loaded'; readonly links: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'not_used'; readonly reason: string };

type Options = {
  readonly dir: string;
  readonly links: Pick<Links, 'entries' | 'refresh' | 'restore' | 'changes'>;
  readonly stops: Pick<Stops, 'entries' | 'restore' | 'changes' | 'version'>;
  /** Of which installation the links are: a disk may be copied, or shared. */
  readonly installation: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

const format = 'signpost links 3';
const longestUseMs = 24 * 60 * 60 * 1000;
/** After this it is written although nothing has changed: what is in it is sure again. */
const rewriteMs = 60 * 60 * 1000;
/** Written in one go between two turns of the event loop. */
const linksATurn = 200;

/** After the head and the number of the last stop that is known come the stops, then the links: a line each. */
const stopFields = 3;
type LinkFields = [
  key: string,
  qrCodeId: Uuid,
  accountId: Uuid,
  mode: Link['mode'],
  status: Link['status'],
  suspended: boolean,
  location: string,
  host: string,
  sureAtMs: number,
];

export const snapshotName = 'links.snapshot';
const temporaryEnding = '.tmp';

export function createLinkSnapshot(options: Options): LinkSnapshot {
  const { dir, links, stops, installation, clock, onError, everyMs = 60_000 } = options;
  const path = join(dir, snapshotName);
  let takenAtMs = Number.NEGATIVE_INFINITY;
  /** Of the one that this process has written or read. */
  let linksInFile = 0;
  const changesSoFar = () => links.changes + stops.changes;
  let written = changesSoFar();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(isLast: boolean): Promise<void> {
    await links.refresh();
    const changes = changesSoFar();
    const isDue = isLast || clock.now().getTime() - takenAtMs >= rewriteMs;
    if (changes === written && !(isDue && knowsAll())) return;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const temporary = `${path}.${randomUUID()}${temporaryEnding}`;
    const atMs = clock.now().getTime();
    try {
      const file = await open(temporary, 'w', 0o600);
      try {
        const digest = createHash('sha256');
        for await (const text of lines(atMs)) {
          digest.update(text);
          await file.write(text);
        }
        await file.write(`${digest.digest('hex')}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    takenAtMs = atMs;
    written = changes;
  }

  /** Whether what is sure now is at least what is in the file. Without a lease it may be less, and the file is better then. */
  function knowsAll(): boolean {
    let count = 0;
    for (const _ of links.entries()) count++;
    return linksInFile > 0 && count >= linksInFile;
  }

  async function* lines(atMs: number): AsyncGenerator<string> {
    yield `${JSON.stringify([format, atMs, installation])}\n`;
    let text = `${JSON.stringify([stops.version])}\n`;
    let count = 0;
    for (const { subject, reason, n } of stops.entries()) {
      text += `${JSON.stringify([subject, reason, n])}\n`;
      if (++count % linksATurn > 0) continue;
      yield text;
      text = '';
      await turn();
    }
    const stopCount = count;
    for (const [key, link, sureAtMs] of links.entries()) {
      if (atMs - sureAtMs > longestUseMs) continue;
      const { qrCodeId, accountId, mode, status, suspended, location, host } = link;
      const fields: LinkFields = [
        key,
        qrCodeId,
        accountId,
        mode,
        status,
        suspended,
        location,
        host,
        sureAtMs,
      ];
      text += `${JSON.stringify(fields)}\n`;
      if (++count % linksATurn > 0) continue;
      yield text;
      text = '';
      await turn();
    }
    yield text;
    linksInFile = count - stopCount;
  }

  /** Reads it twice: first to see that it is whole, then to take it over. */
  async function load(): Promise<LoadOutcome> {
    await removeTemporary(dir);
    const now = clock.now().getTime();
    const head = await readHead(path, installation, now);
    if (typeof head === 'string') return head === 'none' ? { kind: 'none' } : notUsed(head);
    let count = 0;
    let at = 0;
    let version = 0;
    const stopped: StopChange[] = [];
    for await (const line of linesOf(path)) {
      const place = at++;
      if (place === 0 || !line.startsWith('[')) continue;
      const fields = JSON.parse(line);
      if (place === 1) [version] = fields;
      else if (fields.length === stopFields) {
        const [subject, reason, n] = fields;
        stopped.push({ subject, reason, n });
      } else if (restoreLink(fields, now)) count++;
    }
    stops.restore(version, stopped);
    takenAtMs = head.atMs;
    linksInFile = count;
    return { kind: 'loaded', links: count };
  }

  function restoreLink(fields: readonly unknown[], now: number): boolean {
    const [key, qrCodeId, accountId, mode, status, suspended, location, host, sureAtMs] =
      fields as LinkFields;
    if (Math.abs(now - sureAtMs) > longestUseMs) return false;
    links.restore(key, { qrCodeId, accountId, mode, status, suspended, location, host }, sureAtMs);
    return true;
  }

  const save = (isLast = false) => {
    writing = writing.then(() => write(isLast)).catch(onError);
    return writing;
  };

  return {
    load,
    start() {
      timer = setInterval(() => save(), everyMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await save(true);
    },
    ageSeconds: () => (clock.now().getTime() - takenAtMs) / 1000,
  };
}

/** What a process that was killed has left. Another may be writing just now, but then it tries again in a minute. */
async function removeTemporary(dir: string): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  const left = names.filter(name => name.startsWith(snapshotName) && name.endsWith(temporaryEnding));
  for (const name of left) await rm(join(dir, name), { force: true });
}

const notUsed = (reason: string): LoadOutcome => ({ kind: 'not_used', reason });

const linesOf = (path: string) => createInterface({ input: createReadStream(path), crlfDelay: Infinity });

type Head = { readonly atMs: number; readonly hasLinks: boolean };

/** Its head where it is whole and may be used, otherwise why not. */
async function readHead(path: string, installation: string, nowMs: number): Promise<Head | string> {
  const digest = createHash('sha256');
  let first = '';
  let lastEntry = '';
  let last = '';
  try {
    for await (const line of linesOf(path)) {
      first ||= line;
      if (line.startsWith('[')) {
        digest.update(`${line}\n`);
        lastEntry = line;
      } else last = line;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
  if (last !== digest.digest('hex')) return 'its checksum is wrong';
  const [name, atMs, of] = JSON.parse(first);
  if (name !== format) return 'another version has written it';
  if (of !== installation) return 'it is of another installation';
  if (Math.abs(nowMs - atMs) > longestUseMs) return 'it is more than a day old';
  // Links come last.
  return { atMs, hasLinks: JSON.parse(lastEntry).length > stopFields };
}

/** Whether there is one that a process of this installation could serve from. */
export async function hasSnapshot(dir: string, installation: string, nowMs: number): Promise<boolean> {
  try {
    const head = await readHead(join(dir, snapshotName), installation, nowMs);
    return typeof head !== 'string' && head.hasLinks;
  } catch {
    // It cannot be read, so there is nothing to serve from.
    return false;
  }
}
