import { ask } from '@signpost/testing/client.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  addresses,
  agents,
  answerOf,
  type Code,
  countBy,
  type Model,
  uniquesOf,
  type Visitor,
} from './model.ts';

/** The running service as one client sees it: a key, an API, and redirects for scans. */
export type Real = {
  readonly apiUrl: string;
  readonly edgeUrls: readonly string[];
  readonly key: string;
  /** A key of another account. */
  readonly strangersKey: string;
  /** A domain of the account that this client has to itself; null where there is none. */
  readonly domain: ClientsDomain | null;
};

export type ClientsDomain = {
  readonly host: string;
  release(): Promise<unknown>;
  bringBack(): Promise<unknown>;
};

type Command = fc.AsyncCommand<Model, Real>;

/** A step on one of the codes that the client has created so far. */
function onCode(
  name: string,
  which: number,
  run: (code: Code, real: Real, model: Model) => Promise<void>,
): Command {
  return {
    check: model => model.codes.length > 0,
    run: (model, real) => run(model.codes[which % model.codes.length]!, real, model),
    toString: () => `${name}(${which})`,
  };
}

const call = (real: Real, method: string, path: string, body?: object) =>
  ask({ method, url: `${real.apiUrl}/v1${path}`, key: real.key, ...(body ? { body } : {}) });

const create = (name: string, destination: string, draft: boolean, onDomain: boolean): Command => ({
  check: () => true,
  async run(model, real) {
    const status = draft ? 'draft' : 'active';
    const domain = (onDomain && real.domain?.host) || null;
    const body = { name, destination_url: destination, status, domain };
    const made = await call(real, 'POST', '/qrcodes', body);
    if (domain !== null && model.isReleased) {
      expect([made.status, made.body.error.param]).toEqual([400, 'domain']);
      return;
    }
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...body, total_scans: 0 });
    const { id, short_url: shortUrl } = made.body;
    model.codes.push({ id, path: new URL(shortUrl).pathname, domain, name, destination, status, scans: [] });
  },
  toString: () => `create(${JSON.stringify({ name, destination, draft, onDomain })})`,
});

/** Any edit: the response is the new state of the code. */
const patch = (which: number, change: Change): Command =>
  onCode(`patch ${JSON.stringify(change)}`, which, async (code, real) => {
    const answer = await call(real, 'PATCH', `/qrcodes/${code.id}`, change);
    if (code.status === 'deleted') return expect(answer.status).toBe(404);
    if (code.status === 'draft' && change.active === false) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_transition']);
      return;
    }
    expect(answer.status).toBe(200);
    code.name = change.name ?? code.name;
    code.destination = change.destination_url ?? code.destination;
    if (change.active !== undefined) code.status = change.active ? 'active' : 'paused';
    expect(answer.body).toMatchObject(viewOf(code));
  });

type Change = { readonly name?: string; readonly destination_url?: string; readonly active?: boolean };

const viewOf = ({ id, name, destination, status }: Code) => ({
  id,
  name,
  destination_url: destination,
  status,
  active: status === 'active',
});

const remove = (which: number): Command =>
  onCode('delete', which, async (code, real) => {
    const answer = await call(real, 'DELETE', `/qrcodes/${code.id}`);
    expect(answer.status).toBe(code.status === 'deleted' ? 404 : 200);
    code.status = 'deleted';
  });

const scan = (which: number, visitor: Visitor, edge: number, method: 'GET' | 'HEAD'): Command =>
  onCode(`${method} by ${visitor.address} on ${edge}`, which, async (code, real, model) => {
    const { status, headers } = await ask({
      method,
      url: `${real.edgeUrls[edge % real.edgeUrls.length]}${code.path.toUpperCase()}`,
      headers: {
        'user-agent': visitor.agent.text,
        'x-forwarded-for': visitor.address,
        ...(code.domain === null ? {} : { host: code.domain }),
      },
    });
    expect(status === 302 ? `302 ${headers.location}` : String(status)).toBe(answerOf(code, model));
    if (status === 302 && method === 'GET') code.scans.push(visitor);
  });

/** Releases the domain, or brings it back. */
const turnDomain: Command = {
  check: () => true,
  async run(model, real) {
    if (real.domain === null) return;
    await (model.isReleased ? real.domain.bringBack() : real.domain.release());
    model.isReleased = !model.isReleased;
  },
  toString: () => 'turnDomain',
};

