import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary, isCompressible } from './compression.ts';

/** A file that is worked out only when the caller does not have it yet. */
export type FileAnswer = {
  /** Known before the content is, and the same for the same content. */
  readonly etag: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  content(): Promise<Uint8Array>;
};

/** Answers with the file, or with 304 to a caller who has it. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer) {
  const headers = { ...file.headers, etag: file.etag };
  const held = heldTag(request.headers['if-none-match'], file.etag);
  if (held) {
    reply.headers(headers);
    // By the name that the caller has it under, compressed or not: a cache would take another for another file.
    if (isCompressible(file.type)) addVary(reply.header('etag', held));
    return reply.code(304).send();
  }
  const content = await file.content();
  // Only now: a refusal must not be kept in anybody's cache as if it were the file.
  reply.headers(headers);
  return reply.type(file.type).send(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
}

/**
 * The ETag by which If-None-Match says that the caller has the file: alone, in a list, weakly (as it is compressed), or
 * by `*`. null where it does not.
 */
export function heldTag(ifNoneMatch: string | undefined, etag: string): string | null {
  if (ifNoneMatch === undefined) return null;
  const entries = ifNoneMatch.split(',').map(entry => entry.trim());
  const held = entries.find(entry => entry.replace(/^W\//, '') === etag);
  return held ?? (entries.includes('*') ? etag : null);
}
