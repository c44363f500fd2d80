import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { addressHeader, doctorHeader } from '../http/connections/client-address-header.ts';
import { addressRanges } from '../kernel/addresses/client-address.ts';
import type { DoctorContext } from './context.ts';
import { describeError, type Outcome, ok, problem, warning } from './finding.ts';
import { isLocal } from './settings.ts';

const timeoutMs = 5_000;
/** From a range reserved for documentation: a server that reports it has trusted a spoofed header. */
const spoofedAddress = '192.0.2.77';

/** Whether the server answers at its public addresses. */
export async function checkReach({ config }: Pick<DoctorContext, 'config'>): Promise<readonly Outcome[]> {
  return Promise.all(listOrigins(config).map(([name, url]) => checkOrigin(name, url)));
}

function listOrigins({
  publicUrl,
  shortBaseUrl,
}: DoctorContext['config']): readonly [name: string, url: string][] {
  const same = new URL(publicUrl).origin === new URL(shortBaseUrl).origin;
  return [['SHORT_BASE_URL', shortBaseUrl], ...(same ? [] : [['PUBLIC_URL', publicUrl] as [string, string]])];
}

async function checkOrigin(name: string, url: string): Promise<Outcome> {
  try {
    const { status } = await probe(url);
    return status === 200
      ? ok(`${name} ${url} answers`)
      : problem(
          `${name} ${url}: /healthz answers ${status}`,
          'Does the proxy forward this host with all its paths to Signpost?',
        );
  } catch (error) {
    return problem(
      `${name} ${url} does not answer: ${describeError(error)}`,
      'Is a server running, does the name resolve from here, is the port open?',
    );
  }
}

const probe = (url: string) =>
  fetch(new URL('/healthz', url), {
    headers: { [doctorHeader]: '1', 'x-forwarded-for': spoofedAddress },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });

/** Which client address the server sees: behind proxies, there is no other way to know what it records for scanners. */
export async function checkAddress({ config }: Pick<DoctorContext, 'config'>): Promise<Outcome> {
  const [[, url]] = listOrigins(config) as [[string, string]];
  const response = await probe(url).catch(() => null);
  if (!response) return warning('not checked: no server answers', 'Start one, then run this again.');
  const seen = response.headers.get(addressHeader);
  if (!seen) return warning('the server does not report it', 'Is it Signpost, in this version?');
  return assessAddress(seen, isLocal(url));
}

export function assessAddress(seen: string, local: boolean): Outcome {
  if (seen === spoofedAddress) {
    const found = 'the server trusted a spoofed X-Forwarded-For header';
    return local
      ? warning(
          found,
          'Correct if TRUSTED_PROXIES includes this machine. Check again through the public address.',
        )
      : problem(
          `${found}: anyone can fake their address`,
          'The outermost proxy must overwrite X-Forwarded-For, and TRUSTED_PROXIES must name only proxies.',
        );
  }
  if (!local && isPrivate(seen))
    return warning(
      `the server sees ${seen}, a private address: if that is a proxy, all scanners count as one visitor without a location`,
      `If ${seen} is your proxy, add it to TRUSTED_PROXIES and let it send X-Forwarded-For. If you ran this inside your network, run it again from outside.`,
    );
  return ok(`the server sees ${seen}`);
}

const privateRanges = addressRanges(
  '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 127.0.0.0/8 169.254.0.0/16 100.64.0.0/10 fc00::/7 fe80::/10 ::1/128'.split(
    ' ',
  ),
);
const isPrivate = (address: string) => privateRanges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether phones accept the certificate of the short links, and when it expires. */
export async function checkTls({ config }: Pick<DoctorContext, 'config'>): Promise<Outcome> {
  const { protocol, hostname, port, host } = new URL(config.shortBaseUrl);
  if (protocol === 'http:')
    return warning(
      'the short links use http, so there is no certificate to check',
      'Serve short links over https before you print codes: some phones warn people about http.',
    );
  try {
    const { fault, expiresAtMs } = await fetchCertificate(
      hostname.replaceAll(/[[\]]/g, ''),
      Number(port || 443),
    );
    return assessCertificate(host, fault, expiresAtMs, Date.now());
  } catch (error) {
    return problem(
      `${host} does not speak TLS: ${describeError(error)}`,
      'Is the port open, and is it the proxy that answers?',
    );
  }
}

export function assessCertificate(
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
    return warning(`the certificate of ${host} expires in ${days} days`, 'Find out why it was not renewed.');
  return ok(`the certificate of ${host} is valid for ${days} days`);
}

type Certificate = { readonly fault: string | null; readonly expiresAtMs: number };

function fetchCertificate(hostname: string, port: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const servername = isIP(hostname) ? '' : hostname;
    // The check must see invalid certificates too; nothing is sent over this connection.
    const socket = connect({
      host: hostname,
      port,
      servername,
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    socket.once('secureConnect', () => {
      const fault = socket.authorized ? null : String(socket.authorizationError);
      resolve({ fault, expiresAtMs: Date.parse(socket.getPeerCertificate().valid_to) });
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error(`No answer within ${timeoutMs} ms`)));
    socket.once('error', reject);
  });
}
