import { accountOperations, isAnonymous, type Operation, operations } from '@signpost/contract';
import { createTestApi, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { dashboardEnv, goodPassword } from '@signpost/testing/people.ts';
import { scanOf } from '@signpost/testing/scan-ledger.ts';
import { storeScans } from '@signpost/testing/store-scans.ts';
import type { Call, RequestParts, Tenant } from '@signpost/testing/tenants.ts';
import * as tenants from '@signpost/testing/tenants.ts';
import { openTestStore, type TestStore } from '@signpost/testing/test-store.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../apps/server/src/kernel/caller.ts';
import { parseId } from '../apps/server/src/kernel/ids.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

const seed = 20_260_101;
const narrowQuota = 4;
const narrowRate = 10_000;

let store: TestStore;
let api: TestApi;
let allTenants: readonly Tenant[];
/** Ids that each tenant had once, and has no more. */
const deleted = new Map<Tenant, Map<string, string[]>>();

const collections = [...new Set(tenants.byIdOperations.map(tenants.collectionOf))];

beforeAll(async () => {
  store = await openTestStore();
  api = await createTestApi({
    ...dashboardEnv,
    ...roomyWebhooks,
    DEFAULT_PLAN: roomyPlan,
    ...store.env,
  });
  await api.api.db.query(
    sql(
      'add-narrow-plan',
      `insert into plans (name, requests_per_minute, code_quota, quota_scope, webhooks)
       values ('narrow', ${narrowRate}, ${narrowQuota}, 'pool', true)`,
    ),
  );
  allTenants = await tenants.createTenants(api);
  await fill(allTenants, seed);
}, 120_000);
afterAll(async () => {
  await api.close();
  await store.close();
});

/** Four of everything for each, of which the newest is deleted. */
async function fill(some: readonly Tenant[], firstSeed: number): Promise<void> {
  for (const [index, tenant] of some.entries()) {
    for (const collection of collections) {
      for (let n = 0; n < 4; n++)
        await tenants.create(api.call, tenant, collection, firstSeed + 10 * index + n);
      await deleteNewest(tenant, collection);
    }
  }
}

/** Deletes the newest of a tenant, where the contract has a way to. */
async function deleteNewest(tenant: Tenant, collection: string): Promise<void> {
  const remover = tenants.byIdOperations.find(
    one => one.method === 'DELETE' && tenants.collectionOf(one) === collection && one.path.endsWith('{id}'),
  );
  const id = tenant.ids.get(collection)?.at(-1);
  if (!remover || !id) return;
  await tenants.send(api.call, tenant, { operation: remover, query: '', body: undefined }, id);
  tenant.ids.set(collection, tenant.ids.get(collection)!.slice(0, -1));
  deleted.set(tenant, new Map(deleted.get(tenant)).set(collection, [id]));
}

/** Ids of the right form that no tenant ever had. */
const never = (like: string, n: number) => `${like.slice(0, -6)}${(n % 900_000) + 100_000}`;

type Probe = {
  readonly caller: number;
  readonly owner: number;
  readonly pick: number;
  readonly gone: boolean;
};

const probe: fc.Arbitrary<Probe> = fc.record({
  caller: fc.nat({ max: 3 }),
  owner: fc.nat({ max: 3 }),
  pick: fc.nat({ max: 1000 }),
  gone: fc.boolean(),
});

/** A foreign or deleted id, or null where the probe chose one of the caller's own. */
function foreignId(
  { caller, owner, pick, gone }: Probe,
  collection: string,
  owners: readonly Tenant[],
): string | null {
  const tenant = owners[owner]!;
  const ids = (gone ? deleted.get(tenant)?.get(collection) : tenant.ids.get(collection)) ?? [];
  return caller === owner && !gone ? null : (ids[pick % ids.length] ?? null);
}

/**
 * Whether a foreign id answers as one that never was. `leaky` stands in for `call` on the foreign id only;
 * `seen` counts the answers by status.
 */
function foreignIsUnknown(
  operation: RequestParts['operation'],
  leaky: Call = api.call,
  seen = new Map<number, number>(),
  callers: readonly Tenant[] = allTenants,
) {
  const collection = tenants.collectionOf(operation);
  return fc.asyncProperty(tenants.requestArbitrary(operation), probe, async (request, chosen) => {
    const id = foreignId(chosen, collection, callers);
    fc.pre(id !== null);
    const caller = callers[chosen.caller]!;
    const foreign = await tenants.send(leaky, caller, request, id!);
    const unknown = await tenants.send(api.call, caller, request, never(id!, chosen.pick));
    expect(tenants.comparable(foreign)).toBe(tenants.comparable(unknown));
    expect(foreign.status).toBeGreaterThanOrEqual(400);
    seen.set(foreign.status, (seen.get(foreign.status) ?? 0) + 1);
  });
}

describe('the operations of the contract', () => {
  test('have no parameter in their path that these tests do not know', () => {
    const strange = tenants.allOperations.filter(
      one =>
        (/\{(?!id\}|key\})/.test(one.path) || one.path.split('{id}').length > 2) &&
        !tenants.byNameOperations.includes(one),
    );
    expect(tenants.byNameOperations.map(({ id }) => id)).toEqual(['upsertQrCode', 'updateTag', 'deleteTag']);
    expect(strange.map(({ id }) => id)).toEqual([]);
  });

  test('that speak of an id speak of something that can be made', () => {
    expect(collections).toContain('qrcodes');
    for (const collection of collections) expect(tenants.creatorOf(collection)).toBeDefined();
  });
});

