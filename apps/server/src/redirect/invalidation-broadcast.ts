import { createInbox } from '@nats-io/transport-node';
import type { Nats } from '../platform/nats.ts';

export const invalidationSubject = 'signpost.links.invalidate';
export const stopSubject = 'signpost.stops.changed';

/** Sends a message to all redirect processes at once. */
export type InvalidationBroadcast = {
  /** Calls `onReply` for each reply until `stop`. Null where nothing can be sent. */
  request(subject: string, data: string, onReply: (data: string) => void): { stop(): void } | null;
};

/** The broadcast over NATS, for processes that edit codes. */
export function createInvalidationBroadcast(nats: Pick<Nats, 'connection'>): InvalidationBroadcast {
  return {
    request(subject, data, onReply) {
      const connection = nats.connection();
      if (!connection) return null;
      try {
        const inbox = createInbox();
        const replies = connection.subscribe(inbox, {
          callback: (error, message) => {
            if (!error) onReply(message.string());
          },
        });
        connection.publish(subject, data, { reply: inbox });
        return { stop: () => replies.unsubscribe() };
      } catch {
        // The connection was closed a moment ago; its status event is still to come.
        return null;
      }
    },
  };
}
