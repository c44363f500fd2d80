import { isUtf8 } from 'node:buffer';
import { AppError } from '../kernel/errors.ts';
import { heavyWork } from '../kernel/turns.ts';
import { excessOf } from './json-shape.ts';

/** No body of the contract is nested half as deep, or has half as many values: 500 codes with every field have 8,000. */
export const shape = { maxDepth: 32, maxValues: 20_000 };

/** Up to here a body is parsed in less time than it takes to wait for a turn. */
const smallBytes = 64 * 1024;

/** The value in a body, or a refusal that says what is wrong with it. A large one is taken in steps, others between them. */
export async function parseJson(body: Buffer, method: string): Promise<unknown> {
  // Many clients send a content type with every request, also with one that has no body.
  if (body.length === 0 && method === 'DELETE') return undefined;
  if (body.length <= smallBytes) {
    checkShape(body);
    return readJson(body);
  }
  await heavyWork.run(() => checkShape(body));
  return await heavyWork.run(() => readJson(body));
}

/** Before anything is parsed: depth and number are what makes a parser, or whatever walks through a value, slow. */
function checkShape(body: Buffer): void {
  if (!isUtf8(body)) throw new AppError('invalid_json', 'The body is not valid UTF-8.');
  const excess = excessOf(body, shape);
  if (excess === 'depth')
    throw new AppError('invalid_json', `The body is nested deeper than ${shape.maxDepth} levels.`);
  if (excess === 'values')
    throw new AppError('invalid_json', `The body has more than ${shape.maxValues} values.`);
}

function readJson(body: Buffer): unknown {
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
