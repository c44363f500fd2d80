import type { FastifyReply } from 'fastify';
import { hungUp } from './errors.ts';

/** Tells when nobody waits for the answer any more; also once it was sent. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort(hungUp());
  // Who hung up while something else was waited for is not announced again.
  if (raw.destroyed) end();
  else raw.once('close', end);
  return gone.signal;
}
