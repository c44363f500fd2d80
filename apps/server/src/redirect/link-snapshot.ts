import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { Link } from './link.ts';
import type { Links } from './links.ts';

/**
 * The links of a process on disk, beside the spool, so that one which is started while PostgreSQL is away can serve them.
 * It holds destinations and nothing of scanners. Whoever writes last wins: every process of the machine may read it.
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
  readonly links: Pick<Links, 'entries' | 'restore' | 'changes'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

const format = 'signpost links 1';
const longestUseMs = 24 * 60 * 60 * 1000;
/** Written in one go between two turns of the event loop. */
const linksATurn = 200;

export const snapshotName = 'links.snapshot';

export function createLinkSnapshot(options: Options): LinkSnapshot {
  const { dir, links, clock, onError, everyMs = 60_000 } = options;
  const path = join(dir, snapshotName);
  let takenAtMs = Number.NEGATIVE_INFINITY;
  let written = links.changes;
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const changes = links.changes;
    if (changes === written) return;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}.tmp`;
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

  async function* lines(atMs: number): AsyncGenerator<string> {
    yield `${JSON.stringify([format, atMs])}\n`;
    let text = '';
    let count = 0;
    for (const [key, { qrCodeId, accountId, mode, status, location }] of links.entries()) {
      text += `${JSON.stringify([key, qrCodeId, accountId, mode, status, location])}\n`;
      if (++count % linksATurn > 0) continue;
      yield text;
      text = '';
      await turn();
    }
    yield text;
  }

  /** Twice: first it is shown to be whole, then it is taken over. */
  async function load(): Promise<LoadOutcome> {
    const head = await readHead();
    if (typeof head === 'string') return head === 'none' ? { kind: 'none' } : notUsed(head);
    const ageMs = clock.now().getTime() - head.atMs;
    if (Math.abs(ageMs) > longestUseMs) return notUsed('it is more than a day old');
    let count = 0;
    for await (const line of linesOf(path)) {
      if (!line.startsWith('[') || count++ === 0) continue;
      const [key, qrCodeId, accountId, mode, status, location] = JSON.parse(line);
      links.restore(key, { qrCodeId, accountId, mode, status, location } as Link);
    }
    takenAtMs = head.atMs;
    return { kind: 'loaded', links: count - 1 };
  }

  async function readHead(): Promise<{ readonly atMs: number } | string> {
    const digest = createHash('sha256');
    let first = '';
    let last = '';
    try {
      for await (const line of linesOf(path)) {
        first ||= line;
        if (line.startsWith('[')) digest.update(`${line}\n`);
        else last = line;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
      throw error;
    }
    if (last !== digest.digest('hex')) return 'its checksum is wrong';
    const [name, atMs] = JSON.parse(first);
    return name === format ? { atMs } : 'another version has written it';
  }

  const save = () => {
    writing = writing.then(write).catch(onError);
    return writing;
  };

  return {
    load,
    start() {
      timer = setInterval(save, everyMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await save();
    },
    ageSeconds: () => (clock.now().getTime() - takenAtMs) / 1000,
  };
}

const notUsed = (reason: string): LoadOutcome => ({ kind: 'not_used', reason });

const linesOf = (path: string) => createInterface({ input: createReadStream(path), crlfDelay: Infinity });
