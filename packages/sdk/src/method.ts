import { endpoints, type Operations } from './generated.ts';
import { nearest } from './nearest.ts';
import { type Page, type Pages, pagesOf } from './pages.ts';
import { optionNames, type RequestOptions, type Transport } from './transport.ts';

export type OperationId = keyof Operations;

/** `params` may be left out where all of it is optional. */
type InputOf<Input> = Input extends undefined
  ? []
  : object extends Input
    ? [params?: Input]
    : [params: Input];

type Answered<Operation extends Operations[OperationId]> =
  Operation['answer'] extends Page<unknown>
    ? Operation['kind'] extends 'page'
      ? Pages<Operation['answer']>
      : Promise<Operation['answer']>
    : Promise<Operation['answer']>;

/** An operation as a function: what its path names, what it takes, how it is sent. */
export type Method<Id extends OperationId> = (
  ...args: [...Operations[Id]['path'], ...InputOf<Operations[Id]['input']>, options?: RequestOptions]
) => Answered<Operations[Id]>;

type Input = Readonly<Record<string, unknown>>;

export function createMethod<Id extends OperationId>(
  id: Id,
  baseUrl: string,
  transport: Transport,
): Method<Id> {
  const { method, path, input, query, answer } = endpoints[id];
  const inPath = path.match(/\{\w+\}/g) ?? [];
  const call = (...args: unknown[]) => {
    const values = args.slice(0, inPath.length);
    const [params, options] = args.slice(inPath.length, inPath.length + 2);
    const [given, sendOptions] = (input === 'none' ? [undefined, params] : [params, options]) as [
      Input | undefined,
      RequestOptions | undefined,
    ];
    if (input === 'query') refuseUnknown(id, 'parameter', given, query);
    refuseUnknown(id, 'option', sendOptions, optionNames);
    const url = baseUrl + fill(path, values);
    const send = (more: Input = {}) =>
      transport(
        {
          method,
          url: input === 'query' ? url + queryOf({ ...given, ...more }) : url,
          isFile: answer === 'file',
          ...(input === 'body' ? { body: given ?? {} } : {}),
        },
        sendOptions,
      );
    return answer === 'page'
      ? pagesOf(page => send(page === undefined ? {} : { page }) as Promise<Page<unknown>>)
      : send();
  };
  return call as unknown as Method<Id>;
}

/** Puts ids into a path. A segment of dots would climb up to another path, and an empty one fall away. */
function fill(path: string, values: readonly unknown[]): string {
  let next = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[next++];
    if (typeof value !== 'string' || /^\.*$/.test(value)) {
      throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

/** The server would pass over a parameter that it does not know, and answer another question than was asked. */
function refuseUnknown(id: string, what: string, given: object | undefined, known: readonly string[]): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined || known.includes(name)) continue;
    const meant = nearest(name, known);
    const takes = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes none.';
    throw new TypeError(
      `${id} has no ${what} ${JSON.stringify(name)}. ${meant ? `Did you mean ${JSON.stringify(meant)}?` : takes}`,
    );
  }
}

function queryOf(input: Input): string {
  const pairs = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}
