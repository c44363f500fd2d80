import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import {
  type ChannelMessage,
  changeChannel,
  doneChannel,
  findHolder,
  soleProcessLock,
} from './process-channel.ts';

type Options = {
  /** PostgreSQL itself, not a pooler: the lock belongs to the session. */
  readonly databaseUrl: string;
  /** How long this process may count on the lock after it was last seen to hold it. */
  readonly leaseMs: number;
  /** Called with each message from a command beside this process; the sender waits until it resolves. */
  readonly onMessage: (message: ChannelMessage) => Promise<void> | void;
  /** A message that could not be read or applied. Its sender gets no answer. */
  readonly onMessageFailed: (error: unknown) => void;
  /** Another process has the lock now. Called once; nothing is tried after it. */
  readonly onReplaced: () => void;
  readonly onLost: (error: unknown) => void;
  readonly onRegained: () => void;
};

/** The lock is held by another process, named by what PostgreSQL knows of it. */
export class NotSoleProcess extends Error {
  constructor(holder: string) {
    super(
      `Another Signpost works on this database (${holder}), and \`signpost solo\` works only alone. Stop it first; or use \`signpost all\` with REDIS_URL and NATS_URL, which works with others.`,
    );
    this.name = 'NotSoleProcess';
  }
}

const [beatEveryMs, answerMs, retryMs] = [500, 1_000, 100];
/** Clocks of two machines may differ in speed, and a timer may be late: this process gives up a little early. */
const marginMs = 100;
/** The session of a process that was killed ends within this time. */
const startPatienceMs = 2_000;

/**
 * Holds an advisory lock for the life of the process, over a connection of its own. PostgreSQL releases the lock when it ends
 * the session, perhaps without this process noticing: therefore the lock counts only for as long as a lease after the last
 * answer on that connection. Whoever takes the lock over waits as long before its changes hold.
 *
 * When the connection breaks, the process goes on without the lock: it trusts nothing in its memory, and tries to get the
 * lock back. If another process has it by then, this one ends.
 */
export class SoleProcess {
  readonly #options: Options;
  readonly #name = `signpost solo ${randomUUID()}`;
  readonly #stopping = new AbortController();
  #client: pg.Client | null = null;
  #goodUntilMs = 0;
  #confirmedAtMs = Number.NEGATIVE_INFINITY;
  #acquiredAtMs = 0;
  #term = 0;
  #timesLost = 0;
  #isReplaced = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when the lock is held; throws `NotSoleProcess` if another process keeps it. */
  async start(): Promise<void> {
    const startedMs = performance.now();
    for (;;) {
      const holder = await this.#acquire();
      if (holder === null) break;
      if (performance.now() - startedMs > startPatienceMs) throw new NotSoleProcess(holder);
      await sleep(retryMs);
    }
    this.#loop = this.#run();
  }

  /** By this process's own clock. */
  isHeld(): boolean {
    return performance.now() < this.#goodUntilMs;
  }

  /** How often the lock was taken: what was remembered under an earlier turn may be out of date. */
  get term(): number {
    return this.#term;
  }

  get timesLost(): number {
    return this.#timesLost;
  }

  /** Infinite where the lock was never held. */
  confirmedMsAgo(): number {
    return performance.now() - this.#confirmedAtMs;
  }

  /**
   * Resolves when the lock is known to be held after this call, and when no earlier holder can still count on it. Rejects
   * where that cannot be shown within two leases.
   */
  async confirm(): Promise<void> {
    const deadlineMs = performance.now() + 2 * this.#options.leaseMs;
    for (;;) {
      const client = this.#client;
      const settlesMs = this.#acquiredAtMs + this.#options.leaseMs - performance.now();
      if (client && settlesMs > 0) await sleep(settlesMs);
      if (client && (await this.#beat(client))) return;
      if (performance.now() > deadlineMs)
        throw new Error('PostgreSQL does not confirm that this is the only process');
      await sleep(retryMs);
    }
  }

  /** Releases the lock. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    this.#goodUntilMs = 0;
    const client = this.#client;
    this.#client = null;
    if (client) await withTimeout(answerMs, client.end()).catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(this.#client ? beatEveryMs : retryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (this.#client) {
        await this.#beat(this.#client);
        continue;
      }
      const holder = await this.#acquire().catch((error: unknown) => String(error));
      if (holder === null) this.#options.onRegained();
      else if (this.#isReplaced) return;
    }
  }

  /** False where the connection did not answer; it is given up then. */
  async #beat(client: pg.Client): Promise<boolean> {
    const askedMs = performance.now();
    try {
      await withTimeout(answerMs, client.query('select 1'));
    } catch (error) {
      this.#lose(client, error);
      return false;
    }
    if (this.#client !== client) return false;
    this.#confirm(askedMs);
    return true;
  }

  #confirm(askedMs: number): void {
    if (askedMs < this.#confirmedAtMs) return;
    this.#confirmedAtMs = askedMs;
    this.#goodUntilMs = askedMs + this.#options.leaseMs - marginMs;
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#goodUntilMs = 0;
    this.#timesLost++;
    // Not awaited: the other end may not answer.
    void client.end().catch(() => undefined);
    this.#options.onLost(error);
  }

  /** Null once the lock is held; else who holds it. */
  async #acquire(): Promise<string | null> {
    const { databaseUrl, onMessageFailed } = this.#options;
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: this.#name,
      connectionTimeoutMillis: answerMs,
      keepAlive: true,
    });
    client.on('error', error => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('The connection was closed')));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === changeChannel) this.#receive(client, payload).catch(onMessageFailed);
    });
    try {
      await client.connect();
      const askedMs = performance.now();
      const { rows } = await withTimeout(
        answerMs,
        client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [soleProcessLock]),
      );
      if (!rows[0]!.taken) return await this.#findHolder(client);
      // Before the lock counts: from here on no message of a command is missed.
      await withTimeout(answerMs, client.query(`listen ${changeChannel}`));
      this.#client = client;
      this.#term++;
      this.#acquiredAtMs = performance.now();
      this.#confirm(askedMs);
      return null;
    } finally {
      if (this.#client !== client) void client.end().catch(() => undefined);
    }
  }

  /** A session of this very process that PostgreSQL still believes in is ended. */
  async #findHolder(client: pg.Client): Promise<string> {
    const { rows } = await withTimeout(answerMs, client.query<Holder>(findHolder, [soleProcessLock]));
    const [holder] = rows;
    if (holder?.name === this.#name)
      await withTimeout(answerMs, client.query('select pg_terminate_backend($1)', [holder.pid]));
    else if (holder && this.#term > 0) {
      this.#isReplaced = true;
      this.#options.onReplaced();
    }
    return holder ? `${holder.address}, since ${holder.since.toISOString()}` : 'it has just ended';
  }

  async #receive(client: pg.Client, payload: string): Promise<void> {
    const message = JSON.parse(payload) as ChannelMessage;
    await this.#options.onMessage(message);
    // Without the connection there is no one to answer: the sender asks again.
    await client.query('select pg_notify($1, $2)', [doneChannel, message.id]).catch(() => undefined);
  }
}

type Holder = { readonly pid: number; readonly name: string; readonly address: string; readonly since: Date };
