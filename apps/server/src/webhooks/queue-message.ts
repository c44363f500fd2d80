import type { JsMsg } from '@nats-io/jetstream';
import type { EventKind, Message } from './webhook.ts';

/** The kind that says nothing of itself: almost every message is of it. */
const usual = 'scan.created';

/** A message as it lies in the queue; its trace is in the headers. */
export const writeMessage = ({ trace: _inTheHeaders, event, ...message }: Message): string =>
  JSON.stringify({
    ...message,
    event: event === usual ? undefined : event,
    createdAt: message.createdAt.getTime(),
  });

type Written = Omit<Message, 'createdAt' | 'event'> & { event?: EventKind; createdAt: number };

/** Null for what is none. */
export function readMessage(raw: JsMsg): Message | null {
  try {
    const message = raw.json<Written>();
    const trace = raw.headers?.get('traceparent') || undefined;
    return typeof message.endpointId === 'string' && typeof message.body === 'string'
      ? { ...message, event: message.event ?? usual, createdAt: new Date(message.createdAt), trace }
      : null;
  } catch {
    return null;
  }
}
