import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hungUp } from './errors.ts';
import { goneSignal } from './gone.ts';
import { createReaderWatch, type LeastSpeed } from './least-speed.ts';

/** A file that is sent while it is written. */
export type StreamAnswer = {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Told by the signal when nobody reads any more. */
  content(signal: AbortSignal): AsyncGenerator<string>;
};

/** How fast a file has to be read, since it keeps others from being served; and who is told of one that was not. */
export type Reading = LeastSpeed & { onEnded(): void };

/**
 * Sends a file piece by piece, no faster than it is read. What fails before the first piece is refused in the usual form;
 * later the connection breaks, since an end in good order would make a part of the file look like the whole. So it does
 * for a reader who is too slow.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamAnswer,
  reading: Reading,
) {
  reply.headers(answer.headers).type(answer.type);
  // Nothing to read, but a stream: as of GET, nobody knows its length.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const gone = goneSignal(reply);
  const pieces = answer.content(gone);
  const first = await pieces.next().catch((error: unknown) => {
    for (const name of Object.keys(answer.headers)) reply.removeHeader(name);
    throw gone.aborted ? hungUp() : error;
  });
  // Not left to the stream: one that is destroyed before its first piece is asked for never begins, nor ends, what it reads.
  const leave = () => void pieces.return(undefined).catch(() => undefined);
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave);
  const watch = createReaderWatch(reading, () => {
    reading.onEnded();
    request.log.warn('export aborted: the client read it too slowly');
    // Not closed but reset: to a reader of HTTP/1.0 a connection that is closed is the end of the file.
    request.raw.socket.resetAndDestroy();
  });
  async function* all(): AsyncGenerator<string> {
    try {
      // Behind another answer of the connection nobody can read it yet.
      if (!reply.raw.socket) await once(reply.raw, 'socket', { signal: gone });
      for (let piece = first; !piece.done; piece = await pieces.next()) {
        watch.offered(Buffer.byteLength(piece.value));
        yield piece.value;
        watch.taken();
      }
    } finally {
      watch.stop();
      leave();
    }
  }
  return reply.send(Readable.from(all(), { highWaterMark: 2 }));
}
