import type { Config } from '../../config/config.ts';
import type { EngineName } from '../../kernel/addresses/engine-address.ts';
import type { Print } from '../../kernel/print.ts';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import { type ClickHouse, createClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import {
  checkEngine,
  checkEngineThoroughly,
  checkMigrated,
  hasCountedScans,
  pingClickHouse,
  pingNats,
  pingPostgres,
  pingRedis,
} from '../../platform/diagnosis/engine-checks.ts';
import {
  diagnoseThoroughly,
  type EngineDiagnosis,
  EngineUnusableError,
  identifyOtherServer,
} from '../../platform/diagnosis/engine-diagnosis.ts';
import type { Logger } from '../../platform/logger.ts';
import {
  busAddress,
  logAddress,
  type NatsAddress,
  namingSetting,
} from '../../platform/nats/nats-addresses.ts';
import { type ServerRole, servesLinks } from '../server-role.ts';

/** The engines that a role uses. */
const usedBy: Readonly<Record<ServerRole, readonly EngineName[]>> = {
  redirect: ['postgres', 'redis', 'nats'],
  ingest: ['postgres', 'nats', 'clickhouse'],
  deliver: ['postgres', 'redis', 'nats'],
  api: ['postgres', 'redis', 'nats', 'clickhouse'],
  all: ['postgres', 'redis', 'nats', 'clickhouse'],
  solo: ['postgres', 'clickhouse'],
};

/** The addresses of NATS that a role uses. */
function listNatsAddresses(role: ServerRole, config: NatsSettings): readonly NatsAddress[] {
  if (!usedBy[role].includes('nats')) return [];
  const addresses = [busAddress(config)];
  if (usesLog(role) && config.logNatsUrl !== config.busNatsUrl) addresses.push(logAddress(config));
  return addresses;
}

const usesLog = (role: ServerRole) => role !== 'api' && role !== 'deliver';

async function checkNats(nats: NatsAddress, ms: number): Promise<Fault | null> {
  const fault = await checkEngine('nats', nats.address, pingNats, ms);
  return fault && { ...fault, sentence: namingSetting(fault.sentence, nats), nats };
}

/** How long an engine may take to answer at the start. People wait for a redirect; PostgreSQL, which everything needs, gets longer. */
const postgresTimeoutMs = 6_000;
const getTimeoutMs = (role: ServerRole) => (role === 'redirect' ? 1_500 : 3_000);
const commandTimeoutMs = 3_000;

type Starting = {
  readonly role: ServerRole;
  readonly config: Config;
  readonly logger: Logger;
  /** Whether the process could serve short links from its disk. */
  readonly hasSnapshot: () => Promise<boolean>;
};

/** What is known about the installation while one of its engines is not usable. */
type Installation = {
  readonly hasSnapshot: boolean;
  /** Whether it has ever served or counted anything: then the mistake is new, and may be corrected while links are served. */
  readonly hasWorked: boolean;
};

/**
 * Whether a role starts in spite of this fault. A fault that may pass by itself does not stop the rest from working,
 * except that only redirects start without PostgreSQL. A fault that stays until the operator acts stops the start, unless
 * links can still be served: a restart in the middle of a mistake must not take the printed codes down as well.
 */
export function startsWith(role: ServerRole, fault: EngineDiagnosis, installation: Installation): boolean {
  const { hasSnapshot, hasWorked } = installation;
  if (fault.engine === 'postgres') return role === 'redirect' && (fault.kind === 'outage' || hasSnapshot);
  return fault.kind === 'outage' || (servesLinks(role) && hasWorked);
}

/** Checks all engines of the role except ClickHouse, which is opened once and checked by `requireOpened`. */
export async function requireEngines(starting: Starting): Promise<void> {
  const { role, config } = starting;
  const ms = getTimeoutMs(role);
  const uses = (engine: EngineName) => usedBy[role].includes(engine);
  const faults = await Promise.all<Fault | null>([
    checkEngine(
      'postgres',
      config.databaseUrl,
      checkMigrated(config.databasePooler),
      role === 'redirect' ? ms : postgresTimeoutMs,
    ),
    uses('redis') ? checkEngine('redis', config.redisUrl, pingRedis, ms) : null,
    ...listNatsAddresses(role, config).map(nats => checkNats(nats, ms)),
  ]);
  await decide(
    starting,
    faults.filter(fault => fault !== null),
  );
}

export async function requireOpened(clickhouse: ClickHouse, starting: Starting): Promise<void> {
  const { role, config } = starting;
  const ask = () => pingClickHouse(clickhouse, getTimeoutMs(role));
  const fault = await checkEngine('clickhouse', config.clickhouseUrl, ask, getTimeoutMs(role));
  if (fault) await decide(starting, [fault]);
}

/** Refuses to start, or logs what the process starts without. */
async function decide(starting: Starting, found: readonly Fault[]): Promise<void> {
  if (found.length === 0) return;
  const { role, config, logger } = starting;
  const installation = await inspectInstallation(starting, found);
  // Not identified further if the decision would be the same: people wait for redirects.
  const matters = (fault: EngineDiagnosis) =>
    !startsWith(role, { ...fault, kind: 'misconfiguration' }, installation);
  const faults = await Promise.all(found.map(fault => (matters(fault) ? identify(fault, config) : fault)));
  const refused = faults.filter(fault => !startsWith(role, fault, installation));
  if (refused.length > 0) throw new EngineUnusableError(refused);
  for (const { engine, kind, sentence } of faults) {
    if (kind === 'misconfiguration')
      logger.error({ engine, fault: sentence }, 'engine not usable: starting without it');
    else logger.warn({ engine, fault: sentence }, 'engine not reached: starting without it');
  }
}

async function inspectInstallation(
  { role, config, hasSnapshot: findSnapshot }: Starting,
  faults: readonly EngineDiagnosis[],
): Promise<Installation> {
  if (!servesLinks(role)) return { hasSnapshot: false, hasWorked: false };
  if (await findSnapshot()) return { hasSnapshot: true, hasWorked: true };
  const canAsk = faults.every(({ engine }) => engine !== 'postgres');
  // If PostgreSQL is lost right now, nothing is known, as when it is away.
  const hasWorked =
    canAsk && (await hasCountedScans(config.databaseUrl, getTimeoutMs(role)).catch(() => false));
  return { hasSnapshot: false, hasWorked };
}

/** Which NATS it is, if it is one. */
type Fault = EngineDiagnosis & { readonly nats?: NatsAddress };

async function identify(fault: Fault, config: Config): Promise<EngineDiagnosis> {
  if (!fault.nats) return identifyOtherServer(fault, addressOf[fault.engine](config));
  const identified = await identifyOtherServer(fault, fault.nats.address);
  return { ...identified, sentence: namingSetting(identified.sentence, fault.nats) };
}

const addressOf: Readonly<Record<EngineName, (config: Config) => string>> = {
  postgres: ({ databaseUrl }) => databaseUrl,
  redis: ({ redisUrl }) => redisUrl,
  nats: ({ busNatsUrl }) => busNatsUrl,
  clickhouse: ({ clickhouseUrl }) => clickhouseUrl,
};

/** For a command, which cannot wait: opens ClickHouse and checks that it answers. */
export async function openForCommand(url: string): Promise<ClickHouse> {
  const clickhouse = await createClickHouse(url);
  try {
    await withTimeout(commandTimeoutMs, pingClickHouse(clickhouse, commandTimeoutMs));
    return clickhouse;
  } catch (error) {
    await clickhouse.close();
    throw await explained('clickhouse', url, error);
  }
}

async function explained(engine: EngineName, address: string, error: unknown): Promise<unknown> {
  const fault = await diagnoseThoroughly(engine, address, error);
  return fault ? new EngineUnusableError([fault], { cause: error }) : error;
}

/** For a command that connects to PostgreSQL itself, and not to a pooler in front of it. */
export async function requirePostgres({
  databaseUrl,
  databaseDirectUrl,
}: Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>): Promise<void> {
  const fault = await checkEngineThoroughly('postgres', databaseDirectUrl, pingPostgres, postgresTimeoutMs);
  if (!fault) return;
  const sentence =
    databaseDirectUrl === databaseUrl
      ? fault.sentence
      : fault.sentence.replaceAll('DATABASE_URL', 'DATABASE_DIRECT_URL');
  throw new EngineUnusableError([{ ...fault, sentence }]);
}

/** For an operator's command: it needs an up-to-date PostgreSQL, and prints what it continues without. */
export async function requireForAdmin(config: Addresses, print: Print): Promise<void> {
  const faults = await findFaults(config);
  const postgres = faults.filter(({ engine }) => engine === 'postgres');
  if (postgres.length > 0) throw new EngineUnusableError(postgres);
  for (const { sentence } of faults) print(`Continuing without it: ${sentence}`);
}

type NatsSettings = Pick<Config, 'natsUrl' | 'logNatsUrl' | 'busNatsUrl'>;
type Addresses = Pick<Config, 'databaseUrl' | 'databasePooler' | 'redisUrl'> & NatsSettings;

async function findFaults(config: Addresses): Promise<readonly EngineDiagnosis[]> {
  const faults = await Promise.all([
    checkEngineThoroughly(
      'postgres',
      config.databaseUrl,
      checkMigrated(config.databasePooler),
      postgresTimeoutMs,
    ),
    config.redisUrl === ''
      ? null
      : checkEngineThoroughly('redis', config.redisUrl, pingRedis, commandTimeoutMs),
    config.busNatsUrl === ''
      ? null
      : checkEngineThoroughly('nats', config.busNatsUrl, pingNats, commandTimeoutMs).then(
          fault => fault && { ...fault, sentence: namingSetting(fault.sentence, busAddress(config)) },
        ),
  ]);
  return faults.filter(fault => fault !== null);
}

/** Names the setting behind a failure that does not name it itself. */
export async function withSetting<Result>(
  setting: string,
  advice: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isFull = (error as NodeJS.ErrnoException | null)?.code === 'ENOSPC';
    const next = isFull ? 'Free some space on that disk, or name a directory on another.' : advice;
    throw new Error(`${setting}: ${message}. ${next}`, { cause: error });
  }
}

/** Names the setting behind an address that could not be listened on. */
export async function listening<Result>(
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
  listen: () => Promise<Result>,
): Promise<Result> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const at = `port ${port} of ${host}`;
    if (code === 'EADDRINUSE')
      throw new Error(`${setting}: ${at} is in use. Stop what uses it, or choose another port.`, {
        cause: error,
      });
    if (code === 'EACCES')
      throw new Error(`${setting}: this user may not listen on ${at}. Choose one above 1023.`, {
        cause: error,
      });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL')
      throw new Error(
        `HOST: ${host} is not an address of this machine (${code}). Use 127.0.0.1, or 0.0.0.0 for every interface.`,
        { cause: error },
      );
    throw error;
  }
}
