import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

test('a secret that is logged by mistake is blanked', () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger('info', 'api', sink);
  const headers = { authorization: 'Bearer planted' };
  logger.info({ req: { headers } }, 'a whole request');
  logger.info({ headers, key: 'planted', secret: 'planted', authorization: 'planted' }, 'loose parts');
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain('planted');
  expect(lines[0]).toContain('"role":"api"');
});