describe.each(tenants.byIdOperations.map(operation => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    const runs = Math.ceil(ciScale(5000, 300) / tenants.byIdOperations.length);

    test('a foreign or deleted id answers byte for byte as one that never was', async () => {
      const before = await sights(api.call, allTenants);
      const seen = new Map<number, number>();
      await fc.assert(foreignIsUnknown(operation, api.call, seen), { seed, numRuns: runs });
      // Some bodies are refused before anybody looks for the id.
      expect(seen.get(404)).toBeGreaterThan(runs / 3);
      // None of these thousands of attempts has changed anything.
      expect(await sights(api.call, allTenants)).toEqual(before);
    });

    test('the caller’s own id is answered', async () => {
      const own = { ...allTenants[0]!, ids: new Map() };
      const make = async () => {
        const id = await tenants.create(api.call, own, tenants.collectionOf(operation), seed);
        if (operation.path.includes('{key}')) await tenants.addPlacement(api.call, own, id);
        return id;
      };
      let id = await make();
      const plainest = operation.method === 'GET' ? [{ operation, query: '', body: undefined }] : [];
      const requests = fc.sample(tenants.requestArbitrary(operation), { seed, numRuns: 50 });
      for (const request of [...requests, ...plainest]) {
        if (operation.method !== 'GET') id = await make();
        const { status } = await tenants.send(api.call, own, request, id);
        if (status === operation.success.status) return;
      }
      expect.fail('none of 50 right requests succeeded');
    });

    test('a planted breach is found: a server that mistakes the owner for the caller', async () => {
      const ownerOf = (url: string) =>
        allTenants.find(tenant => [...tenant.ids.values()].flat().some(id => url.includes(id)));
      const swapped: Call = async options => {
        const owner = ownerOf(options.url);
        // A DELETE that worked would leave nothing to find the next time.
        const method = options.method === 'DELETE' ? 'GET' : (options.method ?? 'GET');
        return await api.call(owner ? { ...options, method, key: owner.key } : options);
      };
      const outcome = await fc.check(foreignIsUnknown(operation, swapped), { seed, numRuns: 200 });
      expect(outcome.failed).toBe(true);
    });

    test('a planted breach is found: one more header on what exists elsewhere', async () => {
      const chatty: Call = async options => {
        const reply = await api.call(options);
        return { ...reply, headers: { ...reply.headers, etag: '"1"' } };
      };
      const outcome = await fc.check(foreignIsUnknown(operation, chatty), { seed, numRuns: 50 });
      expect(outcome.failed).toBe(true);
    });
  },
);

