import { type ScryptOptions, scrypt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Resvg } from '@resvg/resvg-js';
import { accountOperations, type Operation, operations } from '@signpost/contract';
import type { TestAccount } from '@signpost/testing/api.ts';
import { type BareServer, promisedMs, startBareServer } from '@signpost/testing/bare-server.ts';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { startSilentNameServer } from '@signpost/testing/name-server.ts';
import { dashboardEnv, goodPassword, newEmail } from '@signpost/testing/people.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

/** The connections of the API, and the number of concurrent calls. */
const poolSize = 5;
const atOnce = 2 * poolSize;

let fixture: Fixture;
let server: TestServer;
let owner: TestAccount;
let stranger: TestAccount;
let bare: BareServer;
let names: Awaited<ReturnType<typeof startSilentNameServer>>;
let engine: Engine;
let clickhouse: EngineProxy;

beforeAll(async () => {
  const stored = await startMigratedClickHouse();
  await stored.clickhouse.close();
  engine = stored.engine;
  clickhouse = await startProxy(Number(new URL(engine.url).port));
  names = await startSilentNameServer();
  fixture = await createFixture({
    ...dashboardEnv,
    DEFAULT_PLAN: 'roomy',
    DATABASE_POOL_SIZE: String(poolSize),
    CLICKHOUSE_URL: `http://127.0.0.1:${clickhouse.port}`,
    WEBHOOK_SECRET_KEYS: Buffer.alloc(32, 'k').toString('base64'),
    WEBHOOKS_PER_ACCOUNT: '1000000',
    WEBHOOK_DNS_SERVERS: names.address,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1',
  });
  [owner, stranger] = [await fixture.account(), await fixture.account()];
  server = await fixture.server();
  bare = await startBareServer();
}, 300_000);
afterAll(async () => {
  bare.close();
  await fixture.close();
  clickhouse.close();
  await engine.stop();
  await names.close();
});

