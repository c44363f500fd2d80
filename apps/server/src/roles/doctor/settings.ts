import type { Config } from '../../config.ts';
import { type Outcome, ok, problem, warning } from './finding.ts';
import type { Patient } from './patient.ts';

/** Settings that are right each by itself and wrong together. */
export async function checkSettings({ config }: Pick<Patient, 'config'>): Promise<readonly Outcome[]> {
  const found = rules.map(rule => rule(config)).filter(outcome => outcome !== null);
  return found.length > 0 ? found : [ok('no two contradict each other')];
}

export const isLocal = (url: string) =>
  /^(localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(new URL(url).hostname) ||
  new URL(url).hostname.endsWith('.localhost');

type Rule = (config: Config) => Outcome | null;

const rules: readonly Rule[] = [
  ({ scanShard, scanShards }) =>
    scanShard < scanShards
      ? null
      : problem(
          `SCAN_SHARD is ${scanShard}, but there are ${scanShards}, counted from 0: nobody reads what is written there`,
          `Set SCAN_SHARD below ${scanShards}, or SCAN_SHARDS above ${scanShard} everywhere.`,
        ),
  ({ apiPort, redirectPort, metricsPort }) =>
    metricsPort !== apiPort && metricsPort !== redirectPort
      ? null
      : problem('METRICS_PORT is the port of the API or of the short links', 'Give it a port of its own.'),
  ({ trustedProxies }) =>
    trustedProxies.some(range => /\/0+$/.test(range))
      ? problem(
          'TRUSTED_PROXIES trusts everybody: anybody can pretend to be at any address',
          'Name the addresses of your proxies alone.',
        )
      : null,
  ({ trustedProxies, host, publicUrl }) =>
    trustedProxies.length === 0 && host.startsWith('127.') && !isLocal(publicUrl)
      ? problem(
          'HOST is this machine alone, so a proxy stands in front; but TRUSTED_PROXIES is empty: all scanners look like one',
          'Set TRUSTED_PROXIES to the address that the proxy comes from, here 127.0.0.1.',
        )
      : null,
  ({ shortBaseUrl }) =>
    isLocal(shortBaseUrl)
      ? warning(
          `SHORT_BASE_URL is ${shortBaseUrl}: printed codes lead nowhere but on this machine`,
          'Set PUBLIC_URL or SHORT_BASE_URL before you print a code.',
        )
      : null,
  ({ shortBaseUrl }) =>
    new URL(shortBaseUrl).pathname !== '/'
      ? warning(
          'SHORT_BASE_URL has a path, which the short links do not know',
          'Let the proxy take the path away, or use a host of its own.',
        )
      : null,
  ({ publicUrl, shortBaseUrl }) =>
    [publicUrl, shortBaseUrl].some(url => url.startsWith('http:') && !isLocal(url))
      ? warning('PUBLIC_URL or SHORT_BASE_URL is http: keys and scans travel in the open', 'Use https.')
      : null,
  ({ spoolDir, publicUrl }) =>
    !spoolDir.startsWith('/') && !isLocal(publicUrl)
      ? warning(
          `SPOOL_DIR is ${spoolDir}, relative to wherever the process was started`,
          'Give it a path from the root, on a disk that outlives the container.',
        )
      : null,
  ({ smtpUrl, mailFrom }) =>
    smtpUrl === '' || /[^\s<>@]@[^\s<>@]/.test(mailFrom)
      ? null
      : warning(
          'MAIL_FROM has no e-mail address: many servers refuse such mail',
          'Write it as Name <name@example.com>.',
        ),
  ({ clickhouseUrl }) =>
    clickhouseUrl.startsWith('chdb:') && !new URL(clickhouseUrl).pathname.startsWith('/')
      ? problem('CLICKHOUSE_URL has no path', 'Write it with three slashes: chdb:///var/lib/signpost.')
      : null,
];