describe('a person in two accounts', () => {
  const cases = ciScale(5000, 300);

  test(`sees and changes nothing of one account from the other: ${cases} cases`, async () => {
    const own = await tenants.createTenantsOfOnePerson(api);
    await fill(own, seed + 1000);
    const before = await sights(api.call, own);
    const seen = new Map<number, number>();
    const numRuns = Math.ceil(cases / tenants.byIdOperations.length);
    for (const operation of tenants.byIdOperations)
      await fc.assert(foreignIsUnknown(operation, api.call, seen, own), { seed, numRuns });
    expect(seen.get(404)).toBeGreaterThan(cases / 3);
    expect(await sights(api.call, own)).toEqual(before);
  }, 600_000);

  test('a planted breach is found: a server that forgets which account was named', async () => {
    const own = await tenants.createTenantsOfOnePerson(api);
    await fill(own, seed + 2000);
    const ownerOf = (url: string) =>
      own.find(({ ids }) => [...ids.values()].flat().some(id => url.includes(id)));
    const forgetful: Call = options => {
      const headers = ownerOf(options.url)?.session?.headers ?? options.headers ?? {};
      return api.call({ ...options, method: 'GET', headers });
    };
    const outcome = await fc.check(foreignIsUnknown(operations.getQrCode, forgetful, new Map(), own), {
      seed,
      numRuns: 50,
    });
    expect(outcome.failed).toBe(true);
  });
});

/** Analytics show scans, which no call makes; each tenant's are looked at by themselves below. */
const showsCodes = (operation: RequestParts['operation']) => operation.tag !== 'Analytics';

/** All that a tenant can see of itself: every overview, and everything that it knows the id of. */
async function sight(call: Call, tenant: Tenant): Promise<string[]> {
  const readers = tenants.byIdOperations.filter(one => one.method === 'GET' && showsCodes(one));
  const plain = (operation: RequestParts['operation']) => ({
    operation,
    query: operation.id === 'listWebhookDeliveries' ? '?status=pending' : '',
    body: undefined,
  });
  const replies = [
    ...tenants.overviews.filter(showsCodes).map(one => tenants.send(call, tenant, plain(one))),
    ...readers.flatMap(one =>
      (tenant.ids.get(tenants.collectionOf(one)) ?? []).map(id => tenants.send(call, tenant, plain(one), id)),
    ),
  ];
  return (await Promise.all(replies)).map(tenants.comparable);
}

const sights = (call: Call, some: readonly Tenant[]) => Promise.all(some.map(tenant => sight(call, tenant)));

type Act = { readonly request: RequestParts; readonly chosen: Probe; readonly key: number | null };

const act: fc.Arbitrary<Act> = fc.record({
  request: fc.oneof(
    ...tenants.allOperations
      .filter(one => !isAnonymous(one) && showsCodes(one))
      .map(tenants.requestArbitrary),
  ),
  chosen: probe,
  key: fc.option(fc.nat({ max: 5 })),
});

/** What one tenant does, with its own ids and with others', is seen by no other tenant. */
function nobodyElseSees(call: Call) {
  return fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 6 }), async acts => {
    for (const { request, chosen, key } of acts) {
      const caller = allTenants[chosen.caller]!;
      const others = allTenants.filter(tenant => tenant !== caller);
      const collection = request.operation.path.includes('{id}')
        ? tenants.collectionOf(request.operation)
        : '';
      const ids = allTenants[chosen.owner]!.ids.get(collection) ?? [];
      // Things of the first kind are kept: only fresh ones may be deleted.
      const id =
        chosen.owner === chosen.caller && collection !== ''
          ? await tenants.create(api.call, { ...caller, ids: new Map() }, collection, chosen.pick)
          : (ids[chosen.pick % ids.length] ?? '');
      const before = await sights(api.call, others);
      await tenants.send(
        call,
        caller,
        request,
        id,
        key === null ? {} : { 'idempotency-key': `shared ${key}` },
      );
      expect(await sights(api.call, others)).toEqual(before);
    }
  });
}

