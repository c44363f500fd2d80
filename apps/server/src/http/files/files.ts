import type { FastifyReply, FastifyRequest } from 'fastify';
import { disconnectSignal } from '../connections/client-disconnect.ts';
import { addVary, isCompressible } from './compression.ts';

/** A file whose content is produced only if the client does not have it yet. */
export type FileAnswer = {
  /** Known before the content, and the same for the same content. */
  readonly etag: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The signal aborts when the client has gone. */
  content(signal: AbortSignal): Promise<Uint8Array>;
};

/** Answers with the file, or with 304 if the client has it. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer) {
  const headers = { ...file.headers, etag: file.etag };
  const matching = matchingEtag(request.headers['if-none-match'], file.etag);
  if (matching) {
    reply.headers(headers);
    // The ETag that the client sent, of the compressed file or not: a cache would take the other for another file.
    if (isCompressible(file.type)) addVary(reply.header('etag', matching));
    return reply.code(304).send();
  }
  const content = await file.content(disconnectSignal(reply));
  // Only now: an error must not be cached as if it were the file.
  reply.headers(headers);
  return reply.type(file.type).send(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
}

/**
 * The ETag by which If-None-Match says that the client has the file: alone, in a list, weak (as compressed responses
 * have it), or by `*`. null if it does not have it.
 */
export function matchingEtag(ifNoneMatch: string | undefined, etag: string): string | null {
  if (ifNoneMatch === undefined) return null;
  const entries = ifNoneMatch.split(',').map(entry => entry.trim());
  const matching = entries.find(entry => entry.replace(/^W\//, '') === etag);
  return matching ?? (entries.includes('*') ? etag : null);
}
