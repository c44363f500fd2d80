import {
  type EngineName,
  engineInfo,
  formatAddress,
  formatAddresses,
  type ServerAddress,
  serverAddresses,
} from '../../kernel/addresses/engine-address.ts';
import { type Diagnosis, misconfiguration, outage } from './diagnosis.ts';
import { identifyServer, identifyTimeoutMs, isProxyError } from './identify-server.ts';

/** Something accepted the connection but did not speak the engine's protocol. Null if it may be the engine after all. */
export async function diagnoseOtherServer(engine: EngineName, address: string): Promise<Diagnosis | null> {
  const [ping, ...diagnoses] = await Promise.all([
    engine === 'clickhouse' ? pingStatus(address) : null,
    ...serverAddresses(engine, address).map(server => diagnoseServerAt(engine, server)),
  ]);
  if (ping === 'ok') return null;
  if (ping !== null && isProxyError(ping))
    return outage(
      `the proxy at ${formatAddresses(engine, address)} answers ${ping}`,
      'Start the ClickHouse behind it, and check its log.',
    );
  return diagnoses.find(diagnosis => diagnosis !== null) ?? null;
}

async function diagnoseServerAt(engine: EngineName, address: ServerAddress): Promise<Diagnosis | null> {
  const { name, setting } = engineInfo[engine];
  const at = formatAddress(address);
  const kind = await identifyServer(address);
  if (kind === null || kind === name) return null;
  if (kind === 'a server that requires TLS')
    return misconfiguration(`the server at ${at} requires TLS`, tlsRemedy[engine]);
  return misconfiguration(
    `the server at ${at} is ${kind}, not ${name}`,
    `Put the host and port of ${name} into ${setting}.`,
  );
}

const tlsRemedy: Readonly<Record<EngineName, string>> = {
  postgres: 'Add ?sslmode=require to DATABASE_URL.',
  redis: 'Begin REDIS_URL with rediss://.',
  nats: 'Begin NATS_URL with tls://.',
  clickhouse: 'Begin CLICKHOUSE_URL with https://.',
};

/** The answer to ClickHouse's health check, without credentials: 'ok' if it is ClickHouse. */
async function pingStatus(address: string): Promise<number | 'ok' | null> {
  const url = new URL('/ping', address);
  url.username = '';
  url.password = '';
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(identifyTimeoutMs),
      redirect: 'manual',
    });
    return (await response.text()) === 'Ok.\n' ? 'ok' : response.status;
  } catch {
    return null;
  }
}