describe('what one tenant does', () => {
  test('is seen by no other', async () => {
    await fc.assert(nobodyElseSees(api.call), { seed, numRuns: ciScale(40, 6) });
  }, 180_000);

  test('would be found out if it were', async () => {
    const spilling: Call = async options => {
      const key = allTenants.find(tenant => tenant.key !== options.key)!.key;
      return await api.call({ ...options, key });
    };
    const outcome = await fc.check(nobodyElseSees(spilling), { seed, numRuns: 30, endOnFailure: true });
    expect(outcome.failed).toBe(true);
  });
});

describe('analytics', () => {
  const readers = tenants.allOperations.filter(one => one.tag === 'Analytics');

  /** Everything that analytics tell a tenant, of a code and of all; or only of scans that have certain values. */
  async function told(tenant: Tenant, id: string, query = ''): Promise<string[]> {
    const texts: string[] = [];
    // One after the other: an account may only run a few queries at a time.
    for (const operation of readers)
      texts.push((await tenants.send(api.call, tenant, { operation, query, body: undefined }, id)).text);
    return texts;
  }

  const takesCity = ({ query }: Operation) => 'city' in (query?.properties ?? {});
  const inCityOf = (tenant: Tenant) => `?${new URLSearchParams({ city: cityOf(tenant) })}`;
  const cityOf = ({ name }: Tenant) => `City of ${name}`;

  test('tell each tenant of its own scans and of no others', async () => {
    const fresh = await tenants.createTenants(api);
    const ids = await Promise.all(
      fresh.map(tenant => tenants.create(api.call, { ...tenant, ids: new Map() }, 'qrcodes', seed)),
    );
    const before = await Promise.all(fresh.map((tenant, n) => told(tenant, ids[n]!)));
    for (const [index, tenant] of fresh.entries()) {
      const id = parseId('qr', ids[index]!)!;
      const [owner] = await api.api.db.query<{ account_id: string; mode: Mode }>(ownerOf, [id]);
      const { account_id: accountId, mode } = owner!;
      // The same visitors everywhere, so that a bitmap without an owner would show.
      const scans = Array.from({ length: 3 + index }, (_, n) =>
        scanOf({ id, accountId }, n, { mode, city: cityOf(tenant), atMs: Date.now() - 60_000 }),
      );
      await storeScans(api, store.rows(api.api.db), scans);
      const after = await Promise.all(fresh.map((one, n) => told(one, ids[n]!)));
      expect(after.map((texts, n) => (texts.join() === before[n]!.join() ? 0 : 1))).toEqual(
        fresh.map((_, n) => (n === index ? 1 : 0)),
      );
      const foreign = fresh.filter(other => other !== tenant);
      for (const other of foreign) expect(after[index]!.join()).not.toContain(cityOf(other));
      expect(JSON.parse(after[index]![0]!).summary).toMatchObject({
        total_scans: scans.length,
        unique_visitors: scans.length,
      });
      // Asked for by its values, a foreign scan is as unknown as one that nobody made.
      const owned = await told(tenant, ids[index]!, inCityOf(tenant));
      const unmade = await told(tenant, ids[index]!, '?city=Nowhere');
      expect(owned.filter((text, n) => takesCity(readers[n]!) && text === unmade[n])).toEqual([]);
      for (const [n, other] of fresh.entries())
        if (other !== tenant)
          expect(await told(other, ids[n]!, inCityOf(tenant))).toEqual(
            await told(other, ids[n]!, '?city=Nowhere'),
          );
      before[index] = after[index]!;
    }
  });
});

