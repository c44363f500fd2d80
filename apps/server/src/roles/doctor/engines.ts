import { faultOf } from '../../platform/engine-checks.ts';
import { requireJetStream } from '../../platform/jetstream-faults.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient, Reached } from './patient.ts';

const jetStreamMs = 2_000;

type Versioned = { readonly version: string };

export const checkPostgres = async ({ postgres }: Patient): Promise<Outcome> =>
  judge(postgres, 'PostgreSQL', '15', 'DATABASE_URL', 'Move to a supported release with pg_upgrade.');

export const checkRedis = async ({ redis }: Patient): Promise<Outcome> =>
  judge(
    redis,
    'Redis',
    '7.0',
    'REDIS_URL',
    'Take Redis 7 or Valkey 7.2: it holds nothing that has to be moved.',
  );

export async function checkNats({ nats, config }: Patient): Promise<Outcome> {
  const update = 'Put the new nats-server on the same store directory; the scan log stays.';
  const outcome = judge(nats, 'NATS', '2.9', 'NATS_URL', update);
  if (outcome.state !== 'ok' || !('connection' in nats)) return outcome;
  const { info } = nats.connection;
  const ask = () => requireJetStream(nats.connection, jetStreamMs);
  const fault = await faultOf('nats', config.natsUrl, ask, jetStreamMs);
  if (fault) return problem(`${outcome.found}: ${fault.seen}`, fault.cure);
  if (config.scanLogReplicas > 1 && !info?.cluster)
    return problem(
      `${outcome.found}, no cluster, but SCAN_LOG_REPLICAS is ${config.scanLogReplicas}`,
      'Set SCAN_LOG_REPLICAS=1, or give NATS_URL the addresses of a cluster.',
    );
  if (isOlder(nats.version, '2.10'))
    return warning(
      `${outcome.found}: an acknowledged scan outlives the process, but not a power cut`,
      'Take NATS 2.10 or newer and set `sync_interval: always` in its jetstream block.',
    );
  return outcome;
}

/** From this version on, scans of deleted codes can be erased in one partition: `DELETE … IN PARTITION`. */
export const checkClickHouse = async ({ clickhouse, config }: Patient): Promise<Outcome> => {
  if (clickhouse.error !== null && config.clickhouseUrl.startsWith('chdb:'))
    return warning(
      `the engine in the process could not be opened: ${faultWords(clickhouse)}`,
      `A server that runs holds its directory, which is fine. If none runs: ${faultCure(clickhouse) ?? 'look at the path in CLICKHOUSE_URL.'}`,
    );
  return judge(
    clickhouse,
    'ClickHouse',
    '24.9',
    'CLICKHOUSE_URL',
    'Update ClickHouse to a release with long support, 25.3 or newer.',
  );
};

function judge(
  engine: Reached<Versioned>,
  name: string,
  least: string,
  setting: string,
  update: string,
): Outcome {
  if (!('version' in engine))
    return problem(
      `${name} is not reached: ${faultWords(engine)}`,
      faultCure(engine) ??
        `Is it running, and is ${setting} right? From a container, localhost is the container itself.`,
    );
  const { version } = engine;
  return isOlder(version, least)
    ? problem(`${name} ${version} is too old: ${least} or newer is needed`, update)
    : ok(`${name} ${version}`);
}

const faultWords = (engine: Reached<unknown>) =>
  ('fault' in engine && engine.fault?.seen) || wordsOf(engine.error);
const faultCure = (engine: Reached<unknown>) => ('fault' in engine ? engine.fault?.cure : undefined);

/** By the first two numbers. */
export function isOlder(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(part => Number.parseInt(part, 10));
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
