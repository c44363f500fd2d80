import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { toIdBytes, type Uuid } from '../../kernel/ids.ts';
import { runEvery } from '../../platform/background-jobs.ts';
import { createLinkRules } from '../../rules/link-rules.ts';
import type { StopChange, StoredDomain } from '../changes/stops/stop.ts';
import type { Link } from './link.ts';
import type { Links } from './links.ts';
import {
  headerLine,
  maxAgeMs,
  readEntries,
  readHeader,
  removeTemporaryFiles,
  stopFields,
  writeSnapshotFile,
} from './snapshot-file.ts';
import type { Stops } from './stops.ts';

export type LoadOutcome =
  | { readonly kind: 'loaded'; readonly links: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'not_used'; readonly reason: string };

type Options = {
  readonly dir: string;
  readonly links: Pick<Links, 'entries' | 'refresh' | 'restore' | 'changes'>;
  readonly stops: Pick<Stops, 'entries' | 'restore' | 'changes' | 'version'>;
  /** The installation that the links belong to: a disk may be copied, or shared. */
  readonly installation: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

/** After this it is written although nothing has changed: its links are confirmed again. */
const rewriteMs = 60 * 60 * 1000;
/** Entries that are written between two turns of the event loop. */
const entriesPerTurn = 200;

/** A domain in place of the reason of a stop. */
type StopFields = [subject: string, reason: StopChange['reason'] | StoredDomain, n: number];

type LinkFields = [
  key: string,
  qrCodeId: Uuid,
  accountId: Uuid,
  mode: Link['mode'],
  status: Link['status'],
  suspended: boolean,
  location: string,
  host: string,
  confirmedAtMs: number,
  routing: string | null,
];

/**
 * The links of a process on disk, beside the spool, so that a process started while PostgreSQL is away can serve them.
 * It holds destinations and no data of scanners. Every process of the machine may read it, and the last to write wins.
 */
export class LinkSnapshot {
  readonly #dir: string;
  readonly #links: Options['links'];
  readonly #stops: Options['stops'];
  readonly #installation: string;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #everyMs: number;
  #takenAtMs = Number.NEGATIVE_INFINITY;
  /** In the snapshot that this process has last written or read. */
  #linksInFile = 0;
  #changesWritten: number;
  #writing: Promise<void> = Promise.resolve();
  #stopSaving: (() => void) | undefined;

  constructor(options: Options) {
    this.#dir = options.dir;
    this.#links = options.links;
    this.#stops = options.stops;
    this.#installation = options.installation;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#everyMs = options.everyMs ?? 60_000;
    this.#changesWritten = this.#changes();
  }

  start(): void {
    this.#stopSaving = runEvery(this.#everyMs, () => void this.#save(false));
  }

  async stop(): Promise<void> {
    this.#stopSaving?.();
    await this.#save(true);
  }

  /** Of the newest snapshot that this process has written or read; infinite where there is none. */
  ageSeconds(): number {
    return (this.#nowMs() - this.#takenAtMs) / 1000;
  }

  /** Restores what is on disk, where it is intact and recent. Reads it twice: first to verify it, then to restore it. */
  async load(): Promise<LoadOutcome> {
    await removeTemporaryFiles(this.#dir);
    const now = this.#nowMs();
    const header = await readHeader(this.#dir, this.#installation, now);
    if (header === 'none') return { kind: 'none' };
    if (typeof header === 'string') return { kind: 'not_used', reason: header };
    let count = 0;
    let version: number | null = null;
    const stopped: StopChange[] = [];
    for await (const fields of readEntries(this.#dir)) {
      if (version === null) [version] = fields as [number];
      else if (fields.length === stopFields) {
        stopped.push(readStop(fields as StopFields));
      } else if (this.#restoreLink(fields as LinkFields, now)) count++;
    }
    this.#stops.restore(version ?? 0, stopped);
    this.#takenAtMs = header.atMs;
    this.#linksInFile = count;
    return { kind: 'loaded', links: count };
  }

  #restoreLink(fields: LinkFields, now: number): boolean {
    const [key, qrCodeId, accountId, mode, status, suspended, location, host, confirmedAtMs, text] = fields;
    if (Math.abs(now - confirmedAtMs) > maxAgeMs) return false;
    const idBytes = toIdBytes(qrCodeId, accountId);
    const routing = text === null ? null : createLinkRules(text);
    const link = { qrCodeId, accountId, idBytes, mode, status, suspended, location, host, routing };
    this.#links.restore(key, link, confirmedAtMs);
    return true;
  }

  #save(isLast: boolean): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(isLast)).catch(this.#onError);
    return this.#writing;
  }

  async #write(isLast: boolean): Promise<void> {
    await this.#links.refresh();
    const changes = this.#changes();
    const isDue = isLast || this.#nowMs() - this.#takenAtMs >= rewriteMs;
    if (changes === this.#changesWritten && !(isDue && this.#knowsAllInFile())) return;
    const atMs = this.#nowMs();
    await writeSnapshotFile(this.#dir, this.#chunks(atMs));
    this.#takenAtMs = atMs;
    this.#changesWritten = changes;
  }

  async *#chunks(atMs: number): AsyncGenerator<string> {
    yield headerLine(atMs, this.#installation);
    let text = `${JSON.stringify([this.#stops.version])}\n`;
    let count = 0;
    for (const stop of this.#stops.entries()) {
      text += `${JSON.stringify(writeStop(stop))}\n`;
      if (++count % entriesPerTurn > 0) continue;
      yield text;
      text = '';
      await nextTurn();
    }
    const stopCount = count;
    for (const [key, link, confirmedAtMs] of this.#links.entries()) {
      if (atMs - confirmedAtMs > maxAgeMs) continue;
      const { qrCodeId, accountId, mode, status, suspended, location, host, routing } = link;
      const fields: LinkFields = [
        key,
        qrCodeId,
        accountId,
        mode,
        status,
        suspended,
        location,
        host,
        confirmedAtMs,
        routing?.text ?? null,
      ];
      text += `${JSON.stringify(fields)}\n`;
      if (++count % entriesPerTurn > 0) continue;
      yield text;
      text = '';
      await nextTurn();
    }
    yield text;
    this.#linksInFile = count - stopCount;
  }

  /** Without a lease this process may know fewer links than the file has, and the file is better then. */
  #knowsAllInFile(): boolean {
    let count = 0;
    for (const _ of this.#links.entries()) count++;
    return this.#linksInFile > 0 && count >= this.#linksInFile;
  }

  #changes(): number {
    return this.#links.changes + this.#stops.changes;
  }

  #nowMs(): number {
    return this.#clock.now().getTime();
  }
}

const writeStop = ({ subject, reason, n, domain }: StopChange): StopFields => [subject, domain ?? reason, n];

const readStop = ([subject, what, n]: StopFields): StopChange =>
  typeof what === 'object' && what !== null
    ? { subject, reason: null, n, domain: what }
    : { subject, reason: what, n };