const ownerOf = sql('test-owner-of', 'select account_id, mode from qr_codes where id = $1');

/** One step of a life with little room: a create, perhaps a repeat, or a delete. */
type Step = {
  readonly tenant: number;
  readonly key: number | null;
  readonly name: string;
  readonly remove: boolean;
};

const step: fc.Arbitrary<Step> = fc.record({
  tenant: fc.nat({ max: 3 }),
  key: fc.option(fc.nat({ max: 2 })),
  name: fc.constantFrom('a', 'b'),
  remove: fc.boolean(),
});

/** What a tenant must answer, worked out from its own past alone. */
type Past = { calls: number; codes: string[]; readonly answers: Map<number, { name: string; text: string }> };

/** Every tenant answers as if it were alone: places in the plan, idempotency keys and rate windows are its own. */
function livesAlone(call: Call) {
  return fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async steps => {
    const fresh = await tenants.createTenants(api, 'narrow');
    const pasts = fresh.map((): Past => ({ calls: 0, codes: [], answers: new Map() }));
    for (const { tenant, key, name, remove } of steps) {
      const past = pasts[tenant]!;
      const id = past.codes[0];
      if (remove && id) {
        const reply = await call({
          method: 'DELETE',
          url: `/v1/qrcodes/${id}`,
          key: fresh[tenant]!.key,
        });
        expect(reply.status).toBe(200);
        past.codes = past.codes.slice(1);
        expect(Number(reply.headers['x-ratelimit-remaining'])).toBe(narrowRate - ++past.calls);
        continue;
      }
      const reply = await call({
        method: 'POST',
        url: '/v1/qrcodes',
        key: fresh[tenant]!.key,
        body: { name, destination_url: 'https://example.com' },
        headers: key === null ? {} : { 'idempotency-key': `shared ${key}` },
      });
      expect(Number(reply.headers['x-ratelimit-remaining'])).toBe(narrowRate - ++past.calls);
      const first = key === null ? undefined : past.answers.get(key);
      if (first) {
        expect(reply.status === 422).toBe(first.name !== name);
        if (first.name === name) expect(reply.text).toBe(first.text);
        continue;
      }
      const isFull = tenant % 2 === 0 && past.codes.length >= narrowQuota;
      expect(reply.headers).not.toHaveProperty('idempotent-replayed');
      expect(reply.status).toBe(isFull ? 403 : 201);
      if (isFull) expect(reply.body.error).toMatchObject({ limit: narrowQuota, used: narrowQuota });
      else past.codes.push(reply.body.id);
      if (key !== null) past.answers.set(key, { name, text: reply.text });
    }
    const ids = pasts.flatMap(({ codes }) => codes);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, { codes }] of pasts.entries()) {
      const { body } = await call({ url: '/v1/qrcodes?limit=100', key: fresh[index]!.key });
      expect(body.data.map((code: { id: string }) => code.id)).toEqual(codes.toReversed());
      expect(body.pagination.total).toBe(codes.length);
    }
  });
}

describe('places, idempotency keys and rate windows', () => {
  test('are each tenant’s own', async () => {
    await fc.assert(livesAlone(api.call), { seed, numRuns: ciScale(30, 6) });
  });

  test('would be found out if two tenants shared them', async () => {
    const heard = new Map<string, string>();
    // Every second key is taken for the one before it, as if a mode or an account had been forgotten.
    const forgetful: Call = async options => {
      const key = options.key ?? '';
      if (!heard.has(key)) heard.set(key, heard.size % 2 === 0 ? key : [...heard.keys()].at(-1)!);
      return await api.call({ ...options, key: heard.get(key)! });
    };
    const outcome = await fc.check(livesAlone(forgetful), { seed, numRuns: 5, endOnFailure: true });
    expect(outcome.failed).toBe(true);
  });
});

/** One step of a life with few names: a create under one of them, or the deletion of what has it. */
type Naming = { readonly tenant: number; readonly name: string; readonly remove: boolean };

