import { accountOperations, type Operation, operations, operatorPermission } from '@signpost/contract';
import { createTestApi, type Reply, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { reveal, scanLinks } from '@signpost/testing/reveal.ts';
import {
  createSubject,
  type Member,
  menu,
  newMember,
  otherRefusals,
  sendRight,
} from '@signpost/testing/right-requests.ts';
import * as tenants from '@signpost/testing/tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDomains } from '../apps/server/src/domains/service.ts';
import { createIds } from '../apps/server/src/kernel/ids.ts';

const serviceHost = 'sign.service.example';

let api: TestApi;
let operator: Browser;
let platform: tenants.Tenant;
beforeAll(async () => {
  api = await createTestApi({
    ...dashboardEnv,
    ...roomyWebhooks,
    DEFAULT_PLAN: roomyPlan,
    SHORT_BASE_URL: `https://${serviceHost}`,
    PUBLIC_URL: 'https://api.service.example',
  });
  const person = await signUp(api);
  await api.admin('set-operator', person.email, 'on', '--unconfirmed');
  operator = person;
  platform = await tenants.createPlatform(api);
});
afterAll(() => api?.close());

/** Somebody whose codes are all on a domain; without a host, on that of the service. */
type Owner = Member & {
  readonly api: TestApi;
  readonly code: { readonly id: string; readonly short_url: string };
};

let owners = 0;
let reader: Promise<Owner> | undefined;

async function newOwner(hasDomain = true): Promise<Owner> {
  const host = `go${++owners}.brand.example`;
  const call: tenants.Call = hasDomain ? options => api.call(onDomain(options, host)) : api.call;
  const own = { ...api, call };
  const member = await newMember(own);
  if (hasDomain) {
    const clock = { now: () => new Date() };
    const domains = createDomains({ ids: createIds(clock), clock, redirects: { notify: async () => {} } });
    await domains.add(api.api.db, host, member.accountId);
  }
  const body = { ...menu, tags: ['first'], external_id: 'first', note: 'First', short_code: 'first' };
  const made = await member.call({
    method: 'POST',
    url: '/account/v1/qrcodes',
    body: hasDomain ? body : menu,
  });
  expect(made.status, made.text).toBe(201);
  if (hasDomain) expect(made.body.short_url).toBe(`https://${host}/first`);
  await tenants.addPlacement(call, member.tenant, made.body.id);
  return { ...member, api: own, code: made.body };
}

/** Has every new code of a request be on the domain. */
function onDomain<Options extends { readonly method?: string; readonly body?: unknown }>(
  options: Options,
  domain: string,
): Options {
  const { method, body } = options;
  const isCode = (value: unknown) =>
    typeof value === 'object' && value !== null && 'destination_url' in value;
  const place = (value: unknown) => (isCode(value) ? { ...(value as object), domain } : value);
  if (method === 'PATCH' || typeof body !== 'object' || body === null) return options;
  const { items } = body as { items?: readonly unknown[] };
  return { ...options, body: items ? { ...body, items: items.map(place) } : place(body) };
}

/** Test codes are never on a domain: what is about them alone may name the host of the service. */
const all = Object.values<Operation>({ ...operations, ...accountOperations }).filter(
  ({ testModeOnly }) => !testModeOnly,
);
const isOperators = ({ authScheme }: Operation) => authScheme === 'operatorSession';

/** What a request without what it needs is answered: a mailed link, a mail server, or a server without an operator. */
const refusals: Readonly<Record<string, number>> = {
  ...otherRefusals,
  resetPassword: 400,
  readInvitation: 400,
  createFirstOperator: 403,
};

/** What these say is about the service and no code: its host belongs there, and nowhere else. */
const aboutService: Readonly<Record<string, (body: Reply['body']) => unknown>> = {
  getMe: withoutBases,
  updateMe: withoutBases,
  runSetupCheck: () => null,
};

function withoutBases({ service, account, ...me }: Reply['body']): unknown {
  const { short_base_url: _, ...others } = service;
  const { test_short_base_url: __, ...own } = account;
  return { ...me, service: others, account: own };
}

async function answer(owner: Owner, operation: Operation): Promise<Reply> {
  if (isOperators(operation)) return await answerOperator(owner, operation);
  if (operation.permission === operatorPermission)
    return await sendRight(owner.api, owner, operation, platform.ids.get('accounts')![0]!, {
      tenant: platform,
    });
  if (operation.id === 'getOpenApi') return await api.call({ url: operation.path });
  const signIn = { email: owner.email, password: goodPassword };
  const anonymous: Readonly<Record<string, unknown>> = {
    signUp: { name: 'New', email: `new-${owners}@people.example`, password: goodPassword },
    signIn,
    requestReset: { email: owner.email },
    resetPassword: { token: 'x'.repeat(32), new_password: goodPassword },
    readInvitation: { token: 'x'.repeat(32) },
    createFirstOperator: { ...signIn, name: 'First', token: 'x'.repeat(32) },
  };
  const body = anonymous[operation.id];
  const subject = await createSubject(owner.api, owner, operation);
  if (subject !== '') await seen(owner, subject);
  return await sendRight(owner.api, owner, operation, subject, body === undefined ? {} : { body });
}

/** Codes that an operation is about are on the domain. */
async function seen(owner: Owner, subject: string): Promise<void> {
  if (!subject.startsWith('qr_')) return;
  const { body } = await owner.call({ url: `/account/v1/qrcodes/${subject}` });
  expect(new URL(body.short_url).host).toBe(new URL(owner.code.short_url).host);
}

type OperatorCall = { readonly id?: string; readonly query?: string; readonly body?: unknown };

async function answerOperator(owner: Owner, operation: Operation): Promise<Reply> {
  const { code } = owner;
  const account = (await owner.call({ url: '/account/me' })).body.account.id;
  const post = (url: string, body: unknown) =>
    operator.call({ method: 'POST', url: `/account/operator/${url}`, body });
  const suspend = async () => (await post('suspensions', { id: code.id, reason: 'Phishing' })).body.id;
  const appeal = () =>
    owner.call({ method: 'POST', url: `/account/qrcodes/${code.id}/appeal`, body: { text: 'It is ours.' } });
  const report = async () => {
    const body = new URLSearchParams({ link: code.short_url, kind: 'phishing', text: 'Bad' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const page = await api.call({ method: 'POST', url: '/report', headers, body });
    expect(page.status, page.text).toBeLessThan(400);
    expect(page.text).not.toContain(serviceHost);
    return (await operator.call({ url: '/account/operator/reports' })).body.data[0].id;
  };
  const host = `blocked${owners}.example`;
  const requests: Readonly<Record<string, () => Promise<OperatorCall>>> = {
    findCodes: async () => ({ query: `?link=${encodeURIComponent(code.short_url)}` }),
    getOperatorAccount: async () => ({ id: account }),
    listOperatorCodes: async () => ({ id: account }),
    listSuspensions: async () => {
      await suspend();
      return {};
    },
    createSuspension: async () => ({ body: { id: code.id, reason: 'Phishing' } }),
    releaseSuspension: async () => ({ id: await suspend() }),
    answerAppeal: async () => {
      const id = await suspend();
      await appeal();
      return { id, body: { text: 'It still asks for passwords.' } };
    },
    listReports: async () => {
      await report();
      return {};
    },
    closeReport: async () => ({ id: await report() }),
    getHostReach: async () => ({ id: 'example.com' }),
    blockHost: async () => ({ body: { host } }),
    unblockHost: async () => {
      await post('blocked-hosts', { host });
      return { id: host };
    },
    endPersonSessions: async () => ({ id: await findPerson(owner) }),
    setPersonOperator: async () => ({
      id: await findPerson(owner),
      body: { is_operator: false, current_password: goodPassword },
    }),
    sendPersonReset: async () => ({ id: await findPerson(owner), body: { current_password: goodPassword } }),
    setAccountPlan: async () => ({ id: account, body: { plan: 'pro' } }),
  };
  const { id = '', query = '', body } = (await requests[operation.id]?.()) ?? {};
  return await operator.call({
    method: operation.method,
    url: operation.path.replace('{id}', encodeURIComponent(id)) + query,
    ...(body === undefined ? {} : { body }),
  });
}

async function findPerson({ email }: Owner): Promise<string> {
  const { body } = await operator.call({
    url: `/account/operator/people?search=${encodeURIComponent(email)}`,
  });
  return body.data[0].id;
}

describe('with a code on a domain, the host of the service is not in the answer of', () => {
  test.each(all)('$id', async operation => {
    reader ??= newOwner();
    // What only reads leaves its owner as it was.
    const owner = await (operation.method === 'GET' && !isOperators(operation) ? reader : newOwner());
    const reply = await answer(owner, operation);
    const { id, success, createdDescription } = operation;
    expect(reply.status, reply.text).toBe(refusals[id] ?? (createdDescription ? 201 : success.status));
    const about = aboutService[id];
    const shown = about ? JSON.stringify(about(reply.body)) : await reveal(reply);
    expect(shown.toLowerCase()).not.toContain(serviceHost);
  });
});

const files: readonly (readonly [name: string, request: (code: string) => Partial<tenants.RequestParts>])[] =
  [
    ...['png', 'svg', 'pdf'].map(
      format =>
        [
          `a code as ${format}`,
          () => ({ operation: operations.downloadQrCode, query: `?format=${format}` }),
        ] as const,
    ),
    [
      'a code of a placement',
      () => ({ operation: operations.downloadQrCode, query: `?placement=${tenants.placementKey}` }),
    ],
    [
      'a sheet',
      id => ({
        operation: operations.createSheet,
        body: { qr_ids: [id], layout: 'avery-l7160', caption: 'short_url' },
      }),
    ],
    ...['png', 'svg'].map(
      format =>
        [
          `a ZIP of ${format}`,
          (id: string) => ({ operation: operations.zipImages, body: { qr_ids: [id], format } }),
        ] as const,
    ),
  ];

/** What scanners read in a file of the owner's code. */
async function readCode(owner: Owner, request: (code: string) => Partial<tenants.RequestParts>) {
  const parts = { query: '', body: undefined, ...request(owner.code.id) } as tenants.RequestParts;
  const reply = await tenants.send(owner.api.call, owner.tenant, parts, owner.code.id);
  expect(reply.status, reply.text).toBe(200);
  return { links: await scanLinks(reply), shown: await reveal(reply) };
}

describe('printed on a domain and decoded,', () => {
  test.each(files)('%s leads to the domain', async (_, request) => {
    const owner = await newOwner();
    const { links, shown } = await readCode(owner, request);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toMatch(new RegExp(`^${owner.code.short_url}(\\.door)?$`));
    expect(shown).not.toContain(serviceHost);
  });
});

describe('a planted leak is found in', () => {
  test.each(files)('%s', async (_, request) => {
    const { shown } = await readCode(await newOwner(false), request);
    expect(shown).toContain(serviceHost);
  });

  test.each([
    'getQrCode',
    'browseQrCodes',
    'exportQrCodes',
    'listOperatorCodes',
    'findCodes',
    'createQrCode',
  ])('%s', async id => {
    const owner = await newOwner(false);
    const shown = await reveal(await answer(owner, all.find(operation => operation.id === id)!));
    expect(shown).toContain(serviceHost);
  });
});

test('pages about a code on a domain name its own host', async () => {
  const owner = await newOwner();
  const shared = await owner.call({
    method: 'POST',
    url: `/account/v1/qrcodes/${owner.code.id}/share-links`,
    body: { title: 'Figures', days: 7 },
  });
  expect(shared.status, shared.text).toBe(201);
  const pages = {
    share: await api.call({ url: new URL(shared.body.url).pathname }),
    report: await api.call({ url: `/report?link=${encodeURIComponent(owner.code.short_url)}` }),
    image: await api.call({ url: `/v1/images/${owner.code.id}/public` }),
  };
  expect(pages.report.text).toContain(owner.code.short_url);
  for (const [name, page] of Object.entries(pages)) {
    if (name !== 'image') expect(page.status, name).toBe(200);
    expect(await reveal(page), name).not.toContain(serviceHost);
  }
});
