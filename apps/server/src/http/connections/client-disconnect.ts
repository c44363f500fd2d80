import type { FastifyReply } from 'fastify';
import { hungUp } from '../errors.ts';

/** Aborts when the client no longer waits for the response; also once the response was sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort(hungUp());
  // A client that hung up while something else was awaited raises no second event.
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return disconnected.signal;
}
