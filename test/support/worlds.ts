import { type Operation, operations } from '@signpost/contract';
import fc from 'fast-check';
import type { Mode } from '../../apps/server/src/kernel/caller.ts';
import { validValue } from '../fuzz/arbitraries.ts';
import type { CallOptions, Reply, TestApi } from './api.ts';
import { signUp } from './people.ts';

/** An account in one mode. Nothing in it may be seen from another, nor be changed by it. */
export type World = {
  readonly name: string;
  readonly key: string;
  readonly ids: Map<string, string[]>;
  /** Where a session opens it instead of a key: what comes before the path, and what is sent along. */
  readonly session?: { readonly prefix: string; readonly headers: Readonly<Record<string, string>> };
};

export type Call = (options: CallOptions) => Promise<Reply>;

export async function createWorlds(api: TestApi, plan?: string): Promise<readonly World[]> {
  const accounts = [await api.account(plan), await api.account(plan)];
  return accounts.flatMap((account, index) =>
    (['live', 'test'] as const satisfies readonly Mode[]).map(mode => ({
      name: `account ${index} ${mode}`,
      key: account[mode],
      ids: new Map(),
    })),
  );
}

/** The same, opened by the sessions of two people. */
export async function createSessionWorlds(api: TestApi): Promise<readonly World[]> {
  const people = [await signUp(api), await signUp(api)];
  return people.flatMap(({ cookies }, index) =>
    (['live', 'test'] as const satisfies readonly Mode[]).map(mode => ({
      name: `person ${index} ${mode}`,
      key: '',
      ids: new Map(),
      session: {
        prefix: '/account',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          origin: new URL(api.config.publicUrl).origin,
          'x-signpost-mode': mode,
        },
      },
    })),
  );
}

export const all: readonly Operation[] = Object.values<Operation>(operations);

/** The operations that speak of one thing by its id. */
export const aboutOne = all.filter(({ path }) => path.includes('{id}'));

/** The operations that tell what is in a world without being told an id. */
export const overviews = all.filter(one => one.method === 'GET' && !one.path.includes('{') && !one.public);

/** What the id of an operation's path is an id of: the segment before it. */
export const collectionOf = ({ path }: Operation) => path.split('/{id}')[0]!.split('/').at(-1)!;

/** The operation that makes things of this collection. */
export function makerOf(collection: string): Operation {
  const found =
    collection === 'deliveries'
      ? operations.testWebhook
      : all.find(one => one.method === 'POST' && one.path.endsWith(`/${collection}`));
  if (!found)
    throw new Error(`No operation makes ${collection}: teach the isolation test where they come from`);
  return found;
}

/** A right request of an operation, but for the id in its path. */
export type Asking = {
  readonly operation: Operation;
  readonly query: string;
  readonly body: unknown;
};

export function askingOf(operation: Operation): fc.Arbitrary<Asking> {
  const value = (schema: object | undefined) =>
    schema ? validValue(schema, one => one) : fc.constant(undefined);
  return fc.tuple(value(operation.query), value(operation.body)).map(([query, body]) => ({
    operation,
    query: query
      ? `?${new URLSearchParams(Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]))}`
      : '',
    body,
  }));
}

export function ask(call: Call, world: World, { operation, query, body }: Asking, id = '', headers = {}) {
  return call({
    method: operation.method,
    url: prefixOf(world, operation) + operation.path.replace('{id}', id) + query,
    ...(world.session ? {} : { key: world.key }),
    headers: { ...world.session?.headers, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const prefixOf = ({ session }: World, { path }: Operation) =>
  session && path.startsWith('/v1/') ? session.prefix : '';

/** Makes one thing of a collection; tries a few, since not all that a schema allows is welcome. */
export async function make(call: Call, world: World, collection: string, seed: number): Promise<string> {
  const maker = makerOf(collection);
  // A delivery is made by sending a test to a webhook.
  const of = maker.path.includes('{id}')
    ? await make(call, { ...world, ids: new Map() }, collectionOf(maker), seed)
    : '';
  for (const asking of fc.sample(askingOf(maker), { seed, numRuns: 50 })) {
    // Of a webhook that is switched off little can be asked.
    if ((asking.body as { enabled?: boolean } | undefined)?.enabled === false) continue;
    const { status, body } = await ask(call, world, asking, of);
    if (status !== maker.success.status) continue;
    world.ids.set(collection, [...(world.ids.get(collection) ?? []), body.id]);
    return body.id;
  }
  throw new Error(`${maker.id} made nothing`);
}

/** An answer as far as it may not depend on what is in other worlds. */
export function essence({ status, headers, text }: Reply): string {
  const { date: _date, 'x-request-id': requestId = '', ...rest } = headers;
  const kept = Object.entries(rest).filter(([name]) => !name.startsWith('x-ratelimit-'));
  const body = text.replaceAll(requestId, '<request id>');
  return JSON.stringify({ status, headers: kept.sort(([a], [b]) => (a < b ? -1 : 1)), body });
}
