import { randomUUID } from 'node:crypto';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import type { Conditions, Rule } from '../apps/server/src/rules/rule.ts';
import { median } from './median.ts';
import { runWrk, writeWrkScript } from './wrk.ts';

const isQuick = process.argv.includes('--quick');
const [rounds, seconds] = isQuick ? [3, 2] : [9, 3];
/** How many codes of each kind are scanned in turn. The aim is for one; many more show what the caches of the processor save. */
const spreads = [1, 20, 200] as const;
const codes = Math.max(...spreads);
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

const kinds = ['plain', 'ruled', 'placed', 'forwarding'] as const;
type Kind = (typeof kinds)[number];

/**
 * What rules cost: codes without any, codes with 50 rules of which the last one holds and splits ten ways, codes with 1,000
 * placements, and codes that forward a query and append to it, in turn on one redirect under the same load. The rates are compared within each round.
 */
export default async function bench(): Promise<void> {
  const nats = await startNats();
  const fixture = await createFixture({ LINKS_IN_MEMORY: '200000', NATS_URL: nats.url });
  const { id: account } = await fixture.account();
  const keys = Array.from({ length: placementsOfCode }, (_, n) => `table-${n}`);
  await fixture.db.query(fill, [account, codes, JSON.stringify(rules), keys]);
  const server = await TestServer.start('redirect', { ...fixture.env, LOG_LEVEL: 'warn' });
  for (const kind of kinds) for (let n = 0; n < codes; n++) await rawGet(server.url, pathOf[kind](n));
  const figures: string[] = [];
  for (const spread of spreads) {
    const { rates, cpu } = await measure(server, spread);
    const ratioOf = (kind: Kind) => median(rates[kind].map((rate, round) => rate / rates.plain[round]!));
    figures.push(
      `codes ${spread}: rate ${kinds.map(kind => median(rates[kind]).toFixed(0)).join('/')} ruled ${ratioOf('ruled').toFixed(2)} placed ${ratioOf('placed').toFixed(2)} forwarding ${ratioOf('forwarding').toFixed(2)} cpu_us ${kinds.map(kind => median(cpu[kind]).toFixed(1)).join('/')}`,
    );
    if (spread === 1 && (ratioOf('ruled') < aim || ratioOf('placed') < aim)) process.exitCode = 1;
  }
  await server.end('SIGTERM');
  await fixture.close();
  await nats.remove();
  console.log(`rules ${figures.join('; ')}`);
}

const pathOf: Readonly<Record<Kind, (n: number) => string>> = {
  plain: n => `/plain-${n}`,
  ruled: n => `/ruled-${n}`,
  placed: n => `/placed-${n}.table-${n % placementsOfCode}`,
  forwarding: n => `/forwarding-${n}?utm_campaign=autumn&utm_source=else&id=${n}`,
};

type Figures = Record<Kind, number[]>;

async function measure(
  server: TestServer,
  spread: number,
): Promise<{ readonly rates: Figures; readonly cpu: Figures }> {
  const loads = Object.fromEntries(
    kinds.map(kind => {
      const paths = Array.from({ length: 2000 }, (_, n) => pathOf[kind](n % spread));
      const scriptFile = writeWrkScript(paths, {
        'user-agent': agent,
        'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
      });
      return [kind, () => runWrk(server.url, { scriptFile, connections, seconds })];
    }),
  ) as Record<Kind, () => ReturnType<typeof runWrk>>;
  for (const kind of kinds) await loads[kind]();
  const rates: Figures = { plain: [], ruled: [], placed: [], forwarding: [] };
  const cpu: Figures = { plain: [], ruled: [], placed: [], forwarding: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const before = cpuMicrosOf(server.pid);
      const done = await loads[kind]();
      rates[kind].push(done.perSecond);
      cpu[kind].push((cpuMicrosOf(server.pid) - before) / done.requests);
    }
    console.log(
      `codes ${spread}, ${round + 1}/${rounds}: ${kinds.map(kind => `${kind} ${rates[kind].at(-1)!.toFixed(0)}/s ${cpu[kind].at(-1)!.toFixed(1)} µs`).join(', ')}`,
    );
  }
  return { rates, cpu };
}

const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const fill = sql(
  'fill-ruled-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at,
                         updated_at, rules, placement_keys, forward_query, append_query)
   select gen_random_uuid(), $1, 'live', row_number() over (), 'active', 'api', kind || '-' || n, kind || '-' || n, 'x',
          'https://example.com/a/usual/path/' || n, '{}', now(), now(),
          case kind when 'ruled' then $3::json end, case kind when 'placed' then $4::text[] end,
          kind = 'forwarding', case kind when 'forwarding' then '{"utm_source":"qr","utm_content":"{placement}-{device}"}'::json end
     from generate_series(0, $2::int - 1) n, unnest(array['plain', 'ruled', 'placed', 'forwarding']) kind`,
);
