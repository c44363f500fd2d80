import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { AppError } from '../kernel/errors.ts';
import { heavyWork } from '../kernel/turns.ts';
import { createShapeCheck, type Excess, excessOf } from './json-shape.ts';

/** No body of the contract is nested half as deep, or has half as many values: 500 codes with every field have 8,000. */
export const shape = { maxDepth: 32, maxValues: 20_000 };

/** Up to here a body is parsed in less time than it takes to wait for a turn. */
const smallBytes = 64 * 1024;

/** The value in a body, or a refusal that says what is wrong with it. A large one was checked as it came, and takes its turn. */
export async function parseJson(body: Buffer): Promise<unknown> {
  // Many clients send a content type with every request, also with one that has no body.
  if (body.length === 0) return undefined;
  if (body.length > smallBytes) return await heavyWork.run(() => readJson(body));
  const excess = excessOf(body, shape);
  if (excess) throw refusalOf(excess);
  return readJson(body);
}

/**
 * Passes a large body on as it is read, until there is too much of something in it: depth and number are what makes a parser,
 * or whatever walks through a value, slow. Where nobody reads it, because it is refused before, it is left alone.
 */
export function checkShape(body: Readable, contentLength: string | undefined): Readable {
  if (Number(contentLength) <= smallBytes) return body;
  const checked = Readable.from(checkedPieces(body), { objectMode: false });
  // Whoever reads hears of an error; where nobody reads any more, it must not end the process.
  checked.on('error', () => undefined);
  return checked;
}

async function* checkedPieces(body: Readable): AsyncGenerator<Buffer> {
  const check = createShapeCheck(shape);
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      const excess = check(piece);
      if (excess) throw refusalOf(excess);
      yield piece;
    }
  } finally {
    // What is still sent is read and dropped, so that the caller gets to the answer.
    body.resume();
  }
}

const refusalOf = (excess: Excess) =>
  excess === 'depth'
    ? new AppError('invalid_json', `The body is nested deeper than ${shape.maxDepth} levels.`)
    : new AppError('invalid_json', `The body has more than ${shape.maxValues} values.`);

function readJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new AppError('invalid_json', 'The body is not valid UTF-8.');
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
