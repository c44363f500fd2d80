import { isUtf8 } from 'node:buffer';
import { AppError } from '../kernel/errors.ts';

/** No body of the contract is nested half as deep. */
const maxDepth = 32;

/** The value in a body, or a refusal that says what is wrong with it. */
export function parseJson(body: Buffer, method: string): unknown {
  // Many clients send a content type with every request, also with one that has no body.
  if (body.length === 0 && method === 'DELETE') return undefined;
  if (!isUtf8(body)) throw new AppError('invalid_json', 'The body is not valid UTF-8.');
  const value = readJson(body);
  if (!isWithinDepth(value, maxDepth)) {
    throw new AppError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`);
  }
  return value;
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

/** JSON.parse takes any depth, but whatever walks through a value by calling itself would run out of stack. */
function isWithinDepth(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  return levels > 0 && Object.values(value).every(inner => isWithinDepth(inner, levels - 1));
}
