import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { addressHeader, doctorHeader } from '../../http/seen-address.ts';
import { addressRanges } from '../../kernel/client-address.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';
import { isLocal } from './settings.ts';

const patienceMs = 5_000;
/** An address that belongs to nobody: whoever is believed to come from it has made it up. */
const madeUp = '192.0.2.77';

/** Whether the server answers where the world is told to find it. */
export async function checkReach({ config }: Pick<Patient, 'config'>): Promise<readonly Outcome[]> {
  return Promise.all(originsOf(config).map(([name, url]) => reach(name, url)));
}

function originsOf({ publicUrl, shortBaseUrl }: Patient['config']): readonly [name: string, url: string][] {
  const same = new URL(publicUrl).origin === new URL(shortBaseUrl).origin;
  return [['SHORT_BASE_URL', shortBaseUrl], ...(same ? [] : [['PUBLIC_URL', publicUrl] as [string, string]])];
}

async function reach(name: string, url: string): Promise<Outcome> {
  try {
    const { status } = await knock(url);
    return status === 200
      ? ok(`${name} ${url} answers`)
      : problem(
          `${name} ${url}: /healthz answers ${status}`,
          'Does the proxy send this host to Signpost, with all its paths?',
        );
  } catch (error) {
    return problem(
      `${name} ${url} does not answer: ${wordsOf(error)}`,
      'Is a server running, does the name resolve from here, is the port open?',
    );
  }
}

const knock = (url: string) =>
  fetch(new URL('/healthz', url), {
    headers: { [doctorHeader]: '1', 'x-forwarded-for': madeUp },
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
  });

/** What the server takes our address for: behind proxies, the only way to know what scanners look like to it. */
export async function checkAddress({ config }: Pick<Patient, 'config'>): Promise<Outcome> {
  const [[, url]] = originsOf(config) as [[string, string]];
  const answer = await knock(url).catch(() => null);
  if (!answer) return warning('not looked at, since no server answers', 'Start one, then look again.');
  const seen = answer.headers.get(addressHeader);
  if (!seen) return warning('the server that answers does not tell', 'Is it Signpost, and this version?');
  return judgeAddress(seen, isLocal(url));
}

export function judgeAddress(seen: string, local: boolean): Outcome {
  if (seen === madeUp) {
    const found = 'the server believed an address that was made up for this check';
    return local
      ? warning(found, 'Right if TRUSTED_PROXIES names this machine. Look again by the public address.')
      : problem(
          `${found}: anybody can pretend to be anywhere`,
          'The outermost proxy must set X-Forwarded-For anew, and TRUSTED_PROXIES must name proxies alone.',
        );
  }
  if (!local && isPrivate(seen))
    return warning(
      `the server sees ${seen}, a private address: behind a proxy, all scanners are one visitor without a place`,
      `If ${seen} is your proxy, add it to TRUSTED_PROXIES and let it send X-Forwarded-For. From within your network, look again from outside.`,
    );
  return ok(`the server sees ${seen}`);
}

const privateRanges = addressRanges(
  '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 127.0.0.0/8 169.254.0.0/16 100.64.0.0/10 fc00::/7 fe80::/10 ::1/128'.split(
    ' ',
  ),
);
const isPrivate = (address: string) => privateRanges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether phones accept the certificate of the short links, and for how long. */
export async function checkTls({ config }: Pick<Patient, 'config'>): Promise<Outcome> {
  const { protocol, hostname, port, host } = new URL(config.shortBaseUrl);
  if (protocol === 'http:') return ok('the short links are http: no certificate to look at');
  try {
    const { fault, expiresAt } = await certificateOf(hostname.replaceAll(/[[\]]/g, ''), Number(port || 443));
    return judgeCertificate(host, fault, expiresAt, Date.now());
  } catch (error) {
    return problem(
      `${host} speaks no TLS: ${wordsOf(error)}`,
      'Is the port open, and is it the proxy that answers?',
    );
  }
}

export function judgeCertificate(
  host: string,
  fault: string | null,
  expiresAtMs: number,
  nowMs: number,
): Outcome {
  const days = Math.floor((expiresAtMs - nowMs) / 86_400_000);
  if (fault)
    return problem(
      `phones refuse the certificate of ${host}: ${fault}`,
      'Get one for this name, and serve it with its chain.',
    );
  if (days < 14)
    return warning(`the certificate of ${host} ends in ${days} days`, 'Look why it was not renewed.');
  return ok(`the certificate of ${host} is good for ${days} days`);
}

type Certificate = { readonly fault: string | null; readonly expiresAt: number };

function certificateOf(hostname: string, port: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const servername = isIP(hostname) ? '' : hostname;
    // It is the doctor's work to look at certificates that are not good; nothing is sent over this connection.
    const socket = connect({
      host: hostname,
      port,
      servername,
      rejectUnauthorized: false,
      timeout: patienceMs,
    });
    socket.once('secureConnect', () => {
      const fault = socket.authorized ? null : String(socket.authorizationError);
      resolve({ fault, expiresAt: Date.parse(socket.getPeerCertificate().valid_to) });
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error(`No answer within ${patienceMs} ms`)));
    socket.once('error', reject);
  });
}