const get = (which: number): Command =>
  onCode('get', which, async (code, real) => {
    const answer = await call(real, 'GET', `/qrcodes/${code.id}`);
    expect(answer.status).toBe(code.status === 'deleted' ? 404 : 200);
    if (code.status !== 'deleted') expect(answer.body).toMatchObject(viewOf(code));
  });

const peek = (which: number): Command =>
  onCode('stranger', which, async (code, real) => {
    const stranger = { ...real, key: real.strangersKey };
    for (const [method, body] of [['GET'], ['PATCH', { name: 'mine' }], ['DELETE']] as const)
      expect((await call(stranger, method, `/qrcodes/${code.id}`, body)).status).toBe(404);
  });

const analytics = (which: number): Command =>
  onCode('analytics', which, (code, real) => compareFigures(code, real));

/** Counts and analytics follow a moment after the scan; then every figure equals that of the model. */
export async function compareFigures(code: Code, real: Real): Promise<void> {
  const read = () => call(real, 'GET', `/qrcodes/${code.id}/analytics`);
  if (code.status === 'deleted') return expect((await read()).status).toBe(404);
  const { length: total } = code.scans;
  const uniques = uniquesOf(code.scans);
  const deadline = performance.now() + 60_000;
  let summary = await read();
  // The parts of a summary are read one after the other, and a scan may be stored in between.
  const isWhole = () =>
    summary.body.summary?.total_scans === total &&
    summary.body.top_countries.reduce((sum: number, { scans }: { scans: number }) => sum + scans, 0) ===
      total;
  while (!isWhole() && performance.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, 100));
    summary = await read();
  }
  expect(summary.body.summary).toMatchObject({ total_scans: total, unique_visitors: uniques });
  for (const kind of ['device', 'browser'] as const) {
    const counted = Object.entries<number>(summary.body[`${kind}s`]).filter(([, count]) => count > 0);
    expect(Object.fromEntries(counted)).toEqual(countBy(code.scans, kind));
  }
  expect(summary.body.top_countries).toEqual(total > 0 ? [{ country: 'XX', scans: total }] : []);
  const [found, series, page] = await Promise.all([
    call(real, 'GET', `/qrcodes/${code.id}`),
    call(real, 'GET', `/qrcodes/${code.id}/analytics/timeseries`),
    call(real, 'GET', `/qrcodes/${code.id}/analytics/scans?limit=500`),
  ]);
  expect(found.body).toMatchObject({ total_scans: total, unique_scans: uniques });
  const sum = series.body.data.reduce(
    (all: number, entry: { total_scans: number }) => all + entry.total_scans,
    0,
  );
  expect(sum).toBe(total);
  expect(page.body.pagination.total).toBe(total);
  expect(page.body.data.filter((one: { is_unique: boolean }) => one.is_unique)).toHaveLength(uniques);
}

const which = fc.nat(7);
const destinations = fc.webUrl({ withQueryParameters: true }).filter(url => url.length < 500);
const names = fc
  .string({ minLength: 1, maxLength: 40 })
  .filter(name => name.trim() !== '' && !/\p{Cc}/u.test(name));
const visitors = fc.record({ address: fc.constantFrom(...addresses), agent: fc.constantFrom(...agents) });
const scans = fc.tuple(
  which,
  visitors,
  fc.nat(1),
  fc.constantFrom('GET' as const, 'GET' as const, 'HEAD' as const),
);

/** The actions of a client, mostly scans. */
export const commands = (size: number) =>
  fc.commands(
    [
      fc
        .tuple(names, destinations, fc.boolean(), fc.boolean())
        .map(([name, url, draft, onDomain]) => create(name, url, draft, onDomain)),
      fc.tuple(which, destinations).map(([n, destination_url]) => patch(n, { destination_url })),
      fc.tuple(which, names).map(([n, name]) => patch(n, { name })),
      fc.tuple(which, fc.boolean()).map(([n, active]) => patch(n, { active })),
      ...Array.from({ length: 4 }, () =>
        scans.map(([n, visitor, edge, method]) => scan(n, visitor, edge, method)),
      ),
      fc.constant(turnDomain),
      which.map(remove),
      which.map(get),
      which.map(peek),
      which.map(analytics),
    ],
    { maxCommands: size, size: 'max' },
  );
