import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hungUp } from './errors.ts';

/** A file that is sent while it is written. */
export type StreamAnswer = {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Told by the signal when nobody reads any more. */
  content(signal: AbortSignal): AsyncGenerator<string>;
};

/**
 * Sends a file piece by piece, no faster than it is read. What fails before the first piece is refused in the usual form;
 * later the connection breaks, since an end in good order would make a part of the file look like the whole.
 */
export async function sendStream(request: FastifyRequest, reply: FastifyReply, answer: StreamAnswer) {
  reply.headers(answer.headers).type(answer.type);
  if (request.method === 'HEAD') return reply.send();
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const pieces = answer.content(gone.signal);
  const first = await pieces.next().catch((error: unknown) => {
    for (const name of Object.keys(answer.headers)) reply.removeHeader(name);
    throw gone.signal.aborted ? hungUp() : error;
  });
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* pieces;
  }
  return reply.send(Readable.from(all(), { highWaterMark: 2 }));
}
