import type { Config } from '../config/config.ts';
import { isSolo } from '../kernel/addresses/engine-address.ts';
import { checkEngineThoroughly } from '../platform/diagnosis/engine-checks.ts';
import { requireJetStream } from '../platform/nats/jetstream.ts';
import { busAddress, logAddress, type NatsAddress, namingSetting } from '../platform/nats/nats-addresses.ts';
import type { Connection, DoctorContext, NatsEngine } from './context.ts';
import { describeError, type Outcome, ok, problem, warning } from './finding.ts';

const jetStreamMs = 2_000;

type Versioned = { readonly version: string };

export const checkPostgres = async ({ postgres }: DoctorContext): Promise<Outcome> =>
  assessVersion(postgres, 'PostgreSQL', '15', 'DATABASE_URL', 'Move to a supported release with pg_upgrade.');

export const checkRedis = async (context: DoctorContext): Promise<Outcome> =>
  isSolo(context.config)
    ? notUsed()
    : assessVersion(
        context.redis,
        'name' in context.redis ? context.redis.name : 'Redis',
        '7.0',
        'REDIS_URL',
        'Use Redis 7 or Valkey 7.2: it holds nothing that has to be migrated.',
      );

const notUsed = () => ok('not used by `signpost solo`');

export async function checkNats({ nats, logNats, config }: DoctorContext): Promise<readonly Outcome[]> {
  if (isSolo(config)) return [notUsed()];
  const outcomes = [await assessNats(nats, busAddress(config), config)];
  if (logNats !== nats) outcomes.push(await assessNats(logNats, logAddress(config), config));
  return outcomes;
}

async function assessNats(nats: NatsEngine, at: NatsAddress, config: Config): Promise<Outcome> {
  const update = 'Run the new nats-server on the same store directory: what its streams hold stays.';
  const name = at.setting === 'NATS_URL' ? 'NATS' : `NATS of ${at.setting}`;
  const outcome = named(assessVersion(nats, name, '2.9', at.setting, update), at);
  if (outcome.state !== 'ok' || !('connection' in nats)) return outcome;
  const { info } = nats.connection;
  const checkJetStream = () => requireJetStream(nats.connection, jetStreamMs);
  const fault = await checkEngineThoroughly('nats', at.address, checkJetStream, jetStreamMs);
  if (fault) return problem(`${outcome.found}: ${fault.finding}`, namingSetting(fault.remedy, at));
  if (config.scanLogReplicas > 1 && !info?.cluster)
    return problem(
      `${outcome.found} is not a cluster, but SCAN_LOG_REPLICAS is ${config.scanLogReplicas}`,
      `Set SCAN_LOG_REPLICAS=1, or give ${at.setting} the addresses of a cluster.`,
    );
  if (isOlder(nats.version, '2.10'))
    return warning(
      `${outcome.found}: an acknowledged scan survives a crash of the process, but not a power cut`,
      'Use NATS 2.10 or newer, and set `sync_interval: always` in its jetstream block.',
    );
  return outcome;
}

const named = (outcome: Outcome, at: NatsAddress): Outcome =>
  outcome.state === 'ok' ? outcome : { ...outcome, next: namingSetting(outcome.next, at) };

/** ClickHouse 24.9 has `DELETE … IN PARTITION`, which erases the scans of deleted codes; 24.11 breaks off an answer with an exception in its middle. */
export const checkClickHouse = async ({ clickhouse, config }: DoctorContext): Promise<Outcome> => {
  if (config.clickhouseUrl === '') return ok('not used: the scans are in PostgreSQL');
  return assessVersion(
    clickhouse,
    'ClickHouse',
    '24.11',
    'CLICKHOUSE_URL',
    'Update ClickHouse to a long-term support release, 25.3 or newer.',
  );
};

function assessVersion(
  engine: Connection<Versioned>,
  name: string,
  minVersion: string,
  setting: string,
  update: string,
): Outcome {
  if (!('version' in engine))
    return problem(
      `${name} cannot be reached: ${faultMessage(engine)}`,
      faultFix(engine) ??
        `Is it running, and is ${setting} right? From a container, localhost is the container itself.`,
    );
  const { version } = engine;
  return isOlder(version, minVersion)
    ? problem(`${name} ${version} is too old: ${minVersion} or newer is needed`, update)
    : ok(`${name} ${version}`);
}

const faultMessage = (engine: Connection<unknown>) =>
  ('fault' in engine && engine.fault?.finding) || describeError(engine.error);
const faultFix = (engine: Connection<unknown>) => ('fault' in engine ? engine.fault?.remedy : undefined);

/** Compares the first two numbers. */
export function isOlder(version: string, minVersion: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(part => Number.parseInt(part, 10));
  const [minMajor = 0, minMinor = 0] = minVersion.split('.').map(Number);
  return major < minMajor || (major === minMajor && minor < minMinor);
}
