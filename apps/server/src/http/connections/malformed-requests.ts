import type { Socket } from 'node:net';
import { AppError } from '../../kernel/errors.ts';
import type { RequestIds } from '../../kernel/request-ids.ts';
import type { Authentication } from '../access/authentication.ts';
import { rateLimitHeaders } from '../access/rate-limit-headers.ts';
import { presentError, toStatus } from '../errors.ts';

type Parts = {
  /** Counts the request against its address. */
  readonly countAnonymous: (address: string) => Authentication;
  readonly nextRequestId: RequestIds;
  readonly publicUrl: string;
};

/** How long a refused client may go on sending before its connection is cut. */
const lingerMs = 1000;

/** Answers what is not even HTTP with an error in the usual form, then closes the connection. */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Socket, parts: Parts) {
  // Already answered: every further piece of a broken request is another error, until the connection is cut.
  if (socket.writableEnded) return;
  // Browsers open connections ahead of their requests. Where none has come yet, an answer would be taken for that of the first.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (!socket.writable || error.code === 'ECONNRESET' || isUnused) {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('uri_too_long', 'The URL and headers of the request are too long.')
      : new AppError('invalid_request', 'The request is not well-formed HTTP.');
  answerOnSocket(refusal, socket, parts);
}

/** Writes an error in the usual form where Node has made no response object to write it with. */
export function answerOnSocket(
  refusal: AppError,
  socket: Socket,
  { countAnonymous, nextRequestId, publicUrl }: Parts,
) {
  const requestId = nextRequestId();
  const { decision } = countAnonymous(socket.remoteAddress ?? '');
  const status = toStatus(refusal);
  const body = JSON.stringify(presentError(refusal, requestId, publicUrl));
  const headers = {
    ...(decision ? rateLimitHeaders(decision) : {}),
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${status === 414 ? 'URI Too Long' : 'Bad Request'}\r\n${lines.join('')}\r\n${body}`,
  );
  // What the client still sends is read and dropped for a while: a reset could overtake the response.
  socket.resume();
  // Node no longer listens on a socket that it has handed over: without a listener a reset would end the process.
  socket.on('error', () => socket.destroy());
  const cutOff = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(cutOff));
}
