import type { JsMsg } from '@nats-io/jetstream';
import type { EventKind, Message } from '../webhook.ts';

/** Almost every message is of this kind, so it is left out. */
const defaultEvent = 'scan.created';

/** A message as the queue stores it. Its trace is in the headers. */
export const writeMessage = ({ trace: _inTheHeaders, event, ...message }: Message): string =>
  JSON.stringify({
    ...message,
    event: event === defaultEvent ? undefined : event,
    createdAt: message.createdAt.getTime(),
  });

type StoredMessage = Omit<Message, 'createdAt' | 'event'> & { event?: EventKind; createdAt: number };

/** Null for what is not a message of ours. */
export function readMessage(raw: JsMsg): Message | null {
  try {
    const message = raw.json<StoredMessage>();
    const trace = raw.headers?.get('traceparent') || undefined;
    return typeof message.endpointId === 'string' && typeof message.body === 'string'
      ? { ...message, event: message.event ?? defaultEvent, createdAt: new Date(message.createdAt), trace }
      : null;
  } catch {
    return null;
  }
}
