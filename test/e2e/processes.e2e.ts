import type { TestAccount } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';

let world: Fixture;
let servers: readonly [TestServer, TestServer];

beforeAll(async () => {
  // A machine that is held up is no engine that is away: for one each process would count by itself, or answer 503.
  world = await createFixture({ REDIS_TIMEOUT_MS: '5000', DATABASE_TIMEOUT_MS: '60000' });
  servers = [await world.server(), await world.server()];
});
afterAll(() => world.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
/** Calls with a key after its revocation was answered. */
const calls = ciScale(10_000, 3_000);

const serverFor = (index: number) => servers[index % 2]!.url;
const post = (index: number, key: string, body: object = menu) =>
  ask({ method: 'POST', url: `${serverFor(index)}/v1/qrcodes`, key, body });
const total = async (key: string) =>
  (await ask({ url: `${serverFor(0)}/v1/qrcodes`, key })).body.pagination.total;

describe('two API processes', () => {
  test('200 parallel creates into a pool of 50 make exactly 50', async () => {
    await world.plan('small-pool', 1_000_000, 50);
    for (let round = 0; round < 3; round++) {
      const { live } = await world.account('small-pool');
      const answers = await inParallel(200, 200, index => post(index, live));
      expect(answers.filter(answer => answer.status === 201)).toHaveLength(50);
      const refused = answers.filter(answer => answer.status === 403);
      expect(refused).toHaveLength(150);
      for (const { body } of refused) expect(body.error).toMatchObject({ code: 'quota_exceeded', limit: 50 });
      expect(await total(live)).toBe(50);
    }
  });

  test('50 parallel creates of one short code make one', async () => {
    const { live } = await world.account();
    for (let round = 0; round < 10; round++) {
      const answers = await inParallel(50, 50, index => {
        const short_code = index % 3 ? `Race-${round}` : `race-${round}`;
        return post(index, live, { ...menu, short_code });
      });
      expect(answers.filter(answer => answer.status === 201)).toHaveLength(1);
      expect(answers.filter(answer => answer.body.error?.code === 'short_code_taken')).toHaveLength(49);
    }
  });

  test('after a revocation has answered, none of many calls passes on either process', async () => {
    const owner = await world.account();
    const created = await runCommand(['admin', 'create-key', acctId(owner), 'live'], world.env);
    const [, keyId, key] = /(key_\w+)\s+(sk_live_\w+)/.exec(created.output)!;
    const call = (index: number) => ask({ url: `${serverFor(index)}/v1/qrcodes`, key: key! });
    const before = await inParallel(200, 20, call);
    expect(before.filter(answer => answer.status === 200)).toHaveLength(200);

    let revokedAt = Number.POSITIVE_INFINITY;
    const revocation = runCommand(['admin', 'revoke-key', keyId!], world.env).then(result => {
      revokedAt = performance.now();
      return result;
    });
    let sentAfter = 0;
    let passedAfter = 0;
    let passedBefore = 0;
    await inParallel(40, 40, async index => {
      while (sentAfter < calls) {
        const sentAt = performance.now();
        const { status } = await call(index);
        if (sentAt < revokedAt) passedBefore += Number(status === 200);
        else {
          sentAfter++;
          passedAfter += Number(status !== 401);
        }
      }
    });
    expect((await revocation).code).toBe(0);
    expect(passedBefore).toBeGreaterThan(0);
    expect(sentAfter).toBeGreaterThanOrEqual(calls);
    expect(passedAfter).toBe(0);
    expect((await ask({ url: `${serverFor(0)}/v1/qrcodes`, key: owner.live })).status).toBe(200);
  });

  test('the minute of an account is one over both processes', async () => {
    const { live, test: testKey } = await world.account('free');
    const answers = await inParallel(40, 10, index =>
      ask({ url: `${serverFor(index)}/v1/qrcodes`, key: live }),
    );
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(10);
    for (const { headers } of answers) {
      expect(headers['x-ratelimit-limit']).toBe('10');
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 + 50);
    }
    const refused = answers.filter(answer => answer.status === 429);
    expect(refused).toHaveLength(30);
    for (const { headers, body } of refused) {
      expect(body.error.code).toBe('rate_limit_exceeded');
      expect(Number(headers['retry-after'])).toBeGreaterThan(50);
      expect(headers['x-ratelimit-remaining']).toBe('0');
    }
    expect((await ask({ url: `${serverFor(0)}/v1/qrcodes`, key: testKey })).status).toBe(200);
  });
});

describe('the operator', () => {
  test('makes an account with keys that work, lists it, changes its plan, revokes a key', async () => {
    const made = await runCommand(['admin', 'create-account', 'Corner Shop', '--plan', 'pro'], world.env);
    expect(made).toMatchObject({ code: 0 });
    const account = /acct_\w+/.exec(made.output)![0];
    const [live] = /sk_live_\w+/.exec(made.output)!;
    expect((await post(0, live!)).status).toBe(201);
    const listed = await runCommand(['admin', 'list-accounts'], world.env);
    expect(listed.output).toMatch(new RegExp(`${account}.*pro.*Corner Shop`));
    expect((await runCommand(['admin', 'set-plan', account, 'business'], world.env)).code).toBe(0);
    await post(0, live!);
    expect((await post(0, live!)).headers['x-ratelimit-limit']).toBe('120');
    const keys = await runCommand(['admin', 'list-keys', account], world.env);
    expect(keys.output).not.toContain(live);
    expect(keys.output).toContain(`…${live!.slice(-4)}`);
    const keyId = /(key_\w+)\s+sk_live/.exec(keys.output)![1]!;
    expect((await runCommand(['admin', 'revoke-key', keyId], world.env)).output).toContain('is revoked');
    expect((await post(1, live!)).status).toBe(401);
  });

  test('is told what to do when a command is wrong', async () => {
    for (const args of [
      [],
      ['fly'],
      ['create-account'],
      ['set-plan', 'x', 'pro'],
      ['revoke-key', 'key_0'],
      ['create-account', 'x', '--plan', 'gold'],
      ['block-host', 'https://evil.example'],
      ['pause-code'],
    ]) {
      const { code, output } = await runCommand(['admin', ...args], world.env);
      expect(code).toBe(1);
      expect(output).toMatch(/signpost admin|There is no plan/);
      expect(output).not.toMatch(/ at .*\.ts/);
    }
  });
});

const acctId = (account: TestAccount) => formatId('acct', account.id);
