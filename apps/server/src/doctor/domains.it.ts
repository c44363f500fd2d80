import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { checkDomains } from './domains.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ SHORT_HOSTS: 'old.sign.example' });
});
afterAll(() => api?.close());

const check = (unknown: readonly string[] = [], config: object = {}) =>
  checkDomains({
    config: { ...api.config, ...config },
    postgres: { error: null, db: api.api.db, version: '18' },
    unknownHosts: async () => unknown,
  } as never);

test('domains that redirects know as they are stored are no problem', async () => {
  expect(await check()).toEqual([{ state: 'ok', found: 'none was added' }]);
  const account = formatId('acct', (await api.account()).id as never);
  for (const host of ['go.a.example', 'go.b.example', 'go.c.example'])
    await api.admin('add-domain', host, '--account', account);
  await api.admin('set-domain', 'go.a.example', '--root-url', 'https://a.example/', '--default');
  await api.admin('set-domain', 'go.a.example', '--not-found-url', 'https://a.example/404');
  await api.admin('remove-domain', 'go.c.example');
  expect(await check()).toEqual([{ state: 'ok', found: '2 active' }]);
  await api.admin('block-host', 'a.example');
  expect((await check())[0]).toMatchObject({ state: 'ok' });
});

test.each([
  ['SHORT_HOSTS', { shortHosts: ['GO.a.example'] }],
  ['SHORT_BASE_URL', { shortBaseUrl: 'https://go.a.example' }],
  ['PUBLIC_URL', { publicUrl: 'https://go.a.example:8443' }],
])('a domain that is a host of the service by %s is a problem', async (_, config) => {
  const [found, ...others] = await check([], config);
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('go.a.example'),
    next: expect.stringContaining('SHORT_HOSTS'),
  });
});

test('hosts that nobody has are named, with the advice to refuse them', async () => {
  const hosts = Array.from({ length: 8 }, (_, at) => `x${at}.example`);
  const [served] = await check(hosts);
  expect(served).toMatchObject({ state: 'warning', next: expect.stringContaining('UNKNOWN_HOSTS=refuse') });
  expect(served!.found).toContain(`${hosts.join(', ')}. They serve`);
  const [refused] = await check(hosts, { unknownHosts: 'refuse' });
  expect(refused).toMatchObject({ state: 'ok', found: expect.stringContaining('They are refused') });
});

test.each([
  ['where it leads', `update domain_targets set url = 'https://b.example/' where true`],
  ['whose it is', `update domains set tag = 'bcdfghjk' where host = 'go.a.example'`],
  ['that it exists', `delete from stops where subject = 'domain/go.a.example'`],
])('redirects that do not know %s are a problem', async (what, change) => {
  await api.admin('unblock-host', 'a.example').catch(() => undefined);
  const rollback = new Error('undone');
  await expect(
    api.api.db.transaction(async tx => {
      await tx.query(
        sql(
          'test-targets-of-domain',
          `insert into domain_targets (domain_id, kind, url, host, url_hash)
           select id, 'not_found', 'https://c.example/', 'c.example', decode(repeat('00', 16), 'hex')
             from domains where host = 'go.b.example' on conflict do nothing`,
        ),
      );
      await tx.query(sql(`test-differ ${what}`, change));
      const [found] = await checkDomains({
        config: api.config,
        postgres: { error: null, db: tx, version: '18' },
        unknownHosts: async () => null,
      } as never);
      expect(found).toMatchObject({ state: 'problem', found: expect.stringContaining('redirects know') });
      throw rollback;
    }),
  ).rejects.toBe(rollback);
});
