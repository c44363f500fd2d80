import { randomUUID } from 'node:crypto';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { sql } from '../apps/server/src/platform/postgres.ts';
import type { Conditions, Rule } from '../apps/server/src/rules/rule.ts';
import { median } from './median.ts';
import { runWrk, writeWrkScript } from './wrk.ts';

const isQuick = process.argv.includes('--quick');
const [codes, rounds, seconds] = isQuick ? [100, 3, 2] : [200, 9, 3];
const connections = 64;
const aim = 0.9;
const placementsOfCode = 1000;

/** None of these holds for the scans of the bench, and each has to be looked at. */
const conditions: readonly Conditions[] = [
  { device: ['android', 'desktop'] },
  { browser: ['firefox', 'edge'] },
  {
    country: Array.from(
      { length: 250 },
      (_, n) => String.fromCharCode(65 + (n % 20)) + String.fromCharCode(65 + Math.floor(n / 20)),
    ),
  },
  { region: Array.from({ length: 50 }, (_, n) => ({ country: 'DE', region: `Region ${n}` })) },
  { city: Array.from({ length: 50 }, (_, n) => ({ country: 'DE', city: `City ${n}`, region: 'Bavaria' })) },
  { language: ['fr', 'it', 'pt-BR', 'zh', 'ja'] },
  { time: { timezone: 'Asia/Tokyo', windows: [{ days: ['mon'], from: '03:00', to: '03:01' }] } },
  { date: { until: '2020-01-01T00:00:00Z' } },
  { query: [{ name: 'vip', value: '1' }] },
  { placement: ['till', 'window'] },
];

/** 50 rules of every kind, of which the last holds: it splits ten ways. */
const rules: readonly Rule[] = [
  ...Array.from(
    { length: 49 },
    (_, n): Rule => ({
      id: randomUUID(),
      name: `Rule ${n}`,
      active: true,
      when: conditions[n % conditions.length]!,
      unless: {},
      to: [{ id: randomUUID(), url: `https://example.com/never/${n}`, weight: 1, label: '' }],
    }),
  ),
  {
    id: randomUUID(),
    name: 'Split',
    active: true,
    when: {},
    unless: {},
    to: Array.from({ length: 10 }, (_, n) => ({
      id: randomUUID(),
      url: `https://example.com/a/usual/path/${n}`,
      weight: n + 1,
      label: '',
    })),
  },
];

const kinds = ['plain', 'ruled', 'placed'] as const;
type Kind = (typeof kinds)[number];

/**
 * What rules cost: codes without any, codes with 50 rules of which the last one holds and splits ten ways, and codes with 1,000
 * placements, in turn on one redirect under the same load. The rates are compared within each round.
 */
export default async function bench(): Promise<void> {
  const nats = await startNats();
  const fixture = await createFixture({ LINKS_IN_MEMORY: '200000', NATS_URL: nats.url });
  const { id: account } = await fixture.account();
  const keys = Array.from({ length: placementsOfCode }, (_, n) => `table-${n}`);
  await fixture.db.query(fill, [account, codes, JSON.stringify(rules), keys]);
  const server = await TestServer.start('redirect', { ...fixture.env, LOG_LEVEL: 'warn' });
  const pathOf: Readonly<Record<Kind, (n: number) => string>> = {
    plain: n => `/plain-${n % codes}`,
    ruled: n => `/ruled-${n % codes}`,
    placed: n => `/placed-${n % codes}.table-${n % placementsOfCode}`,
  };
  const scripts = Object.fromEntries(
    kinds.map(kind => {
      const paths = Array.from({ length: 2000 }, (_, n) => pathOf[kind](n));
      return [
        kind,
        writeWrkScript(paths, { 'user-agent': agent, 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }),
      ];
    }),
  );
  const load = (kind: Kind) => runWrk(server.url, { scriptFile: scripts[kind]!, connections, seconds });
  for (const kind of kinds) for (let n = 0; n < codes; n++) await rawGet(server.url, pathOf[kind](n));
  for (const kind of kinds) await load(kind);
  const rates: Record<Kind, number[]> = { plain: [], ruled: [], placed: [] };
  const cpu: Record<Kind, number[]> = { plain: [], ruled: [], placed: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const before = cpuMicrosOf(server.pid);
      const done = await load(kind);
      rates[kind].push(done.perSecond);
      cpu[kind].push((cpuMicrosOf(server.pid) - before) / done.requests);
    }
    console.log(
      `${round + 1}/${rounds}: ${kinds.map(kind => `${kind} ${rates[kind].at(-1)!.toFixed(0)}/s ${cpu[kind].at(-1)!.toFixed(1)} µs`).join(', ')}`,
    );
  }
  await server.end('SIGTERM');
  await fixture.close();
  await nats.remove();
  const ratioOf = (kind: Kind) => median(rates[kind].map((rate, round) => rate / rates.plain[round]!));
  console.log(
    `rules rate ${kinds.map(kind => median(rates[kind]).toFixed(0)).join('/')} ratio ruled ${ratioOf('ruled').toFixed(2)} placed ${ratioOf('placed').toFixed(2)} cpu_us ${kinds.map(kind => median(cpu[kind]).toFixed(1)).join('/')}`,
  );
  if (ratioOf('ruled') < aim || ratioOf('placed') < aim) process.exitCode = 1;
}

const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const fill = sql(
  'fill-ruled-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style, created_at,
                         updated_at, rules, placement_keys)
   select gen_random_uuid(), $1, 'live', row_number() over (), 'active', 'api', kind || '-' || n, 'x',
          'https://example.com/a/usual/path/' || n, '{}', now(), now(),
          case kind when 'ruled' then $3::json end, case kind when 'placed' then $4::text[] end
     from generate_series(0, $2::int - 1) n, unnest(array['plain', 'ruled', 'placed']) kind`,
);
