import { describe, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import type { StoreName } from '../scans/stores/claim.ts';
import { assessBackup } from './backup.ts';
import { parseRedisVersion } from './context.ts';
import { isOlder } from './engines.ts';
import { assessLag, assessReplacedLog } from './lag.ts';
import { assessAddress, assessCertificate } from './reach.ts';
import { formatReport } from './report.ts';
import { assessScans } from './scans.ts';
import { checkSettings } from './settings.ts';
import { assessSignUp } from './sign-up.ts';
import { assessDiskSpace } from './spool.ts';
import { assessSkews } from './stores.ts';
import { assessWebhooks, type WebhookState } from './webhooks.ts';

const engines = {
  DATABASE_URL: 'postgres://localhost/x',
  REDIS_URL: 'redis://localhost',
  NATS_URL: 'nats://localhost',
  CLICKHOUSE_URL: 'http://localhost:8123',
};
const good = {
  ...engines,
  PUBLIC_URL: 'https://sign.example',
  HOST: '0.0.0.0',
  SPOOL_DIR: '/var/spool/signpost',
  AUTH_SECRET: 'a secret of thirty-two characters',
};
const settings = async (more: Record<string, string>) =>
  checkSettings({ config: readConfig({ ...good, ...more }) });

describe('settings together', () => {
  test('that fit together are ok', async () => {
    expect(await settings({})).toEqual([{ state: 'ok', found: 'no contradictions' }]);
  });

  test.each([
    ['metrics on the port of the API', { METRICS_PORT: '8080' }, 'problem', 'METRICS_PORT'],
    ['every proxy trusted', { TRUSTED_PROXIES: '0.0.0.0/0' }, 'problem', 'TRUSTED_PROXIES'],
    ['a proxy that is not trusted', { HOST: '127.0.0.1' }, 'problem', 'TRUSTED_PROXIES'],
    ['short links on this machine only', { SHORT_BASE_URL: 'http://localhost' }, 'warning', 'SHORT_BASE_URL'],
    ['a path before the code', { SHORT_BASE_URL: 'https://sign.example/q' }, 'warning', 'SHORT_BASE_URL'],
    ['no TLS', { PUBLIC_URL: 'http://sign.example' }, 'warning', 'http'],
    [
      'a sender without an address',
      { SMTP_URL: 'smtp://mail', MAIL_FROM: 'Signpost' },
      'warning',
      'MAIL_FROM',
    ],
    ['a relative path of the spool', { SPOOL_DIR: '.spool' }, 'warning', 'SPOOL_DIR'],
  ])('that contradict each other are named: %s', async (_what, more, state, setting) => {
    const [found, ...others] = await settings(more);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state, found: expect.stringContaining(setting), next: expect.any(String) });
  });
});

test('Valkey is named with its own version, not with that of the Redis that it is compatible with', () => {
  const redis = '# Server\r\nredis_version:7.2.4\r\n';
  expect(parseRedisVersion(redis)).toEqual({ name: 'Redis', version: '7.2.4' });
  const valkey = `${redis}server_name:valkey\r\nvalkey_version:9.1.2\r\n`;
  expect(parseRedisVersion(valkey)).toEqual({ name: 'Valkey', version: '9.1.2' });
  expect(parseRedisVersion('# Server\r\n')).toBeUndefined();
});

test('a version is older by its first two numbers', () => {
  for (const [version, minVersion] of [
    ['14.19', '15'],
    ['6.2.14', '7.0'],
    ['2.8.4', '2.9'],
    ['24.8.1.1', '24.9'],
  ] as const)
    expect(isOlder(version, minVersion)).toBe(true);
  for (const [version, minVersion] of [
    ['15.0', '15'],
    ['7.0.15', '7.0'],
    ['2.10.1', '2.9'],
    ['25.3.2.3', '24.9'],
  ] as const)
    expect(isOlder(version, minVersion)).toBe(false);
});

test('clocks that differ by seconds are a warning, by minutes a problem', () => {
  expect(assessSkews([['PostgreSQL', 40]])).toEqual({ state: 'ok', found: 'PostgreSQL +0.040 s' });
  expect(assessSkews([['Redis', -2_500]]).state).toBe('warning');
  expect(
    assessSkews([
      ['PostgreSQL', 3],
      ['Redis', -90_000],
    ]),
  ).toMatchObject({ state: 'problem', found: expect.stringContaining('Redis −90.000 s') });
});

