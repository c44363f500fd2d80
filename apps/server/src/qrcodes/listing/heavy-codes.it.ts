import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unprepared } from '../../platform/postgres/postgres.ts';

let api: TestApi;
let owner: TestAccount;
let withoutMs: number;
beforeAll(async () => {
  api = await createTestApi({ DATABASE_TIMEOUT_MS: '60000' });
  owner = await api.account();
  await makeHeavyCodes();
  [withoutMs = 0] = await measure(list);
});
afterAll(() => api?.close());

const codes = 100;
const longHost = (code: number, rule: number) =>
  `${[`c${code}r${rule}`.padEnd(60, 'a'), 'b'.repeat(60), 'c'.repeat(60)].join('.')}.example`;

/** A hundred codes, each with as many targets on long hosts as the rules of a code have room for. */
async function makeHeavyCodes(): Promise<void> {
  for (let from = 0; from < codes; from += 25) {
    const items = Array.from({ length: 25 }, (_, n) => ({
      name: 'Heavy',
      destination_url: 'https://example.com/',
      rules: Array.from({ length: 50 }, (_, rule) => ({
        to: Array.from({ length: 3 }, (_, at) => ({ url: `https://${longHost(from + n, rule)}/${at}` })),
      })),
    }));
    const { body } = await api.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: owner.live,
      body: { items },
    });
    expect(body).toMatchObject({ created: 25 });
  }
}

async function blockHosts(markedAt: string): Promise<void> {
  await api.api.db.query(unprepared('delete from blocked_hosts'));
  await api.api.db.query(
    unprepared(
      `insert into blocked_hosts (host, reason, created_at, marked_at)
       select 'host-' || n || '.example', '', now(), ${markedAt} from generate_series(1, 20000) n`,
    ),
  );
}

async function list(): Promise<void> {
  const { body } = await api.call({ url: '/v1/qrcodes?limit=100&include=availability', key: owner.live });
  expect(body.data).toHaveLength(codes);
}

const readHosts = () =>
  api.api.db.query(unprepared('select sum(length(reverse(host))) as characters from code_targets'));

/** The quickest of several, in turn: what the machine does besides is no part of it. */
async function measure(...works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 4; round++)
    for (const [at, work] of works.entries()) {
      const startMs = performance.now();
      await work();
      times[at] = Math.min(times[at]!, performance.now() - startMs);
    }
  return times;
}

test('a list of codes with 15,000 targets takes no longer once hosts are blocked', async () => {
  await blockHosts('now()');
  const [withMs = 0] = await measure(list);
  console.log(
    `100 heavy codes: ${withoutMs.toFixed(0)} ms, ${withMs.toFixed(0)} ms beside 20,000 blocked hosts`,
  );
  expect(withMs).toBeLessThan(5 * withoutMs + 100);
});

test('each target costs one search while the codes of blocked hosts are being marked', async () => {
  await blockHosts('null');
  const [withMs = 0, bareMs = 0] = await measure(list, readHosts);
  console.log(
    `${withMs.toFixed(0)} ms while codes are being marked, ${bareMs.toFixed(0)} ms to read their hosts`,
  );
  expect(withMs).toBeLessThan(20 * bareMs + 100);
});
