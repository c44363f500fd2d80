import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';
import { cpuQueue } from '../../kernel/running/cpu-queue.ts';
import { createShapeCheck, type Excess, findExcess } from './json-shape.ts';

/** No body of the contract is half as deep or has half as many values: 500 codes with every field have 8,000. */
export const shape = { maxDepth: 32, maxValues: 20_000 };

/** Up to this size, parsing a body takes less time than waiting for a turn. */
const smallBytes = 64 * 1024;

/** The value in a body, or an error that says what is wrong. A large body was checked as it arrived, and waits for its turn. */
export async function parseJson(body: Buffer): Promise<unknown> {
  // Many clients send a content type with every request, even without a body.
  if (body.length === 0) return undefined;
  if (body.length > smallBytes) {
    const value = await cpuQueue.run(() => readJson(body));
    // What checks the value runs in the next turn.
    return await cpuQueue.run(() => value);
  }
  const excess = findExcess(body, shape);
  if (excess) throw toRefusal(excess);
  return readJson(body);
}

/**
 * Passes a large body on as it is read, until it is too deep or has too many values: these make a parser slow, and
 * everything else that walks through the value. A body that nobody reads, because the request was refused, is left alone.
 */
export function checkShape(body: Readable, contentLength: string | undefined): Readable {
  if (Number(contentLength) <= smallBytes) return body;
  const checked = Readable.from(checkedPieces(body), { objectMode: false });
  // A reader gets the error anyway; without one, it must not end the process.
  checked.on('error', () => undefined);
  return checked;
}

async function* checkedPieces(body: Readable): AsyncGenerator<Buffer> {
  const check = createShapeCheck(shape);
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      const excess = check(piece);
      if (excess) throw toRefusal(excess);
      yield piece;
    }
  } finally {
    // The rest is read and dropped, so that the client gets to read the response.
    body.resume();
  }
}

const toRefusal = (excess: Excess) =>
  excess === 'depth'
    ? new AppError('invalid_json', `The body is nested deeper than ${shape.maxDepth} levels. Flatten it.`)
    : new AppError(
        'invalid_json',
        `The body has more than ${shape.maxValues} values. Send it in several requests.`,
      );

function readJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new AppError('invalid_json', 'The body is not valid UTF-8. Encode it as UTF-8.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError(
      'invalid_json',
      'The body is not valid JSON. Check for a missing quote, comma or bracket.',
      { cause },
    );
  }
}