const naming: fc.Arbitrary<Naming> = fc.record({
  tenant: fc.nat({ max: 3 }),
  name: fc.constantFrom('a', 'B', 'c'),
  remove: fc.boolean(),
});

/** What a name answers in test mode follows from that account's past alone; in live mode from that of all live codes. */
function namesAreOwn(call: Call) {
  let run = 0;
  return fc.asyncProperty(fc.array(naming, { minLength: 20, maxLength: 40 }), async steps => {
    const fresh = await tenants.createTenants(api);
    const prefix = `name-${Date.now().toString(36)}-${run++}-`;
    const isTest = (tenant: number) => tenant % 2 === 1;
    const existing = fresh.map(() => new Map<string, string>());
    const everLive = new Set<string>();
    const urls = new Map<string, number>();
    for (const { tenant, name, remove } of steps) {
      const { key } = fresh[tenant]!;
      const folded = name.toLowerCase();
      const id = existing[tenant]!.get(folded);
      if (remove) {
        if (id) expect((await call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key })).status).toBe(200);
        existing[tenant]!.delete(folded);
        continue;
      }
      const body = { name: 'x', destination_url: 'https://example.com', short_code: prefix + name };
      const reply = await call({ method: 'POST', url: '/v1/qrcodes', key, body });
      const isTaken = isTest(tenant) ? id !== undefined : everLive.has(folded);
      expect(reply.status).toBe(isTaken ? 409 : 201);
      if (isTaken) {
        expect(reply.body.error.code).toBe('short_code_taken');
        continue;
      }
      existing[tenant]!.set(folded, reply.body.id);
      if (!isTest(tenant)) everLive.add(folded);
      const url = reply.body.short_url.toLowerCase();
      expect(urls.get(url) ?? tenant).toBe(tenant);
      urls.set(url, tenant);
    }
  });
}

describe('tags and external ids', () => {
  test('are each tenant’s own: those of others answer as ones that never were, and nobody else’s change', async () => {
    const fresh = await tenants.createTenants(api, roomyPlan);
    const send = (key: string, method: 'GET' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object) =>
      api.call({ method, url, key, ...(body ? { body } : {}) });
    const code = { name: 'x', destination_url: 'https://example.com' };
    for (const [n, { key }] of fresh.entries())
      await send(key, 'PUT', `/v1/qrcodes/ext:own-${n}`, { ...code, tags: [`tag-${n}`] });
    const sightOf = async ({ key }: Tenant) =>
      Promise.all(
        ['/v1/tags', '/v1/qrcodes?include=tags,external_id', '/v1/account'].map(
          async url => (await send(key, 'GET', url)).text,
        ),
      );
    const requests = [
      ['GET', '/v1/qrcodes/ext:own-N'],
      ['PATCH', '/v1/qrcodes/ext:own-N', { name: 'y' }],
      ['DELETE', '/v1/qrcodes/ext:own-N'],
      ['GET', '/v1/qrcodes/ext:own-N/analytics'],
      ['GET', '/v1/qrcodes/ext:own-N/download'],
      ['PATCH', '/v1/tags/tag-N', { name: 'z' }],
      ['DELETE', '/v1/tags/tag-N'],
      ['GET', '/v1/qrcodes?tag=tag-N'],
      ['GET', '/v1/qrcodes?external_id=own-N'],
      ['GET', '/v1/qrcodes?search=own-N'],
      ['GET', '/v1/analytics/aggregate?tag=tag-N'],
    ] as const;
    const before = await Promise.all(fresh.map(sightOf));
    for (const [c, caller] of fresh.entries()) {
      for (const [o] of fresh.entries()) {
        if (c === o) continue;
        for (const [method, url, body] of requests) {
          const ask = (n: string) => send(caller.key, method, url.replace('N', n), body);
          expect([url, tenants.comparable(await ask(String(o)))]).toEqual([
            url,
            tenants.comparable(await ask('none')),
          ]);
        }
      }
    }
    expect(await Promise.all(fresh.map(sightOf))).toEqual(before);
    // The same names are free for everybody, and what is made under them is the maker's own.
    const [first, second] = [fresh[0]!, fresh[1]!];
    expect(
      (await send(second.key, 'PUT', '/v1/qrcodes/ext:own-0', { ...code, tags: ['TAG-0'] })).status,
    ).toBe(201);
    expect(await sightOf(first)).toEqual(before[0]);
  });
});

