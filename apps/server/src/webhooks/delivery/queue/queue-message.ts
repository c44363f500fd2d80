import type { JsMsg } from '@nats-io/jetstream';
import type { EventKind, Message } from '../../webhook.ts';

/** Almost every message is of this kind, so it is left out. */
const defaultEvent = 'scan.created';

/** A message as a queue in NATS stores it. Its trace is in the headers. */
export const writeMessage = ({ trace: _inTheHeaders, ...message }: Message): string =>
  writeWithTrace(message);

/** A message with its trace, for a queue that has no headers. */
export const writeWithTrace = ({ event, ...message }: Message): string =>
  JSON.stringify({
    ...message,
    event: event === defaultEvent ? undefined : event,
    createdAt: message.createdAt.getTime(),
  });

type StoredMessage = Omit<Message, 'createdAt' | 'event'> & { event?: EventKind; createdAt: number };

/** Null for what is not a message of ours. */
export const readMessage = (raw: JsMsg): Message | null =>
  parseMessage(raw.string(), raw.headers?.get('traceparent') || undefined);

export function parseMessage(text: string, header?: string): Message | null {
  try {
    const message = JSON.parse(text) as StoredMessage;
    const trace = header ?? message.trace;
    return typeof message.endpointId === 'string' && typeof message.body === 'string'
      ? { ...message, event: message.event ?? defaultEvent, createdAt: new Date(message.createdAt), trace }
      : null;
  } catch {
    return null;
  }
}
