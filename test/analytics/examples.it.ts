import { writeFileSync } from 'node:fs';
import { analyticsExamples } from '@signpost/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, parseId } from '../../apps/server/src/kernel/ids.ts';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import { browsers, devices, type Scan } from '../../apps/server/src/scans/scan.ts';
import { createScene, type Scene } from './scene.ts';

/** The code of all examples of the reference, and two more of the same account. */
const ids = [
  'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
  'qr_01k9z3w8fdm5v7c2n4s6t8r0xc',
  'qr_01k9z3w8fdm5v7c2n4s6t8r0xd',
];
const names = ['Spring menu', 'Window sticker', 'Business card'];

let scene: Scene;
let key: string;
beforeAll(async () => {
  scene = await createScene();
  const account = await scene.api.account();
  key = account.live;
  const uuids = ids.map(id => parseId('qr', id)!);
  await scene.api.api.db.query(addCodes, [uuids, names, account.id]);
  await scene.store(seeded(uuids, account.id));
});
afterAll(() => scene.close());

/** A week of scans, the same every time. */
function seeded(codes: readonly string[], accountId: string): Scan[] {
  const places = [
    ['DE', 'Bavaria', 'Munich'],
    ['DE', 'Berlin', 'Berlin'],
    ['AT', 'Vienna', 'Vienna'],
    ['XX', '', ''],
  ] as const;
  return Array.from({ length: 60 }, (_, n) => {
    const [country, region, city] = places[[0, 0, 1, 0, 2, 1, 3][n % 7]!]!;
    const atMs = Date.parse('2026-03-02T07:12:31.406Z') + n * 9_876_543;
    return {
      id: `${(atMs / 1)
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})(.{4})$/, '$1-$2')}-7000-8000-${String(n).padStart(12, '0')}`,
      qrCodeId: codes[[0, 0, 0, 1, 0, 2][n % 6]!]!,
      accountId,
      mode: 'live',
      atMs,
      country,
      region,
      city,
      device: devices[[0, 1, 0, 2, 1][n % 5]!]!,
      browser: browsers[[0, 1, 0, 3, 2][n % 5]!]!,
      visitor: String(n % 37).padStart(32, '0'),
      window: '2026-03',
    };
  });
}

const addCodes = sql(
  'test-example-codes',
  `with made as (
     insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style, created_at, updated_at)
     select id, $3, 'live', n, 'active', 'api', 'example-' || n, name, 'https://example.com', '{}', now(), now()
       from unnest($1::uuid[], $2::text[]) with ordinality as code (id, name, n))
   update code_tallies set active = 3, last_number = 3 where account_id = $3 and mode = 'live'`,
);

test('the examples of the reference are what a seeded account is answered', async () => {
  const get = async (path: string) => {
    const reply = await scene.api.call({ url: path, key });
    expect(reply.status).toBe(200);
    return reply;
  };
  const base = `/v1/qrcodes/${ids[0]}/analytics`;
  const week = 'start_date=2026-03-02&end_date=2026-03-08';
  const day = 'start_date=2026-03-02&end_date=2026-03-02';
  const answers = {
    summary: (await get(`${base}?${week}`)).body,
    scans: (await get(`${base}/scans?${week}&limit=2`)).body,
    series: (await get(`${base}/timeseries?${week}`)).body,
    csv: (await get(`${base}/export?${day}`)).text,
    json: (await get(`${base}/export?${day}&format=json`)).body,
    aggregate: (await get(`/v1/analytics/aggregate?${week}`)).body,
  };
  expect(answers.summary.qr_id).toBe(formatId('qr', parseId('qr', ids[0]!)!));
  if (process.env.UPDATE_EXAMPLES) {
    const file = new URL('../../packages/contract/src/analytics-examples.ts', import.meta.url);
    writeFileSync(
      file,
      `/** Real answers about a seeded account. Written by \`UPDATE_EXAMPLES=1\` of the test that holds them to be so. */\nexport const analyticsExamples = ${JSON.stringify(answers, null, 2)};\n`,
    );
    return;
  }
  expect(answers).toEqual(analyticsExamples);
});
