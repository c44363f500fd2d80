import type { Socket } from 'node:net';
import { AppError } from '../kernel/errors.ts';
import type { RequestIds } from '../kernel/request-ids.ts';
import { presentError, statusOf } from './errors.ts';
import type { Guard } from './guard.ts';
import { limitHeaders } from './limit-headers.ts';

type Parts = { readonly guard: Guard; readonly nextRequestId: RequestIds; readonly publicUrl: string };

/** How long a refused caller may go on sending before it is cut off. */
const lingerMs = 1000;

/** What is not even HTTP gets an answer in the usual form, and then the connection is closed. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, parts: Parts) {
  // Answered already: every further piece of a broken request is an error again, until the time is up.
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('uri_too_long', 'The URL and headers of the request are too long.')
      : new AppError('invalid_request', 'The request is not well-formed HTTP.');
  answerOnSocket(refusal, socket, parts);
}

/** Writes an answer in the usual form where there is no reply to write it with. */
export function answerOnSocket(
  refusal: AppError,
  socket: Socket,
  { guard, nextRequestId, publicUrl }: Parts,
) {
  const requestId = nextRequestId();
  const { verdict } = guard.admitAnybody(socket.remoteAddress ?? '');
  const status = statusOf(refusal);
  const body = JSON.stringify(presentError(refusal, requestId, publicUrl));
  const headers = {
    ...limitHeaders(verdict),
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${status === 414 ? 'URI Too Long' : 'Bad Request'}\r\n${lines.join('')}\r\n${body}`,
  );
  // What still comes is read and dropped, so that the answer is not lost to a reset; but nobody may stay for long.
  socket.resume();
  // Node listens no more on a socket that it has handed over: a reset would end the process.
  socket.on('error', () => socket.destroy());
  const leave = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(leave));
}
