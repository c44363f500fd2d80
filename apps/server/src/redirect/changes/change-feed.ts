import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import type { Nats, NatsConnection } from '../../platform/nats/nats.ts';
import { type ChangeNumber, decodeChange, encodeAck } from './change.ts';
import { type ChangeHandler, type ChangeHistory, ChangeSequence } from './change-sequence.ts';
import { keptMs, numberedSubject } from './change-stream.ts';

type Parts = {
  readonly nats: Pick<Nats, 'connection' | 'onStatus'>;
  readonly history: ChangeHistory;
  /** By it those who edit know which process has applied a change. */
  readonly processId: string;
  readonly handler: ChangeHandler;
  /** What was committed and may have no number yet. */
  readonly readUnnumbered: () => Promise<UnnumberedChanges>;
};

export type UnnumberedChanges = {
  /** Null where there are too many. */
  readonly keys: readonly string[] | null;
  /** Resolves when every stop is known that existed at the time of the reading. */
  readonly catchUpStops: () => Promise<void>;
};

const confirmTimeoutMs = 2000;
const retryMs = 200;

/**
 * Receives numbered changes, and knows whether it still does. It counts as subscribed only after the server has confirmed
 * the subscription, and every disconnect counts as a loss: what was missed meanwhile has to be read from the history.
 */
export class ChangeFeed {
  readonly #nats: Parts['nats'];
  readonly #handler: ChangeHandler;
  readonly #readUnnumbered: Parts['readUnnumbered'];
  readonly #sequence: ChangeSequence;
  readonly #stopWatching: () => void;
  #confirmed: NatsConnection | null = null;
  #losses = 0;
  /** The newest attempt to subscribe; older ones give up. */
  #latestAttempt = 0;
  #isStopped = false;

  constructor({ nats, history, processId, handler, readUnnumbered }: Parts) {
    this.#nats = nats;
    this.#handler = handler;
    this.#readUnnumbered = readUnnumbered;
    const acknowledge = (inbox: string, n: number) => {
      // Without a connection nobody can be answered. Who waits for it revokes the lease of this process.
      if (inbox !== '') nats.connection()?.publish(inbox, encodeAck(processId, n));
    };
    this.#sequence = new ChangeSequence({ history, handler, acknowledge, keptMs });
    const connection = nats.connection();
    if (connection) this.#begin(connection, true);
    this.#stopWatching = nats.onStatus(status => {
      if (status.kind === 'disconnected') this.#lose();
      else if (status.kind === 'connected') this.#begin(status.connection, status.fresh);
    });
  }

  /** What was remembered in another epoch is not trusted. */
  get epoch(): number {
    return this.#sequence.epoch;
  }

  get applied(): number {
    return this.#sequence.applied;
  }

  get caughtUp(): number {
    return this.#sequence.caughtUp;
  }

  isSubscribed(): boolean {
    return this.#confirmed !== null && this.#confirmed === this.#nats.connection();
  }

  /** How often the subscription was lost. */
  losses(): number {
    return this.#losses;
  }

  isBehind(newest: ChangeNumber): boolean {
    return this.#sequence.isBehind(newest);
  }

  catchUp(newest: ChangeNumber | null): Promise<void> {
    return this.#sequence.catchUp(newest);
  }

  /** Applies changes that were committed before the call and may have no number yet. */
  async applyUnnumbered(): Promise<void> {
    const { keys, catchUpStops } = await this.#readUnnumbered();
    if (keys === null) this.#sequence.forget();
    else if (keys.length > 0) this.#handler.invalidate(keys);
    await catchUpStops();
  }

  stop(): void {
    this.#isStopped = true;
    this.#latestAttempt++;
    this.#stopWatching();
  }

  #lose(): void {
    this.#confirmed = null;
    this.#losses++;
  }

  // Where the connection breaks again at once, the next status event starts another attempt.
  #begin(connection: NatsConnection, fresh: boolean): void {
    this.#confirm(connection, fresh).catch(() => this.#lose());
  }

  /** Waits until the server confirms. A server that stays silent on an open connection is asked again. */
  async #confirm(connection: NatsConnection, fresh: boolean): Promise<void> {
    const attempt = ++this.#latestAttempt;
    const isCurrent = () => attempt === this.#latestAttempt && connection === this.#nats.connection();
    if (fresh && isCurrent()) this.#subscribe(connection);
    while (isCurrent()) {
      const lossesBefore = this.#losses;
      const isConfirmed = await withTimeout(confirmTimeoutMs, connection.flush()).then(
        () => true,
        () => false,
      );
      if (!isCurrent()) return;
      if (isConfirmed && this.#losses === lossesBefore) {
        this.#confirmed = connection;
        return;
      }
      await sleep(retryMs);
    }
  }

  #subscribe(connection: NatsConnection): void {
    const subscription = connection.subscribe(numberedSubject, {
      callback: (error, message) => {
        if (this.#isStopped) return;
        if (!error) {
          this.#sequence.receive(
            Number(message.headers?.get('Nats-Sequence')),
            decodeChange(message.string()),
          );
          return;
        }
        this.#lose();
        subscription.unsubscribe();
        setTimeout(() => this.#isStopped || this.#begin(connection, true), retryMs).unref();
      },
    });
  }
}
