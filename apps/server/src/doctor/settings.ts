import type { Config } from '../config/config.ts';
import type { DoctorContext } from './context.ts';
import { type Outcome, ok, problem, warning } from './finding.ts';

/** Settings that are valid by themselves and wrong together. */
export async function checkSettings({ config }: Pick<DoctorContext, 'config'>): Promise<readonly Outcome[]> {
  const outcomes = rules.map(rule => rule(config)).filter(outcome => outcome !== null);
  return outcomes.length > 0 ? outcomes : [ok('no contradictions')];
}

export const isLocal = (url: string) =>
  /^(localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(new URL(url).hostname) ||
  new URL(url).hostname.endsWith('.localhost');

type Rule = (config: Config) => Outcome | null;

const rules: readonly Rule[] = [
  ({ authSecret }) =>
    authSecret === ''
      ? warning(
          'AUTH_SECRET is empty: the dashboard is off, and nobody can sign in',
          'Set AUTH_SECRET to the output of `openssl rand -hex 32`, or leave it empty if you use the API alone.',
        )
      : null,
  ({ apiPort, redirectPort, metricsPort }) =>
    metricsPort !== apiPort && metricsPort !== redirectPort
      ? null
      : problem('METRICS_PORT is also the port of the API or of the short links', 'Use a separate port.'),
  ({ trustedProxies }) =>
    trustedProxies.some(range => /\/0+$/.test(range))
      ? problem(
          'TRUSTED_PROXIES trusts every address: anyone can fake their address',
          'Name only the addresses of your proxies.',
        )
      : null,
  ({ trustedProxies, host, publicUrl }) =>
    trustedProxies.length === 0 && host.startsWith('127.') && !isLocal(publicUrl)
      ? problem(
          'HOST is a loopback address, so a proxy is in front, but TRUSTED_PROXIES is empty: all scanners count as one visitor',
          'Set TRUSTED_PROXIES to the address that the proxy connects from, here 127.0.0.1.',
        )
      : null,
  ({ shortBaseUrl }) =>
    isLocal(shortBaseUrl)
      ? warning(
          `SHORT_BASE_URL is ${shortBaseUrl}: printed codes work only on this machine`,
          'Set PUBLIC_URL or SHORT_BASE_URL before you print a code.',
        )
      : null,
  ({ shortBaseUrl }) =>
    new URL(shortBaseUrl).pathname !== '/'
      ? warning(
          'SHORT_BASE_URL has a path, which the redirect does not serve',
          'Let the proxy strip the path, or use a separate host.',
        )
      : null,
  ({ publicUrl, shortBaseUrl }) =>
    [publicUrl, shortBaseUrl].some(url => url.startsWith('http:') && !isLocal(url))
      ? warning('PUBLIC_URL or SHORT_BASE_URL uses http: keys and scans are sent unencrypted', 'Use https.')
      : null,
  ({ spoolDir, publicUrl }) =>
    !spoolDir.startsWith('/') && !isLocal(publicUrl)
      ? warning(
          `SPOOL_DIR is ${spoolDir}, a relative path, which depends on where the process was started`,
          'Set an absolute path, on a disk that outlives the container.',
        )
      : null,
  ({ smtpUrl, mailFrom }) =>
    smtpUrl === '' || /[^\s<>@]@[^\s<>@]/.test(mailFrom)
      ? null
      : warning(
          'MAIL_FROM has no e-mail address: many servers reject such mail',
          'Write it as Name <name@example.com>.',
        ),
];
