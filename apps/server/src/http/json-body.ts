import { isUtf8 } from 'node:buffer';
import { type Readable, Transform } from 'node:stream';
import { AppError } from '../kernel/errors.ts';
import { heavyWork } from '../kernel/turns.ts';
import { createShapeCheck, type Excess, excessOf } from './json-shape.ts';

/** No body of the contract is nested half as deep, or has half as many values: 500 codes with every field have 8,000. */
export const shape = { maxDepth: 32, maxValues: 20_000 };

/** Up to here a body is parsed in less time than it takes to wait for a turn. */
const smallBytes = 64 * 1024;

/** The value in a body, or a refusal that says what is wrong with it. A large one was checked as it came, and takes its turn. */
export async function parseJson(body: Buffer, method: string): Promise<unknown> {
  // Many clients send a content type with every request, also with one that has no body.
  if (body.length === 0 && method === 'DELETE') return undefined;
  if (body.length > smallBytes) return await heavyWork.run(() => readJson(body));
  const excess = excessOf(body, shape);
  if (excess) throw refusalOf(excess);
  return readJson(body);
}

/**
 * Passes a large body on as it comes, until there is too much of something in it: depth and number are what makes a parser,
 * or whatever walks through a value, slow. What is sent after that is read and dropped.
 */
export function checkShape<Body extends Readable>(
  body: Body,
  contentLength: string | undefined,
): Body | Transform {
  if (Number(contentLength) <= smallBytes) return body;
  const check = createShapeCheck(shape);
  const checked = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const excess = check(piece);
      if (!excess) return done(null, piece);
      body.unpipe(checked);
      body.resume();
      done(refusalOf(excess));
    },
  });
  body.on('error', error => checked.destroy(error));
  body.on('close', () => body.readableEnded || checked.destroy());
  return body.pipe(checked);
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
