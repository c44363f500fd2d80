import type { FastifyReply, FastifyRequest } from 'fastify';

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
  reply.headers({ ...file.headers, etag: file.etag });
  if (hasAlready(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  const content = await file.content();
  return reply.type(file.type).send(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
}

/** Whether If-None-Match names the ETag: alone, in a list, weakly, or by `*`. */
export function hasAlready(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map(entry => entry.trim().replace(/^W\//, ''))
    .some(entry => entry === '*' || entry === etag);
}