test('a late backup, or none in the first week, is a warning', () => {
  const last = { kind: 'full', finishedAt: new Date('2026-11-15T03:20:00Z'), bytes: 4_200_000 } as const;
  expect(assessBackup({ ...last, ageSeconds: 7_200 })).toEqual({
    state: 'ok',
    found: 'the last finished at 2026-11-15T03:20:00.000Z, 2 h ago (full, 4.2 MB)',
  });
  expect(assessBackup({ ...last, ageSeconds: 27 * 3_600 }).state).toBe('warning');
  expect(assessBackup({ kind: 'none', waitingSeconds: 3_600 })).toMatchObject({
    state: 'warning',
    found: 'none has been recorded yet',
  });
  expect(assessBackup({ kind: 'none', waitingSeconds: 8 * 86_400 })).toMatchObject({
    state: 'warning',
    next: expect.stringContaining('--record'),
  });
});

test('a server that trusts a spoofed address is a problem, and a private address is a warning', () => {
  expect(assessAddress('192.0.2.77', false).state).toBe('problem');
  expect(assessAddress('192.0.2.77', true).state).toBe('warning');
  expect(assessAddress('172.18.0.1', false)).toMatchObject({
    state: 'warning',
    next: expect.stringContaining('172.18.0.1'),
  });
  expect(assessAddress('2001:db8::1', false).state).toBe('ok');
  expect(assessAddress('127.0.0.1', true).state).toBe('ok');
});

test('a certificate that phones refuse is a problem, one that expires soon a warning', () => {
  const day = 86_400_000;
  expect(assessCertificate('s.example', 'CERT_HAS_EXPIRED', 0, day).state).toBe('problem');
  expect(assessCertificate('s.example', null, 3 * day, 0).state).toBe('warning');
  expect(assessCertificate('s.example', null, 60 * day, 0).state).toBe('ok');
});

test('a disk with less room than the spool may use is a warning, with a tenth of it a problem', () => {
  expect([2_000, 500, 50].map(free => assessDiskSpace('/spool', free, 1_024).state)).toEqual([
    'ok',
    'warning',
    'problem',
  ]);
});

test('a spool that holds few scans is a warning, and the advice for a small disk does not lead to one', () => {
  expect([15, 16].map(maxMb => assessDiskSpace('/spool', 500, maxMb).state)).toEqual(['warning', 'ok']);
  expect(assessDiskSpace('/spool', 500, 1_024)).toMatchObject({
    next: expect.stringContaining('lower SPOOL_MAX_MB, to 16 at least'),
  });
});

test('late ingest and missing ingest are different findings', () => {
  const lag = { shard: 0, entries: 5, seconds: 1, silentSeconds: 0.2, replaced: null };
  expect(assessLag(lag).state).toBe('ok');
  expect(assessLag({ ...lag, seconds: 60 }).state).toBe('warning');
  expect(assessLag({ ...lag, seconds: 900 }).state).toBe('problem');
  expect(assessLag({ ...lag, silentSeconds: 60 })).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('no ingest has been running for 60 s'),
  });
  expect(assessLag({ ...lag, entries: 0, silentSeconds: 99 }).state).toBe('warning');
});

test('a replaced log is reported for a week, and lost entries are a warning', () => {
  const lag = { shard: 2, entries: 0, seconds: 0, silentSeconds: 0.2 };
  const assess = (secondsAgo: number, lostEntries: number) =>
    assessReplacedLog({ ...lag, replaced: { secondsAgo, lostEntries, lostInDay: lostEntries } });
  expect(assessReplacedLog({ ...lag, replaced: null })).toEqual([]);
  expect(assess(600, 0)).toMatchObject([{ state: 'ok', found: expect.stringContaining('10 minutes ago') }]);
  expect(assess(600, 7)).toMatchObject([
    { state: 'warning', found: expect.stringContaining('7 entries were lost') },
  ]);
  expect(assess(8 * 86_400, 7)).toEqual([]);
});