/** A valid request for an operation, a different one each time where necessary. */
type Asking = {
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** How an operation is called, and its expected response. */
type Recipe = {
  readonly ask: (webhook: string, delivery: string, codeId: string) => Asking | Promise<Asking>;
  readonly status: number;
  /** An account has a share of it: what goes beyond is refused with 429. */
  readonly isShared?: true;
  /** It resolves a name itself, and reports that no name server answered. */
  readonly looksUp?: true;
  /** How many passwords it hashes, which is slow by design. */
  readonly hashes?: number;
};

const code = () => ({ name: 'Menu', destination_url: 'https://example.com/menu' });

const byKey: Record<string, Recipe> = {
  // Neither has a permission that only operator keys have.
  createTenant: { ask: () => ({ url: '/v1/accounts', body: { name: 'Tenant' } }), status: 403 },
  createTenantKey: {
    ask: () => ({ url: '/v1/accounts/acct_x/keys', body: { name: 'Till', mode: 'live' } }),
    status: 403,
  },
  createQrCode: { ask: () => ({ url: '/v1/qrcodes', body: code() }), status: 201 },
  bulkCreateQrCodes: {
    ask: () => ({ url: '/v1/qrcodes/bulk', body: { items: Array.from({ length: 10 }, code) } }),
    status: 200,
  },
  createWebhook: {
    ask: () => ({ url: '/v1/webhooks', body: { url: 'https://hooks.silent.example/' } }),
    status: 400,
    looksUp: true,
  },
  rotateWebhookSecret: {
    ask: webhook => ({ url: `/v1/webhooks/${webhook}/rotate-secret`, body: {} }),
    status: 200,
  },
  testWebhook: { ask: webhook => ({ url: `/v1/webhooks/${webhook}/test` }), status: 200 },
  replayFailedDeliveries: {
    ask: webhook => ({ url: `/v1/webhooks/${webhook}/replay`, body: { since: '2026-01-01T00:00:00Z' } }),
    status: 200,
  },
  replayWebhookDelivery: {
    ask: (_webhook, delivery) => ({ url: `/v1/webhooks/deliveries/${delivery}/replay` }),
    status: 200,
  },
  bulkDeleteQrCodes: {
    ask: () => ({ url: '/v1/qrcodes/bulk-delete', body: { ids: [unknownCode], expected_count: 0 } }),
    status: 200,
  },
  testRules: {
    ask: (_webhook, _delivery, codeId) => ({ url: `/v1/qrcodes/${codeId}/rules/test`, body: {} }),
    status: 200,
  },
  sendTestScans: {
    ask: (_webhook, _delivery, codeId) => ({ url: '/v1/test/scans', body: { qr_id: codeId, count: 10 } }),
    status: 200,
  },
  createPlacement: {
    ask: (_webhook, _delivery, codeId) => ({
      url: `/v1/qrcodes/${codeId}/placements`,
      body: { key: `p${crypto.randomUUID().slice(0, 8)}`, name: 'Door' },
    }),
    status: 201,
  },
  bulkCreatePlacements: {
    ask: (_webhook, _delivery, codeId) => ({
      url: `/v1/qrcodes/${codeId}/placements/bulk`,
      body: { items: [{ key: `p${crypto.randomUUID().slice(0, 8)}`, name: 'Door' }] },
    }),
    status: 201,
  },
  createShareLink: { ask: () => ({ url: '/v1/share-links', body: {} }), status: 201 },
  createQrCodeShareLink: {
    ask: (_webhook, _delivery, codeId) => ({ url: `/v1/qrcodes/${codeId}/share-links`, body: {} }),
    status: 201,
  },
  createAsset: { ask: () => ({ url: '/v1/assets', body: { image: picture } }), status: 201, isShared: true },
  createDesign: {
    ask: () => ({ url: '/v1/designs', body: { name: 'Spring', style: { dotsColor: '#004d40' } } }),
    status: 201,
  },
  createSheet: {
    ask: (_webhook, _delivery, codeId) => ({
      url: '/v1/sheets',
      body: { qr_ids: [codeId], layout: 'avery-l7160' },
    }),
    status: 200,
    isShared: true,
  },
  zipImages: {
    ask: (_webhook, _delivery, codeId) => ({ url: '/v1/images/zip', body: { qr_ids: [codeId] } }),
    status: 200,
    isShared: true,
  },
};

const unknownCode = `qr_${'0'.repeat(26)}`;
const picture = new Resvg(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#004d40"/></svg>',
  { fitTo: { mode: 'width', value: 100 } },
)
  .render()
  .asPng()
  .toString('base64');

const person = (email = newEmail()) => ({ name: 'Somebody', email, password: goodPassword });

const bySession: Record<string, Recipe> = {
  signUp: { ask: () => ({ url: '/auth/sign-up', body: person() }), status: 201, hashes: 1 },
  createFirstOperator: {
    ask: () => ({ url: '/auth/first-operator', body: { token: 'unknown', ...person() } }),
    status: 403,
  },
  signIn: {
    ask: async () => {
      const { email, password } = await somebody();
      return { url: '/auth/sign-in', body: { email, password } };
    },
    status: 200,
    hashes: 1,
  },
  signOut: {
    ask: async () => ({ url: '/auth/sign-out', headers: (await newPerson()).headers }),
    status: 200,
  },
  requestReset: { ask: () => ({ url: '/auth/request-reset', body: { email: newEmail() } }), status: 200 },
  resetPassword: {
    ask: () => ({ url: '/auth/reset-password', body: { token: 'unknown', password: goodPassword } }),
    status: 400,
  },
  verifyEmail: {
    ask: async () => ({
      url: '/auth/verify-email',
      headers: (await somebody()).headers,
      body: { token: 'unknown' },
    }),
    status: 400,
  },
  sendVerification: {
    ask: async () => ({ url: '/account/verification', headers: (await somebody()).headers }),
    status: 200,
  },
  changePassword: {
    ask: async () => ({
      url: '/auth/change-password',
      headers: (await newPerson()).headers,
      body: { current_password: goodPassword, new_password: `${goodPassword} new` },
    }),
    status: 200,
    hashes: 3,
  },
  changeEmail: {
    ask: async () => ({
      url: '/account/email',
      headers: (await somebody()).headers,
      body: { email: newEmail(), current_password: goodPassword },
    }),
    // No mail is sent here.
    status: 403,
  },
  confirmEmailChange: {
    ask: async () => ({
      url: '/account/email/confirm',
      headers: (await somebody()).headers,
      body: { token: 'unknown' },
    }),
    status: 400,
  },
  closeAccount: {
    ask: async () => {
      const { email, headers } = await newPerson();
      const body = { confirmation: email, current_password: goodPassword };
      return { url: '/account/close', headers, body };
    },
    status: 200,
    hashes: 1,
  },
  createAccount: {
    ask: async () => ({
      url: '/account/accounts',
      headers: (await newPerson()).headers,
      body: { name: 'Café Blum' },
    }),
    status: 201,
  },
  leaveAccount: {
    ask: async () => ({ url: '/account/leave', headers: (await somebody()).headers }),
    // The last owner stays.
    status: 409,
  },
  createInvitation: {
    ask: async () => ({
      url: '/account/invitations',
      headers: (await newPerson()).headers,
      body: { email: newEmail(), role: 'viewer' },
    }),
    status: 201,
  },
  resendInvitation: {
    ask: async () => ({ url: '/account/invitations/inv_x/resend', headers: (await somebody()).headers }),
    status: 404,
  },
  acceptInvitation: {
    ask: async () => ({
      url: '/account/invitations/accept',
      headers: (await somebody()).headers,
      body: { token: 'unknown' },
    }),
    status: 400,
  },
  readInvitation: { ask: () => ({ url: '/auth/invitation', body: { token: 'unknown' } }), status: 400 },
  endPersonSessions: {
    ask: async () => ({
      url: '/account/operator/people/user_x/end-sessions',
      headers: (await operator()).headers,
    }),
    status: 404,
  },
  setPersonOperator: {
    ask: async () => ({
      url: '/account/operator/people/user_x/operator',
      headers: (await operator()).headers,
      body: { is_operator: true, current_password: goodPassword },
    }),
    status: 404,
  },
  sendPersonReset: {
    ask: async () => ({
      url: '/account/operator/people/user_x/reset-link',
      headers: (await operator()).headers,
      body: { current_password: goodPassword },
    }),
    status: 404,
  },
  setAccountPlan: {
    ask: async () => ({
      url: '/account/operator/accounts/acct_x/plan',
      headers: (await operator()).headers,
      body: { plan: 'pro' },
    }),
    status: 404,
  },
  revokeOtherSessions: {
    ask: async () => ({ url: '/auth/sessions/revoke-others', headers: (await somebody()).headers }),
    status: 200,
  },
  createKey: {
    ask: async () => ({
      url: '/account/keys',
      headers: (await somebody()).headers,
      body: { mode: 'live', name: 'Till', current_password: goodPassword },
    }),
    status: 201,
    hashes: 1,
  },
  appealCode: {
    ask: async () => {
      const { headers } = await somebody();
      const url = `/account/qrcodes/${await suspendedCode(headers)}/appeal`;
      return { url, headers, body: { text: 'This is a menu.' } };
    },
    status: 200,
  },
  appealAccount: {
    ask: async () => ({
      url: '/account/appeal',
      headers: (await somebody()).headers,
      body: { text: 'This is a shop.' },
    }),
    // No account here is suspended; a suspended one could not run the calls below.
    status: 404,
  },
  createSuspension: {
    ask: async () => {
      const { headers } = await operator();
      const body = { id: await newCode(headers), reason: 'Phishing' };
      return { url: '/account/operator/suspensions', headers, body };
    },
    status: 201,
  },
  releaseSuspension: {
    ask: async () => {
      const { headers } = await operator();
      const id = await newSuspension(headers, await newCode(headers));
      return { url: `/account/operator/suspensions/${id}/release`, headers };
    },
    status: 200,
  },
  answerAppeal: {
    ask: async () => {
      const { headers } = await operator();
      const id = await newSuspension(headers, await newCode(headers));
      return { url: `/account/operator/suspensions/${id}/answer`, headers, body: { text: 'It stays.' } };
    },
    // There is no appeal.
    status: 409,
  },
  closeReport: {
    ask: async () => ({ url: '/account/operator/reports/rep_x/close', headers: (await operator()).headers }),
    status: 404,
  },
  createView: {
    ask: async () => ({
      url: '/account/views',
      headers: (await somebody()).headers,
      body: { name: crypto.randomUUID(), query: 'status=paused' },
    }),
    status: 201,
  },
  blockHost: {
    ask: async () => ({
      url: '/account/operator/blocked-hosts',
      headers: (await operator()).headers,
      body: { host: `${crypto.randomUUID()}.example` },
    }),
    status: 201,
  },
};

const isForTests = (id: string) => (operations as Record<string, Operation>)[id]?.testModeOnly === true;

const posts = (all: Readonly<Record<string, Operation>>) =>
  Object.values(all).filter(({ method }) => method === 'POST');

type Answer = { readonly status: number; readonly text: string; readonly ms: number };

async function post({ url, body, headers = {} }: Asking): Promise<Answer & { cookies: string[] }> {
  const startMs = performance.now();
  const response = await fetch(server.url + url, {
    method: 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'idempotency-key': crypto.randomUUID(),
      origin: 'http://localhost:8080',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    ms: performance.now() - startMs,
    cookies: response.headers.getSetCookie(),
  };
}

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

async function newPerson() {
  const body = person();
  const { cookies } = await post({ url: '/auth/sign-up', body });
  return { ...body, headers: { cookie: cookies.map(cookie => cookie.split(';')[0]).join('; ') } };
}

/** A user who stays signed in: hashing is slow, so users sign up once. */
const people: ReturnType<typeof newPerson>[] = [];
let turn = 0;
function somebody() {
  if (people.length < atOnce) people.push(newPerson());
  return people[turn++ % atOnce]!;
}

let first: Promise<Awaited<ReturnType<typeof newPerson>>> | undefined;
/** One for all tests: an operator's address cannot be confirmed here. */
function operator() {
  first ??= newPerson().then(async person => {
    await fixture.db.query(makeOperator, [person.email]);
    return person;
  });
  return first;
}

const makeOperator = sql(
  'test-pool-operator',
  'insert into operators (user_id, created_at) select id, now() from auth_users where email = $1',
);

type Headers = Readonly<Record<string, string>>;

async function newCode(headers: Headers, prefix = '/account'): Promise<string> {
  return JSON.parse((await post({ url: `${prefix}/v1/qrcodes`, headers, body: code() })).text).id;
}

async function newSuspension(headers: Headers, codeId: string): Promise<string> {
  const body = { id: codeId, reason: 'Phishing' };
  return JSON.parse((await post({ url: '/account/operator/suspensions', headers, body })).text).id;
}

async function suspendedCode(headers: Headers): Promise<string> {
  const id = await newCode(headers);
  await newSuspension((await operator()).headers, id);
  return id;
}

/** An enabled webhook, and a delivery to it. */
async function newWebhook(prefix: string, headers: Readonly<Record<string, string>>) {
  const made = await post({ url: `${prefix}/v1/webhooks`, headers, body: { url: 'http://127.0.0.1:9/' } });
  const webhook: string = JSON.parse(made.text).id;
  const sent = await post({ url: `${prefix}/v1/webhooks/${webhook}/test`, headers });
  return { webhook, delivery: JSON.parse(sent.text).id as string };
}

/** Reads a code of another account while `work` runs, with a baseline request before each. */
async function readBeside<Value>(
  work: Promise<Value>,
): Promise<{ value: Value; worstMs: number; bareMs: number }> {
  const { text } = await post({ url: '/v1/qrcodes', headers: withKey(stranger.live), body: code() });
  const path = `${server.url}/v1/qrcodes/${JSON.parse(text).id}`;
  let [worstMs, bareMs] = [0, 0];
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    bareMs = Math.max(bareMs, await timed(bare.url, {}));
    worstMs = Math.max(worstMs, await timed(path, withKey(stranger.live)));
  }
  return { value: await done, worstMs, bareMs };
}

async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const startMs = performance.now();
  await (await fetch(url, { headers, redirect: 'manual' })).arrayBuffer();
  return performance.now() - startMs;
}

