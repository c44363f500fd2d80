import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg } from '@nats-io/transport-node';
import { withTimeout } from '../kernel/with-timeout.ts';
import type { Nats, NatsConnection } from '../platform/nats.ts';
import type { StopChange } from '../stops/stop.ts';
import { invalidationSubject, stopSubject } from './invalidation-broadcast.ts';

/** What a redirect process does with the messages it receives. */
export type InvalidationHandler = {
  invalidate(keys: readonly string[]): void;
  applyStops(changes: readonly StopChange[]): void;
};

type Parts = {
  readonly nats: Pick<Nats, 'connection' | 'onStatus'>;
  /** Every message is answered with it: a cache invalidator knows by it which process has handled the message. */
  readonly processId: string;
  readonly handler: InvalidationHandler;
};

const confirmTimeoutMs = 2000;
const retryMs = 200;

/**
 * Receives invalidations and stops, and knows whether it still does. It counts as subscribed only after the server
 * has confirmed the subscription, and every disconnect counts as a loss: a message may have been missed meanwhile.
 */
export class InvalidationSubscriber {
  readonly #nats: Parts['nats'];
  readonly #processId: string;
  readonly #handler: InvalidationHandler;
  readonly #stopWatching: () => void;
  #confirmed: NatsConnection | null = null;
  #losses = 0;
  /** The newest attempt to subscribe; older ones give up. */
  #latestAttempt = 0;
  #isStopped = false;

  constructor({ nats, processId, handler }: Parts) {
    this.#nats = nats;
    this.#processId = processId;
    this.#handler = handler;
    const connection = nats.connection();
    if (connection) this.#begin(connection, true);
    this.#stopWatching = nats.onStatus(status => {
      if (status.kind === 'disconnected') this.#lose();
      else if (status.kind === 'connected') this.#begin(status.connection, status.fresh);
    });
  }

  isSubscribed(): boolean {
    return this.#confirmed !== null && this.#confirmed === this.#nats.connection();
  }

  /** How often the subscription was lost. */
  losses(): number {
    return this.#losses;
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
    const subscribe = (subject: string, handle: (message: Msg) => void) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (!error) {
            handle(message);
            message.respond(this.#processId);
          } else if (subscriptions.length > 0) {
            this.#lose();
            for (const subscription of subscriptions.splice(0)) subscription.unsubscribe();
            setTimeout(() => this.#isStopped || this.#begin(connection, true), retryMs).unref();
          }
        },
      });
    const subscriptions = [
      subscribe(invalidationSubject, message => this.#handler.invalidate(message.json<string[]>())),
      subscribe(stopSubject, message => this.#handler.applyStops(message.json<StopChange[]>())),
    ];
  }
}
