import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../kernel/errors.ts';
import { hungUp } from '../errors.ts';
import { disconnectSignal } from './client-disconnect.ts';
import { createReaderWatch, type MinReadRate } from './slow-reader.ts';

/** A file that is sent while it is written. */
export type StreamAnswer = {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The signal aborts when the client has gone. */
  content(signal: AbortSignal): AsyncGenerator<string | Uint8Array>;
};

/** How fast a file has to be read, since a slow client keeps others from being served. */
export type SlowReaderPolicy = MinReadRate & { onAborted(): void };

/**
 * Sends a file chunk by chunk, no faster than it is read. A failure before the first chunk is answered in the usual form.
 * Later the connection is reset, since a proper end would make a part of the file look like the whole; the same happens
 * to a client that reads too slowly.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamAnswer,
  slowReaders: SlowReaderPolicy,
) {
  reply.headers(answer.headers).type(answer.type);
  // Nothing to read, but a stream: as with GET, the length is not known.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const disconnected = disconnectSignal(reply);
  const chunks = answer.content(disconnected);
  const first = await chunks.next().catch((error: unknown) => {
    for (const name of Object.keys(answer.headers)) reply.removeHeader(name);
    throw disconnected.aborted ? hungUp() : error;
  });
  // Not left to the stream: one that is destroyed before its first chunk is read never starts its source, nor ends it.
  const endContent = () => void chunks.return(undefined).catch(() => undefined);
  if (disconnected.aborted) endContent();
  else disconnected.addEventListener('abort', endContent);
  const watch = createReaderWatch(slowReaders, () => {
    slowReaders.onAborted();
    request.log.warn('export aborted: the client read it too slowly');
    // Reset instead of closed: a client of HTTP/1.0 takes a closed connection for the end of the file.
    request.raw.socket.resetAndDestroy();
  });
  async function* allChunks(): AsyncGenerator<string | Uint8Array> {
    try {
      // Nobody can read it yet while another response of the same connection comes before it.
      if (!reply.raw.socket) await once(reply.raw, 'socket', { signal: disconnected });
      for (let chunk = first; !chunk.done; chunk = await chunks.next()) {
        if (request.isStillAllowed && !(await request.isStillAllowed())) throw accessEnded();
        watch.offered(Buffer.byteLength(chunk.value));
        yield chunk.value;
        watch.taken();
      }
    } finally {
      watch.stop();
      endContent();
    }
  }
  return reply.send(Readable.from(allChunks(), { highWaterMark: 2 }));
}

const accessEnded = () =>
  new AppError('forbidden', 'Your session has ended, or you were removed from this account.');