/** Hashes passwords as sign-in does, and nothing else. */
async function timeToHash(count: number): Promise<number> {
  const startMs = performance.now();
  const hash = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };
  await Promise.all(Array.from({ length: count }, () => hash(goodPassword, 'salt', 64, cost)));
  return performance.now() - startMs;
}

/** Twice as many calls as connections, all at once: their responses, and how late the slowest were. */
async function crowd(asking: () => Asking | Promise<Asking>, { looksUp, hashes = 0 }: Recipe) {
  const askings = await Promise.all(Array.from({ length: atOnce }, asking));
  const hashMs = await timeToHash(hashes * atOnce);
  const { value: answers, worstMs, bareMs } = await readBeside(Promise.all(askings.map(post)));
  const slowestMs = Math.max(...answers.map(({ ms }) => ms));
  const lateMs = Math.max(
    slowestMs - promisedMs(looksUp ? 5000 : 1000, Math.max(bareMs, hashMs)),
    worstMs - promisedMs(100, bareMs),
  );
  return { answers, lateMs, slowestMs, worstMs, bareMs };
}

/** A busy machine is late now and then; calls that wait for one another are late every time. */
const tries = 3;

async function expectNobodyToWait(asking: () => Asking | Promise<Asking>, recipe: Recipe): Promise<void> {
  const late: object[] = [];
  while (late.length < tries) {
    const { answers, lateMs, ...times } = await crowd(asking, recipe);
    const [first] = answers;
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses], first?.text).toContain(recipe.status);
    if (recipe.isShared) statuses.delete(429);
    expect([...statuses], first?.text).toEqual([recipe.status]);
    if (recipe.looksUp) {
      expect(first?.text).toContain('"invalid_url"');
      expect(first?.text).toContain('could not be looked up');
    }
    if (lateMs <= 0) return;
    late.push(times);
  }
  expect(late, 'tries in which somebody waited').toEqual([]);
}

