import { setTimeout as sleep } from 'node:timers/promises';
import { createInbox, type Msg } from '@nats-io/transport-node';
import { within } from '../kernel/within.ts';
import type { Nats, NatsConnection } from '../platform/nats.ts';
import type { StopChange } from '../stops/stop.ts';
import { type Bus, dropSubject, stopSubject } from './link-dropper.ts';

/** The bus of invalidations over NATS: for whoever edits. */
export function createNatsBus(nats: Pick<Nats, 'connection'>): Bus {
  return {
    ask(subject, data, onAnswer) {
      const connection = nats.connection();
      if (!connection) return null;
      try {
        const inbox = createInbox();
        const answers = connection.subscribe(inbox, {
          callback: (error, message) => {
            if (!error) onAnswer(message.string());
          },
        });
        connection.publish(subject, data, { reply: inbox });
        return { stop: () => answers.unsubscribe() };
      } catch {
        // It was closed a moment ago, which its status tells later.
        return null;
      }
    },
  };
}

/** Hears of changes, and knows whether it still does. */
export type Ear = { isHearing(): boolean; losses(): number; stop(): void };

const settleMs = 2000;
const retryMs = 200;

/** What is done about what was heard. */
export type Hearer = {
  drop(keys: readonly string[]): void;
  apply(changes: readonly StopChange[]): void;
};

/**
 * Does what it is told to and answers with its name. It hears only once the server has confirmed the subscription,
 * and every break counts as a loss: something may have been said meanwhile.
 */
export function createEar(nats: Pick<Nats, 'connection' | 'onStatus'>, id: string, hearer: Hearer): Ear {
  let hearing: NatsConnection | null = null;
  let losses = 0;
  /** The newest attempt to listen; earlier ones no longer count. */
  let latest = 0;
  let isStopped = false;

  function lose(): void {
    hearing = null;
    losses++;
  }

  function subscribe(connection: NatsConnection): void {
    const hear = (subject: string, heed: (message: Msg) => void) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (!error) {
            heed(message);
            message.respond(id);
          } else if (subscriptions.length > 0) {
            lose();
            for (const subscription of subscriptions.splice(0)) subscription.unsubscribe();
            setTimeout(() => isStopped || begin(connection, true), retryMs).unref();
          }
        },
      });
    const subscriptions = [
      hear(dropSubject, message => hearer.drop(message.json<string[]>())),
      hear(stopSubject, message => hearer.apply(message.json<StopChange[]>())),
    ];
  }

  /** Until the server confirms it. One that is silent for a while, but does not break off, is asked again. */
  async function listen(connection: NatsConnection, fresh: boolean): Promise<void> {
    const attempt = ++latest;
    const isMine = () => attempt === latest && connection === nats.connection();
    if (fresh && isMine()) subscribe(connection);
    while (isMine()) {
      const before = losses;
      const isConfirmed = await within(settleMs, connection.flush()).then(
        () => true,
        () => false,
      );
      if (!isMine()) return;
      if (isConfirmed && losses === before) {
        hearing = connection;
        return;
      }
      await sleep(retryMs);
    }
  }

  // A connection that breaks again at once is told of by the next status.
  const begin = (connection: NatsConnection, fresh: boolean) => void listen(connection, fresh).catch(lose);
  const standing = nats.connection();
  if (standing) begin(standing, true);
  const end = nats.onStatus(status => {
    if (status.kind === 'disconnected') lose();
    else if (status.kind === 'connected') begin(status.connection, status.fresh);
  });
  return {
    isHearing: () => hearing !== null && hearing === nats.connection(),
    losses: () => losses,
    stop() {
      isStopped = true;
      latest++;
      end();
    },
  };
}
