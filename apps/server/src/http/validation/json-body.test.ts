import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { checkShape, parseJson } from './json-body.ts';

const largest = 5 * 1024 * 1024;
const filled = (head: string, piece: string, tail: string) =>
  Buffer.from(head + piece.repeat(Math.floor((largest - 20) / Buffer.byteLength(piece))) + tail);

/** As it comes over the wire. */
async function readBody(body: Buffer): Promise<unknown> {
  const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, i) =>
    body.subarray(i * 65_536, (i + 1) * 65_536),
  );
  return parseJson(await buffer(checkShape(Readable.from(pieces), String(body.length))));
}

/** A look at every byte and no more. */
async function walk(body: Buffer): Promise<number> {
  let sum = 0;
  for (const byte of body) sum = (sum + byte) | 0;
  return sum;
}

/** What the work takes of the processor, whoever else wants it at the moment: the least of a few times. */
async function costMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 4; time++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

test.each([
  ['brackets', filled('', '[', '')],
  ['zeros', filled('[', '0,', '0]')],
  ['white space', filled('{"a":', ' ', '0}')],
  ['one string', filled('"', 'x', '"')],
  ['escaped quotes', filled('"', '\\"', '"')],
  ['escaped letters', filled('"', '\\u00e9', '"')],
  ['emoji', filled('"', '😀', '"')],
  ['one number', filled('', '1', '')],
  ['long keys', filled('{', `"${'k'.repeat(290)}":0,`, '"k":0}')],
])(
  'five megabytes of %s cost less than 50 ms where they are parsed, and little as they come',
  async (_name, body) => {
    const bareMs = await costMs(() => walk(body));
    expect(await costMs(() => readBody(body).catch(() => undefined))).toBeLessThan(
      Math.max(100, 10 * bareMs),
    );
    const whole = await buffer(checkShape(Readable.from([body]), String(body.length))).catch(() => null);
    if (whole)
      expect(await costMs(() => parseJson(whole).catch(() => undefined))).toBeLessThan(
        Math.max(50, 5 * bareMs),
      );
  },
);

test('what is too deep, too much or not UTF-8 is refused, small or large', async () => {
  const refusals: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from('['.repeat(33)), /deeper than 32/],
    [filled('', '[', ''), /deeper than 32/],
    [Buffer.from(`[${'0,'.repeat(20_000)}0]`), /more than 20000 values/],
    [filled('[', '0,', '0]'), /more than 20000 values/],
    [Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    [Buffer.from('{"a":'), /not valid JSON/],
  ];
  for (const [body, message] of refusals) {
    await expect(readBody(body)).rejects.toMatchObject({
      code: 'invalid_json',
      message: expect.stringMatching(message),
    });
  }
  expect(await readBody(Buffer.from(`${'['.repeat(32)}${']'.repeat(32)}`))).toBeTruthy();
});

test('a refusal that nobody waits for any more does not end the process, and the rest is read', async () => {
  const pieces = Array.from({ length: 50 }, () => Buffer.from('0,'.repeat(4096)));
  const body = Readable.from(pieces, { objectMode: false });
  const checked = checkShape(body, '1000000');
  const ended = once(body, 'end');
  const closed = new Promise(resolve => checked.once('close', resolve));
  checked.resume();
  await Promise.all([closed, ended]);
});

test('a body that nobody reads is left alone', () => {
  const body = Readable.from([Buffer.from('[')]);
  checkShape(body, '1000000');
  expect([body.readableFlowing, body.readableDidRead]).toEqual([null, false]);
});