test('every POST operation of the contract is called below', () => {
  expect(Object.keys(byKey).sort()).toEqual(
    posts(operations)
      .map(({ id }) => id)
      .sort(),
  );
  expect(Object.keys(bySession).sort()).toEqual(
    posts(accountOperations)
      .map(({ id }) => id)
      .sort(),
  );
});

test.each(Object.entries(byKey))(
  '%s with an Idempotency-Key, twice as often at once as there are connections, keeps nobody waiting',
  async (id, recipe) => {
    const headers = withKey(isForTests(id) ? owner.test : owner.live);
    const { webhook, delivery } = await newWebhook('', headers);
    const codeId = await newCode(headers, '');
    await expectNobodyToWait(
      async () => ({ ...(await recipe.ask(webhook, delivery, codeId)), headers }),
      recipe,
    );
  },
);

test.each(Object.entries(byKey))('%s by session does not delay other accounts either', async (id, recipe) => {
  const person = await newPerson();
  const headers = { ...person.headers, ...(isForTests(id) ? { 'x-signpost-mode': 'test' } : {}) };
  const { webhook, delivery } = await newWebhook('/account', headers);
  const codeId = await newCode(headers);
  await expectNobodyToWait(async () => {
    const asking = await recipe.ask(webhook, delivery, codeId);
    return { ...asking, url: `/account${asking.url}`, headers };
  }, recipe);
});

test.each(Object.entries(bySession))(
  'many concurrent calls of %s do not delay other accounts',
  async (_id, recipe) => {
    await expectNobodyToWait(() => recipe.ask('', '', ''), recipe);
  },
);

test('a ClickHouse that never answers delays only calls that need it', async () => {
  const headers = withKey(owner.live);
  clickhouse.silent = true;
  clickhouse.cut();
  try {
    const ask = () => fetch(`${server.url}/v1/analytics/aggregate`, { headers });
    const asked = Promise.allSettled(Array.from({ length: atOnce }, ask));
    const {
      value: whoWaited,
      worstMs,
      bareMs,
    } = await readBeside(Promise.race([asked.then(() => 'nobody'), pause(2000, 'those who ask it')]));
    expect(whoWaited).toBe('those who ask it');
    // They hold no connection meanwhile; other calls only wait for a busy machine.
    expect(worstMs).toBeLessThan(promisedMs(500, bareMs));
  } finally {
    clickhouse.silent = false;
    clickhouse.cut();
  }
});
