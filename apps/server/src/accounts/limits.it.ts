import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { dashboardEnv } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../kernel/ids.ts';

/** Two processes on the same engines. */
let processes: readonly [TestApi, TestApi];

beforeAll(async () => {
  const first = await createTestApi();
  const { databaseUrl } = first.config;
  processes = [first, await createTestApi({ DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl })];
});
afterAll(() => Promise.all(processes.map(api => api.close())));

const account = (api: TestApi, key: string) => api.call({ url: '/v1/account', key });
const create = (api: TestApi, key: string) =>
  api.call({
    method: 'POST',
    url: '/v1/qrcodes',
    key,
    body: { name: 'x', destination_url: 'https://example.com' },
  });

describe('set-limits', () => {
  test('applies to every process once it has returned, as a revoked key does, and plan undoes it', async () => {
    const [one, other] = processes;
    const { id, live } = await one.account('free');
    const name = formatId('acct', id);
    for (const api of processes)
      expect((await account(api, live)).headers).toMatchObject({ 'x-ratelimit-limit': '10' });
    expect(
      await one.admin(
        'set-limits',
        name,
        '--requests-per-minute',
        '500',
        '--codes',
        '2',
        '--creations-per-minute',
        '7',
      ),
    ).toBe(`${name}: requests per minute 500\n${name}: codes 2\n${name}: creations per minute 7`);
    for (const api of processes) {
      const { headers, body } = await account(api, live);
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '500' });
      expect(body).toMatchObject({
        plan: 'free',
        limits: { requests_per_minute: 500, qr_codes: 2, new_qr_codes_per_minute: 7 },
      });
    }
    expect((await create(one, live)).status).toBe(201);
    expect((await create(other, live)).status).toBe(201);
    expect(await create(one, live)).toMatchObject({
      status: 403,
      body: { error: { code: 'quota_exceeded', limit: 2, used: 2 } },
    });
    await other.admin('set-limits', name, '--codes', 'plan', '--requests-per-minute', '40');
    for (const api of processes)
      expect(await account(api, live)).toMatchObject({
        headers: { 'x-ratelimit-limit': '40' },
        body: { limits: { requests_per_minute: 40, qr_codes: 100, new_qr_codes_per_minute: 100 } },
      });
  });

  test('is shown by who, and survives a change of the plan', async () => {
    const [one] = processes;
    const { id, live } = await one.account('free');
    const name = formatId('acct', id);
    const { body: code } = await create(one, live);
    expect(await one.admin('who', code.short_code)).not.toContain('limits set for this account');
    await one.admin('set-limits', name, '--codes', '1000');
    expect(await one.admin('who', code.short_code)).toContain('limits set for this account: codes 1,000\n');
    await one.admin('set-plan', name, 'pro');
    expect((await account(one, live)).body.limits).toMatchObject({ requests_per_minute: 60, qr_codes: 1000 });
  });

  test.each([
    [[], 'Name at least one limit.'],
    [['--codes', '-1'], '-1 is not a limit.'],
    [['--requests-per-minute', '0'], '0 is not a limit.'],
    [['--codes', '1e9'], '1e9 is not a limit.'],
    [['--creations-per-minute', '1000000001'], '1000000001 is not a limit.'],
  ])('refuses %j', async (args, message) => {
    const [one] = processes;
    const { id } = await one.account('free');
    // A value that begins with a dash is joined to its option, as parseArgs asks.
    const joined = args.length === 2 ? [`${args[0]}=${args[1]}`] : args;
    await expect(one.admin('set-limits', formatId('acct', id), ...joined)).rejects.toThrow(message);
  });
});

test.each([
  ['closed', 'enterprise'],
  ['open', 'free'],
])('with %s sign-up, a person whom the operator adds is on the %s plan', async (SIGN_UP, plan) => {
  const api = await createTestApi({ ...dashboardEnv, SIGN_UP });
  expect(await api.admin('create-user', 'friend@people.example')).toContain(`(${plan})`);
  expect(await api.admin('create-account', 'Shop')).toContain(`Shop  (${plan})`);
  await api.close();
});
