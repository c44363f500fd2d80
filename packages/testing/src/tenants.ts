import { isAnonymous, type Operation, operations, operatorPermission } from '@signpost/contract';
import fc from 'fast-check';
import type { Mode } from '../../../apps/server/src/kernel/caller.ts';
import { formatId } from '../../../apps/server/src/kernel/ids.ts';
import type { CallOptions, Reply, TestApi } from './api.ts';
import { validValue } from './openapi/arbitraries.ts';
import { signUp } from './people.ts';
import { solidPng } from './solid-png.ts';

/** An account in one mode, isolated from all others: none of them can see or change its data. */
export type Tenant = {
  readonly name: string;
  readonly key: string;
  readonly ids: Map<string, string[]>;
  /** For access by a session instead of a key: the prefix of the path, and the headers. */
  readonly session?: { readonly prefix: string; readonly headers: Readonly<Record<string, string>> };
};

export type Call = (options: CallOptions) => Promise<Reply>;

export async function createTenants(api: TestApi, plan?: string): Promise<readonly Tenant[]> {
  const accounts = [await api.account(plan), await api.account(plan)];
  return accounts.flatMap((account, index) =>
    (['live', 'test'] as const satisfies readonly Mode[]).map(mode => ({
      name: `account ${index} ${mode}`,
      key: account[mode],
      ids: new Map(),
    })),
  );
}

/** An account whose operator key manages another one, whose id it has. */
export async function createPlatform(api: Pick<TestApi, 'account' | 'admin' | 'call'>): Promise<Tenant> {
  const { id } = await api.account();
  const [key = ''] = /sk_live_\w+/.exec(await api.admin('create-key', '--operator', formatId('acct', id)))!;
  const { body } = await api.call({ method: 'POST', url: '/v1/accounts', key, body: { name: 'Tenant' } });
  return { name: 'platform', key, ids: new Map([['accounts', [body.id]]]) };
}

