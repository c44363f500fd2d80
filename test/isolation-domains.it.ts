import { createTestApi, roomyPlan, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { comparable } from '@signpost/testing/tenants.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../apps/server/src/kernel/ids.ts';

let api: TestApi;
let owner: TestAccount;
let stranger: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  [owner, stranger] = [await api.account(roomyPlan), await api.account(roomyPlan)];
  for (const [account, hosts] of [
    [owner, foreign],
    [stranger, ['go.stranger.example']],
  ] as const)
    for (const host of hosts) await api.admin('add-domain', host, '--account', formatId('acct', account.id));
  for (const domain of foreign) {
    const body = { ...menu, short_code: 'menu', domain };
    expect((await api.call({ method: 'POST', url: '/v1/qrcodes', key: owner.live, body })).status).toBe(201);
  }
  await api.admin('set-domain', foreign[0]!, '--root-url', 'https://secret.example/', '--default');
  await api.admin('remove-domain', foreign[1]!, '--release');
});
afterAll(() => api?.close());

/** Of the owner: one is active, and one released. As long as names that nobody has. */
const foreign = ['go1.owner.example', 'go2.owner.example'];
const nobodys = ['go1.never.example', 'go2.never.example'];
const menu = { name: 'Menu', destination_url: 'https://brand.example/menu' };

/** Everything that takes the name of a domain. */
const ways = {
  list: (domain: string) => ({ url: `/v1/qrcodes?domain=${domain}&include=domain` }),
  listByShortCode: (domain: string) => ({ url: `/v1/qrcodes?domain=${domain}&short_code=menu` }),
  search: (domain: string) => ({ url: `/v1/qrcodes?q=${domain}` }),
  exported: (domain: string) => ({ url: `/v1/qrcodes/export?format=csv&domain=${domain}` }),
  create: (domain: string) => ({ method: 'POST', url: '/v1/qrcodes', body: { ...menu, domain } }),
  createTaken: (domain: string) => ({
    method: 'POST',
    url: '/v1/qrcodes',
    body: { ...menu, short_code: 'menu', domain },
  }),
  reclaim: (domain: string) => ({
    method: 'POST',
    url: '/v1/qrcodes',
    body: { ...menu, short_code: 'menu', domain, reclaim: true },
  }),
  bulkCreate: (domain: string) => ({
    method: 'POST',
    url: '/v1/qrcodes/bulk',
    body: { items: [{ ...menu, domain }] },
  }),
  upsert: (domain: string) => ({ method: 'PUT', url: '/v1/qrcodes/ext:probe', body: { ...menu, domain } }),
  bulkEdit: (domain: string) => ({
    method: 'PATCH',
    url: '/v1/qrcodes/bulk',
    body: { filter: { domain }, set: { note: 'x' } },
  }),
} as const;

const spellings = [
  (host: string) => host,
  (host: string) => host.toUpperCase(),
  (host: string) => `${host}.`,
  (host: string) => `x.${host}`,
];

type Probe = {
  readonly way: keyof typeof ways;
  readonly spelling: number;
  readonly which: number;
  readonly mode: 'live' | 'test';
};
const probe: fc.Arbitrary<Probe> = fc.record({
  way: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
  spelling: fc.nat({ max: spellings.length - 1 }),
  which: fc.nat({ max: foreign.length - 1 }),
  mode: fc.constantFrom('live', 'test'),
});

/** Answers repeat the name that they were asked for. */
const withoutName = (text: string) => text.replaceAll(/go(\d)\.(owner|never)\.example/gi, 'go$1.x.example');

const foreignIsUnknown = (asker: () => TestAccount) =>
  fc.asyncProperty(probe, async ({ way, spelling, which, mode }) => {
    const ask = (hosts: readonly string[]) =>
      api.call({ ...ways[way](spellings[spelling]!(hosts[which]!)), key: asker()[mode] });
    const replies = [await ask(foreign), await ask(nobodys)];
    expect(replies[0]!.status).not.toBe(429);
    const answers = replies.map(reply => withoutName(comparable(reply)));
    expect(answers[0]).toBe(answers[1]);
  });

/** All that an account is told of domains without asking for one. */
async function told(account: TestAccount): Promise<string> {
  const urls = ['/v1/domains', '/v1/account', '/v1/qrcodes?include=domain,short_code', '/v1/tags'];
  const replies = await Promise.all(urls.map(url => api.call({ url, key: account.live })));
  return replies.map(comparable).join('\n');
}

describe('the domain of another account', () => {
  test('answers byte for byte as one that nobody has, however it is named and whatever is asked of it', async () => {
    const before = [await told(owner), await told(stranger)];
    await fc.assert(
      foreignIsUnknown(() => stranger),
      { numRuns: ciScale(2000, 200) },
    );
    expect([await told(owner), await told(stranger)]).toEqual(before);
    for (const text of [before[1]!])
      for (const word of ['owner.example', 'secret']) expect(text).not.toContain(word);
  });

  test('would be found out: the owner gets other answers', async () => {
    const outcome = await fc.check(
      foreignIsUnknown(() => owner),
      { numRuns: 200 },
    );
    expect(outcome.failed).toBe(true);
  });

  test('is known by its links alone to the public: its page to report one says nothing of its owner', async () => {
    const { text } = await api.call({ url: `/report?link=https://${foreign[0]}/menu` });
    expect(text).toContain(foreign[0]);
    for (const word of ['secret', formatId('acct', owner.id)]) expect(text).not.toContain(word);
  });
});
