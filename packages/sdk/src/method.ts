import { type ApiPromise, apiPromiseOf } from './api-promise.ts';
import { endpoints } from './generated.ts';
import { type FeedPage, feedOf, type Page, pagesOf, type Walk } from './pages.ts';
import { optionNames, type RequestOptions, type Transport } from './transport.ts';

export type OperationId = keyof typeof endpoints;

type Input = Readonly<Record<string, unknown>>;

/** An operation as a function: first the ids in its path, then what it takes, then how it is sent. */
export function createMethod(
  id: OperationId,
  baseUrl: string,
  transport: Transport,
): (...args: unknown[]) => ApiPromise<unknown> {
  const { method, path, input, query, answer } = endpoints[id];
  const inPath = path.match(/\{\w+\}/g) ?? [];
  return (...args) => {
    const values = args.slice(0, inPath.length);
    const [params, options] = args.slice(inPath.length, inPath.length + 2);
    const [given, sendOptions] = (input === 'none' ? [undefined, params] : [params, options]) as [
      Input | undefined,
      RequestOptions | undefined,
    ];
    if (input === 'query') refuseUnknown(id, 'parameter', given, query);
    refuseUnknown(id, 'option', sendOptions, optionNames);
    const url = baseUrl + fill(path, values);
    const send = (more: Input = {}) => {
      const call = {
        method,
        url: input === 'query' ? url + queryOf({ ...given, ...more }) : url,
        isFile: answer === 'file',
        ...(input === 'body' ? { body: given ?? {} } : {}),
      };
      return apiPromiseOf(transport(call, sendOptions));
    };
    if (answer === 'feed') return feedOf(next => send(next) as ApiPromise<FeedPage<unknown>>);
    return answer === 'page'
      ? pagesOf(next => send(next) as ApiPromise<Page<unknown>>, walkOf(given, query))
      : send();
  };
}

/** By cursor where the list has one for this order, unless a page was asked for. */
function walkOf({ page, sort, ending_before: before }: Input = {}, query: readonly string[]): Walk {
  const hasCursor = query.includes('starting_after') && /^-?created$/.test(String(sort ?? 'created'));
  if (!hasCursor || page !== undefined) return 'page';
  return before === undefined ? 'starting_after' : 'ending_before';
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
    const takes = known.join(', ') || 'none';
    throw new TypeError(`${id} has no ${what} ${JSON.stringify(name)}. It takes ${takes}.`);
  }
}

function queryOf(input: Input): string {
  const pairs = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]));
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}