/** The same, accessed through the sessions of two people. */
export async function createSessionTenants(api: TestApi): Promise<readonly Tenant[]> {
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

/** One person in two accounts, in both modes: each of the four is a tenant of its own, by the same session. */
export async function createTenantsOfOnePerson(api: TestApi): Promise<readonly Tenant[]> {
  const person = await signUp(api);
  const body = { name: 'The second account' };
  await person.call({ method: 'POST', url: '/account/accounts', body });
  const { accounts } = (await person.call({ url: '/account/me' })).body;
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return (accounts as readonly { id: string }[]).flatMap(({ id }, index) =>
    (['live', 'test'] as const satisfies readonly Mode[]).map(mode => ({
      name: `account ${index} ${mode}`,
      key: '',
      ids: new Map(),
      session: {
        prefix: '/account',
        headers: {
          cookie,
          origin: new URL(api.config.publicUrl).origin,
          'x-signpost-mode': mode,
          'x-signpost-account': id,
        },
      },
    })),
  );
}

/** Without those of operator keys, which are refused to every tenant: `accounts-api.it.ts` has them. */
export const allOperations: readonly Operation[] = Object.values<Operation>(operations).filter(
  ({ permission }) => permission !== operatorPermission,
);

/** Operations on what callers name themselves: whatever the name, it is their own. */
export const byNameOperations = allOperations.filter(
  ({ id, path }) => path.includes('{name}') || id === 'upsertQrCode',
);

/** The operations on one resource by its id. */
export const byIdOperations = allOperations.filter(
  one => one.path.includes('{id}') && !byNameOperations.includes(one),
);

/** The operations that list a tenant's resources without an id. */
export const overviews = allOperations.filter(
  one => one.method === 'GET' && !one.path.includes('{') && !isAnonymous(one),
);

/** The collection of the id in an operation's path: the segment before it. */
export const collectionOf = ({ path }: Operation) => path.split('/{id}')[0]!.split('/').at(-1)!;

/** The operation that creates resources of this collection. */
export function creatorOf(collection: string): Operation {
  const found =
    collection === 'deliveries'
      ? operations.testWebhook
      : allOperations.find(one => one.method === 'POST' && one.path.endsWith(`/${collection}`));
  if (!found) throw new Error(`No operation creates ${collection}: add to creatorOf where they come from`);
  return found;
}

/** A valid request of an operation, except for the id in its path. */
export type RequestParts = {
  readonly operation: Operation;
  readonly query: string;
  readonly body: unknown;
};

/** A picture of one colour. */
const picture = fc
  .integer({ min: 0, max: 0xffffff })
  .map(color => ({ image: Buffer.from(solidPng(64, color)).toString('base64') }));

export function requestArbitrary(operation: Operation): fc.Arbitrary<RequestParts> {
  const value = (schema: object | undefined) =>
    schema ? validValue(schema, one => one) : fc.constant(undefined);
  // Of pictures hardly any bytes that match a schema are valid, and of share links hardly any periods.
  const bodies =
    operation.id === 'createAsset'
      ? picture
      : value(operation.body)
          .map(withoutReferences)
          .map(body =>
            operation.body && operation.tag === shareLinks ? withoutPeriod(body as object) : body,
          );
  return fc.tuple(value(operation.query).map(withoutReferences), bodies).map(([query, body]) => ({
    operation,
    query: query
      ? `?${new URLSearchParams(
          Object.entries(query).flatMap(([k, v]) =>
            [v].flat().map((one): [string, string] => [k, String(one)]),
          ),
        )}`
      : '',
    body,
  }));
}

const shareLinks = operations.createShareLink.tag;

const withoutPeriod = (body: { readonly title?: unknown; readonly days?: unknown }) => ({
  ...(body.title === undefined ? {} : { title: body.title }),
  ...(body.days === undefined ? {} : { days: body.days }),
});

/** Of random rules, and of ids of designs and logos, hardly any are valid. */
function withoutReferences(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const {
    rules: _,
    append_query: __,
    design_id: ___,
    design: _____,
    placement: ______,
    ...others
  } = body as Record<string, unknown>;
  const { style, ...rest } = others;
  const { logo: ____, ...look } = (style ?? {}) as Record<string, unknown>;
  return { ...rest, ...(style === undefined ? {} : { style: look }) };
}

export const placementKey = 'door';

/** A placement on a code, by the key that `send` asks for. */
export const addPlacement = (call: Call, tenant: Tenant, id: string) =>
  send(
    call,
    tenant,
    { operation: operations.createPlacement, query: '', body: { key: placementKey, name: 'Door' } },
    id,
  );

export function send(
  call: Call,
  tenant: Tenant,
  { operation, query, body }: RequestParts,
  id = '',
  headers = {},
) {
  return call({
    method: operation.method,
    url:
      prefixOf(tenant, operation) + operation.path.replace('{id}', id).replace('{key}', placementKey) + query,
    ...(tenant.session ? {} : { key: tenant.key }),
    headers: { ...tenant.session?.headers, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const prefixOf = ({ session }: Tenant, { path }: Operation) =>
  session && path.startsWith('/v1/') ? session.prefix : '';

/** Creates one resource of a collection. Tries several bodies, because the server refuses some that the schema allows. */
export async function create(call: Call, tenant: Tenant, collection: string, seed: number): Promise<string> {
  const creator = creatorOf(collection);
  // A delivery is created by sending a test to a webhook.
  const parentId = creator.path.includes('{id}')
    ? await create(call, { ...tenant, ids: new Map() }, collectionOf(creator), seed)
    : '';
  for (const request of fc.sample(requestArbitrary(creator), { seed, numRuns: 300 })) {
    // Most operations refuse a disabled webhook.
    if ((request.body as { enabled?: boolean } | undefined)?.enabled === false) continue;
    const { status, body } = await send(call, tenant, request, parentId);
    if (status !== creator.success.status) continue;
    tenant.ids.set(collection, [...(tenant.ids.get(collection) ?? []), body.id]);
    return body.id;
  }
  throw new Error(`${creator.id} created nothing`);
}

/** The parts of a response that must not depend on other tenants. */
export function comparable({ status, headers, text }: Reply): string {
  const { date: _date, 'x-request-id': requestId = '', ...rest } = headers;
  const kept = Object.entries(rest).filter(([name]) => !name.startsWith('x-ratelimit-'));
  const body = text.replaceAll(requestId, '<request id>');
  return JSON.stringify({ status, headers: kept.sort(([a], [b]) => (a < b ? -1 : 1)), body });
}