describe('names', () => {
  test('of test codes are each account’s own, and those of live codes are all live codes’', async () => {
    await fc.assert(namesAreOwn(api.call), { seed, numRuns: ciScale(20, 5) });
  });

  test('would be found out if two accounts shared those of their test codes', async () => {
    const heard = new Map<string, string>();
    // The test key of the second account is taken for that of the first.
    const forgetful: Call = async options => {
      const key = options.key ?? '';
      if (key.startsWith('sk_test_') && !heard.has(key))
        heard.set(key, heard.size % 2 === 0 ? key : [...heard.keys()].at(-1)!);
      return await api.call({ ...options, key: heard.get(key) ?? key });
    };
    const outcome = await fc.check(namesAreOwn(forgetful), { seed, numRuns: 20, endOnFailure: true });
    expect(outcome.failed).toBe(true);
  });
});

describe('by session', () => {
  let people: readonly Tenant[];
  const sameAccount = (one: Tenant, other: Tenant) => one.name.split(' ')[1] === other.name.split(' ')[1];
  /** Keys, people and sessions belong to both modes; everything else to one. */
  const isOfBothModes = ({ path }: Operation) =>
    /^\/(account\/(keys|members|invitations)|auth\/sessions)/.test(path);
  const own = Object.values<Operation>(accountOperations);
  const isForOperators = ({ path }: Operation) => path.startsWith('/account/operator/');
  const byId = [
    ...tenants.byIdOperations,
    ...own.filter(one => one.path.includes('{id}') && !isForOperators(one)),
  ];
  const overviewsOfPeople = own.filter(
    one => one.method === 'GET' && !one.path.includes('{') && !isAnonymous(one) && !isForOperators(one),
  );
  const plain = (operation: Operation) => ({ operation, query: '', body: undefined });

  beforeAll(async () => {
    people = await tenants.createSessionTenants(api);
    for (const [index, tenant] of people.entries()) {
      for (const collection of collections) {
        for (let n = 0; n < 2; n++)
          await tenants.create(api.call, tenant, collection, seed + 100 * index + n);
      }
      const key = await tenants.send(api.call, tenant, {
        operation: accountOperations.createKey,
        query: '',
        body: { name: tenant.name, mode: 'live', current_password: goodPassword },
      });
      const sessions = await tenants.send(api.call, tenant, plain(accountOperations.listSessions));
      const view = await tenants.send(api.call, tenant, {
        operation: accountOperations.createView,
        query: '',
        body: { name: tenant.name, query: 'status=paused' },
      });
      const members = await tenants.send(api.call, tenant, plain(accountOperations.listMembers));
      const invitation = await tenants.send(api.call, tenant, {
        operation: accountOperations.createInvitation,
        query: '',
        body: { email: `${tenant.name.replaceAll(' ', '-')}@people.example`, role: 'viewer' },
      });
      tenant.ids.set('members', [members.body.data[0].id]);
      tenant.ids.set('invitations', [invitation.body.id]);
      tenant.ids.set('views', [view.body.id]);
      tenant.ids.set('keys', [key.body.id]);
      tenant.ids.set('sessions', [sessions.body.data[0].id]);
    }
  });

  /** Asks about everything of everybody else; what differs from an id that never was. */
  async function leaks(operation: Operation, call: Call): Promise<string[]> {
    const found: string[] = [];
    const requests = fc.sample(tenants.requestArbitrary(operation), { seed, numRuns: ciScale(4, 2) });
    for (const caller of people) {
      for (const owner of people.filter(one => one !== caller)) {
        if (isOfBothModes(operation) && sameAccount(caller, owner)) continue;
        for (const id of owner.ids.get(tenants.collectionOf(operation)) ?? []) {
          for (const request of requests) {
            const foreign = await tenants.send(call, caller, request, id);
            const unknown = await tenants.send(api.call, caller, request, never(id, 7));
            const same = tenants.comparable(foreign) === tenants.comparable(unknown) && foreign.status >= 400;
            if (!same) found.push(`${caller.name} ${operation.id} of ${owner.name}: ${foreign.text}`);
          }
        }
      }
    }
    return found;
  }

  const sightOf = async (tenant: Tenant) =>
    (
      await Promise.all(
        overviewsOfPeople
          .filter(({ id }) => id !== 'liveScans')
          .map(one => tenants.send(api.call, tenant, plain(one))),
      )
    ).map(tenants.comparable);

  test.each(byId.map(operation => [operation.id, operation] as const))(
    '%s: a foreign id answers byte for byte as one that never was, and nothing is changed',
    async (_id, operation) => {
      const before = await Promise.all(people.map(sightOf));
      expect(await leaks(operation, api.call)).toEqual([]);
      expect(await Promise.all(people.map(sightOf))).toEqual(before);
    },
  );

  test.each(own.filter(isForOperators).map(operation => [operation.id, operation] as const))(
    '%s: whoever is no operator is refused in the same words, whatever is asked',
    async (_id, operation) => {
      const requests = fc.sample(tenants.requestArbitrary(operation), { seed, numRuns: ciScale(4, 2) });
      const seen = new Set<string>();
      for (const caller of people) {
        for (const id of ['x', ...people.flatMap(({ ids }) => [...ids.values()].flat().slice(0, 2))]) {
          for (const request of requests) {
            const reply = await tenants.send(api.call, caller, request, id);
            expect(reply.status).toBe(403);
            seen.add(tenants.comparable(reply));
          }
        }
      }
      expect(seen.size).toBe(1);
    },
  );

  test('what a person sees has nothing of anybody else in it', async () => {
    for (const tenant of people) {
      const seen = (await sightOf(tenant)).join('\n');
      for (const other of people.filter(one => !sameAccount(one, tenant))) {
        for (const id of [...other.ids.values()].flat()) expect(seen).not.toContain(id);
      }
      for (const id of tenant.ids.get('keys')!) expect(seen).toContain(id);
    }
  });

  test('a key opens no path of people, and a session none of the API', async () => {
    const { key } = allTenants[0]!;
    for (const { method, path } of [...own.filter(one => !isAnonymous(one)), ...tenants.allOperations]) {
      const url = `${path.startsWith('/v1/') ? '/account' : ''}${path.replace('{id}', 'x')}`;
      if (url.endsWith('/openapi.json')) continue;
      const headers = { origin: new URL(api.config.publicUrl).origin };
      const { status } = await api.call({
        method,
        url,
        key,
        headers,
        ...(method === 'GET' ? {} : { body: {} }),
      });
      expect([url, status]).toEqual([url, 401]);
    }
    const { headers } = people[0]!.session!;
    expect((await api.call({ url: '/v1/qrcodes', headers })).status).toBe(401);
  });

  test('a planted breach is found: a server that mistakes the owner for the caller', async () => {
    const ownerOf = (url: string) =>
      people.find(one => [...one.ids.values()].flat().some(id => url.includes(id)));
    const swapped: Call = async options => {
      const owner = ownerOf(options.url);
      return await api.call({
        ...options,
        method: 'GET',
        ...(owner ? { headers: owner.session!.headers } : {}),
      });
    };
    for (const one of byId.filter(({ method }) => method === 'GET')) {
      expect(await leaks(one, swapped)).not.toEqual([]);
    }
  });
});
