import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { matchingEtag, sendFile } from './files.ts';

test('a caller who has the file is answered 304 without the content being worked out', async () => {
  let worked = 0;
  const app = fastify();
  app.get('/', (request, reply) =>
    sendFile(request, reply, {
      etag: '"v1"',
      type: 'text/plain',
      headers: { 'cache-control': 'private' },
      async content() {
        worked++;
        return Buffer.from('content');
      },
    }),
  );
  const unchanged = await app.inject({ url: '/', headers: { 'if-none-match': '"v1"' } });
  expect([unchanged.statusCode, unchanged.body, worked]).toEqual([304, '', 0]);
  expect(unchanged.headers).toMatchObject({ etag: '"v1"', 'cache-control': 'private' });
  const changed = await app.inject({ url: '/', headers: { 'if-none-match': '"v0"' } });
  expect([changed.statusCode, changed.body, worked]).toEqual([200, 'content', 1]);
  await app.close();
});

test('If-None-Match names an ETag alone, in a list, weakly, or by a star', () => {
  for (const header of ['"a"', '"b", "a"', '*']) expect(matchingEtag(header, '"a"')).toBe('"a"');
  // As somebody has it who was sent it compressed.
  for (const header of ['W/"a"', '"b",W/"a"', 'W/"a", *']) expect(matchingEtag(header, '"a"')).toBe('W/"a"');
  for (const header of [undefined, '', '"b"', 'a', '"a']) expect(matchingEtag(header, '"a"')).toBe(null);
});