test('webhooks that are not delivered, are late, or cannot be signed are different findings', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const queue = { messages: 0, oldestAt: null, isRead: true };
  const fine: WebhookState = { endpoints: 2, hasKey: true, unreadable: 0, queue, due: 0, oldestDueAt: null };
  const assess = (more: Partial<WebhookState>) => assessWebhooks({ ...fine, ...more }, now);
  const states = (more: Partial<WebhookState>) => assess(more).map(({ state }) => state);

  expect(assess({})).toEqual([{ state: 'ok', found: '0 messages in the queue; 0 retries due' }]);
  expect(assess({ endpoints: 0, hasKey: false, queue: null })).toEqual([
    { state: 'ok', found: 'there are no webhooks' },
  ]);
  expect(states({ queue: null })).toEqual(['warning']);
  expect(states({ queue: { ...queue, isRead: false } })).toEqual(['warning']);
  expect(assess({ queue: { messages: 3, oldestAt: ago(5), isRead: false } })).toEqual([
    {
      state: 'problem',
      found: 'no deliver is running; 3 messages in the queue, the oldest for 5 s; 0 retries due',
      next: expect.stringContaining('signpost deliver'),
    },
  ]);
  expect(states({ queue: { messages: 9, oldestAt: ago(59), isRead: true } })).toEqual(['ok']);
  expect(states({ queue: { messages: 9, oldestAt: ago(90), isRead: true } })).toEqual(['warning']);
  expect(states({ queue: { messages: 9, oldestAt: ago(900), isRead: true } })).toEqual(['problem']);
  expect(assess({ due: 1, oldestDueAt: ago(90) })).toEqual([
    {
      state: 'warning',
      found: '0 messages in the queue; 1 retry due, the oldest for 90 s',
      next: expect.stringContaining('webhooks-late.md'),
    },
  ]);
  expect(assess({ hasKey: false, unreadable: 2 })[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('WEBHOOK_SECRET_KEYS is not set'),
  });
  expect(assess({ unreadable: 1 })[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('the secret of 1 of 2 webhooks'),
  });
});

test('the report has a line per finding, what to do below it, and the totals', () => {
  const text = formatReport([
    { check: 'clock', state: 'ok', found: 'fine' },
    { check: 'NATS', state: 'problem', found: 'away', next: 'Start it.' },
  ]);
  expect(text.split('\n')).toEqual([
    'ok       clock  fine',
    'PROBLEM  NATS   away',
    '                → Start it.',
    '',
    '1 problem, 0 warnings',
  ]);
});

test('where sign-up is open, every expired list is named', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const config = { smtpUrl: 'smtp://mail.example', abuseContact: 'abuse@example.com' };
  const list = (name: string, hours: number | null) => ({
    name,
    expiresAt: hours === null ? null : new Date(now.getTime() + hours * 3_600_000),
  });
  const assess = (...lists: ReturnType<typeof list>[]) => assessSignUp(config, lists, now);
  expect(assess(list('a', null))).toEqual([]);
  expect(assess(list('a', -1), list('b', 1), list('c', null))).toMatchObject([
    { state: 'warning', found: expect.stringMatching(/lists have expired: a$/) },
  ]);
  expect(assess(list('a', -1), list('b', -2))).toMatchObject([
    { state: 'warning', found: expect.stringContaining('every list has expired: a, b') },
  ]);
  expect(assess()).toMatchObject([{ found: expect.stringContaining('no list') }]);
});

test('the scans are where the settings say, and at three million doctor says what ClickHouse would bring', () => {
  const assess = (store: StoreName | null, configured: StoreName, rows: number) =>
    assessScans({ store, configured, rows });
  expect(assess(null, 'clickhouse', 0).state).toBe('ok');
  expect(assess('postgres', 'postgres', 2_999_999)).toEqual({
    state: 'ok',
    found: 'PostgreSQL stores about 2999999',
  });
  expect(assess('postgres', 'postgres', 3_000_000)).toMatchObject({
    state: 'warning',
    next: expect.stringMatching(/ClickHouse.*signpost move-scans/),
  });
  expect(assess('postgres', 'clickhouse', 1)).toMatchObject({ state: 'problem' });
  expect(assess('clickhouse', 'postgres', 1)).toMatchObject({
    state: 'problem',
    next: expect.stringContaining('Set CLICKHOUSE_URL'),
  });
  expect(assess('clickhouse', 'clickhouse', 0).state).toBe('ok');
  expect(assess('clickhouse', 'clickhouse', 5)).toMatchObject({
    state: 'warning',
    next: expect.stringContaining('--drop'),
  });
});
