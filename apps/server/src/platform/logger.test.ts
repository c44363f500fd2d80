import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { databaseUnavailable } from './postgres/postgres.ts';

function captureLog() {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, logger: createLogger('info', 'api', sink) };
}

test('a secret that is logged by mistake is redacted', () => {
  const { lines, logger } = captureLog();
  const headers = { authorization: 'Bearer planted' };
  logger.info({ req: { headers } }, 'a whole request');
  logger.info({ headers, key: 'planted', secret: 'planted', authorization: 'planted' }, 'loose parts');
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain('planted');
  expect(lines[0]).toContain('"role":"api"');
});

test('an error is logged with its type, message and cause; an error of a time limit with nothing else', () => {
  const { lines, logger } = captureLog();
  logger.warn({ err: new TypeError('not this', { cause: new Error('but that') }) }, 'failed');
  logger.warn({ err: new DOMException('too late', 'TimeoutError') }, 'failed');
  const [usual, late] = lines.map(line => JSON.parse(line).err);
  expect(usual).toMatchObject({ type: 'TypeError', message: 'not this: but that' });
  expect(late).toEqual({ type: 'TimeoutError', message: 'too late', stack: expect.any(String) });
});

test('a database that is away is logged with its reason, without a stack', () => {
  const { lines, logger } = captureLog();
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  logger.warn({ err: databaseUnavailable(refused) }, 'failed');
  expect(JSON.parse(lines[0]!).err).toEqual({
    type: 'AppError',
    message: expect.stringMatching(/^The server can't reach its database.*: connect ECONNREFUSED/),
  });
});
