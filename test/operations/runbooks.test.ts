import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { metricList } from '../../apps/server/src/commands/metrics.ts';
import { settings } from '../../apps/server/src/config/settings.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const filesOf = (pattern: string) => globSync(pattern, { cwd: root });

const source = [
  ...filesOf('{apps/server,packages/contract}/src/**/*.ts').filter(path => !/\.(test|it)\.ts$/.test(path)),
  ...filesOf('apps/server/migrations/**/*.sql'),
]
  .map(read)
  .join('\n');
const usage = execFileSync(process.execPath, [resolve(root, 'apps/server/src/main.ts'), 'help'], {
  encoding: 'utf8',
});
const alerts = read('deploy/prometheus/alerts.yaml');
const metrics = metricList();
const metricNames = new Set(
  metrics.flatMap(({ name }) => ['', '_bucket', '_count', '_sum'].map(part => `${name}${part}`)),
);
const labels = new Set(['instance', ...metrics.flatMap(metric => metric.labels)]);
const settingNames = new Set<string>(Object.values(settings).map(({ name }) => name));

/** Words of PostgreSQL, PgBouncer, Redis, NATS, Prometheus and ClickHouse, and of the machine. */
const foreign = new Set([
  ...['active', 'cl_waiting', 'default_pool_size', 'Lock', 'max_connections', 'show pools', 'VACUUM FULL'],
  ...['FLUSHALL', 'maxmemory-policy noeviction', 'SLOWLOG GET', 'wait_event_type'],
  ...['Maximum Age', 'max_file_store', 'nats.conf', 'will be DISABLED', 'system.merges'],
]);
const programs = /^(chronyc|crontab|df|docker|du|kubectl|nats|pg_dump|psql|systemctl|timedatectl)\b/;

const isQuotedOrField = (word: string) =>
  new RegExp(`['"\`]${word}['"\`]|\\b${word}\\b\\s*[:,}(]`).test(source);

/** The parts of a message between its placeholders (`N`, `…`) must be in the code. */
const isMessage = (text: string) =>
  text
    .split(/\b[A-Z]\b|…/)
    .filter(part => /\w/.test(part))
    .every(part => source.includes(part.trim()));

/** What a runbook quotes, and how to find it in the code. The first kind that fits decides. */
const kinds: readonly (readonly [kind: string, fits: RegExp, exists: (text: string) => boolean])[] = [
  ['metric', /^(signpost|nodejs)_\w+$/, text => metricNames.has(text) || text.startsWith('nodejs_')],
  ['alert', /^Signpost[A-Z]\w+$/, text => alerts.includes(`- alert: ${text}\n`)],
  ['setting', /^[A-Z]+(_[A-Z]+)+(=\w+)?$/, text => settingNames.has(text.split('=')[0]!)],
  ['label', /^\w+="\w+"$/, hasLabel],
  [
    'query of metrics',
    /\(.*signpost_/,
    text => text.match(/signpost_\w+/g)!.every(name => metricNames.has(name)),
  ],
  [
    'command',
    /^signpost /,
    text =>
      usage.includes(
        `\n${text
          .split(' ')
          .slice(0, text.startsWith('signpost admin') ? 3 : 2)
          .join(' ')} `,
      ) || usage.startsWith(`${text} `),
  ],
  ['statement', /^(select|update|delete|optimize|kill) /, hasTables],
  [
    'stream',
    /^(CHANGES|WEBHOOKS|SCANS_[n*]|scans\.\*)$/,
    text => source.includes(text.replace(/_?[n*.]+$/, '')),
  ],
  [
    'value of the chart',
    /^roles\.\w+\./,
    text => read('deploy/helm/signpost/values.yaml').includes(`${text.split('.').at(-1)}:`),
  ],
  ['word or field', /^[a-z][\w-]*$/i, text => foreign.has(text) || isQuotedOrField(text) || labels.has(text)],
  ['message', /./, text => foreign.has(text) || isMessage(text)],
];

function hasLabel(text: string): boolean {
  const [, label = '', value = ''] = /^(\w+)="(\w+)"$/.exec(text) ?? [];
  return labels.has(label) && (isQuotedOrField(value) || /^\d+$/.test(value));
}

function hasTables(statement: string): boolean {
  const names = [...statement.matchAll(/\b(?:from|update|table) (\w[\w.]*)/g)].map(([, name]) => name!);
  const own = names.filter(name => !/^(pg_|system\.)/.test(name));
  return own.every(name => new RegExp(`create table (if not exists )?${name}\\b`).test(source));
}

const isOfTheMachine = (text: string) => programs.test(text);
const runbooks = filesOf('docs/self-hosting/runbooks/*.md').map(path => ({
  name: basename(path, '.md'),
  path,
}));

test.each(runbooks)('what $name quotes exists in the code', ({ path }) => {
  const quoted = [...read(path).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!);
  const missing = quoted
    .filter(text => !isOfTheMachine(text))
    .flatMap(text => {
      const [kind, , exists] = kinds.find(([, fits]) => fits.test(text))!;
      return exists(text) ? [] : [`${kind}: ${text}`];
    });
  expect(missing).toEqual([]);
});

test.each(runbooks)('$name says what is different on solo', ({ path }) => {
  expect(read(path)).toMatch(/\n\n\*\*On `signpost solo`:\*\* [^\n]+\n\n## Diagnose\n/);
});

test.each([
  ['why=nowhere'],
  ['signpost_scans_gone_total'],
  ['SPOOL_MAX_GB'],
  ['outcome="vanished"'],
  ['signpost drain'],
  ['select * from lost_scans'],
  ['scans have gone'],
  ['lostScans'],
])('%s would be found missing', text => {
  const [, , exists] = kinds.find(([, fits]) => fits.test(text))!;
  expect(exists(text)).toBe(false);
});
