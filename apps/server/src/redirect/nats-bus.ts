import { createInbox } from '@nats-io/transport-node';
import { within } from '../kernel/within.ts';
import type { Nats, NatsConnection } from '../platform/nats.ts';
import { type Bus, dropSubject } from './link-dropper.ts';

/** The bus of invalidations over NATS: for whoever edits. */
export function createNatsBus(nats: Nats): Bus {
  return {
    get connected() {
      return nats.connection() !== null;
    },
    ask(subject, data, onAnswer) {
      const connection = nats.connection();
      if (!connection) return { stop() {} };
      const inbox = createInbox();
      const answers = connection.subscribe(inbox, {
        callback: (error, message) => {
          if (!error) onAnswer(message.string());
        },
      });
      connection.publish(subject, data, { reply: inbox });
      return { stop: () => answers.unsubscribe() };
    },
  };
}

/** Hears invalidations, and knows whether it still does. */
export type Ear = { isHearing(): boolean; losses(): number; stop(): void };

const settleMs = 2000;

/**
 * Drops what it is told to and answers with its name. It hears only once the server has confirmed the subscription,
 * and every break counts as a loss: something may have been said meanwhile.
 */
export function createEar(nats: Nats, id: string, drop: (shortCodes: readonly string[]) => void): Ear {
  let hearing: NatsConnection | null = null;
  let losses = 0;

  function lose(): void {
    hearing = null;
    losses++;
  }

  async function listen(connection: NatsConnection, fresh: boolean): Promise<void> {
    if (fresh) {
      connection.subscribe(dropSubject, {
        callback: (error, message) => {
          if (error) return lose();
          drop(message.json<string[]>());
          message.respond(id);
        },
      });
    }
    const before = losses;
    await within(settleMs, connection.flush());
    if (losses === before) hearing = connection;
  }

  // A connection that breaks again at once is told of by the next status.
  const begin = (connection: NatsConnection, fresh: boolean) => listen(connection, fresh).catch(lose);
  const standing = nats.connection();
  if (standing) void begin(standing, true);
  const end = nats.onStatus(status => {
    if (status.kind === 'disconnected') lose();
    else if (status.kind === 'connected') void begin(status.connection, status.fresh);
  });
  return {
    isHearing: () => hearing !== null && hearing === nats.connection(),
    losses: () => losses,
    stop: end,
  };
}
