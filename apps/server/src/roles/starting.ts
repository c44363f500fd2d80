import type { Config } from '../config.ts';
import type { EngineName } from '../kernel/engine-address.ts';
import { within } from '../kernel/within.ts';
import { type ClickHouse, createClickHouse } from '../platform/clickhouse.ts';
import {
  askMigrated,
  askNats,
  askOpened,
  askPostgres,
  askRedis,
  faultOf,
  firstFaultOf,
  hasCountedScans,
} from '../platform/engine-checks.ts';
import {
  type EngineFault,
  EngineFaultError,
  explainFault,
  identifyFault,
} from '../platform/engine-faults.ts';
import type { Logger } from '../platform/logger.ts';
import type { Print } from './print.ts';
import type { ServerRole } from './server-role.ts';

/** The engines without which a role has nothing to do, or only half of it. */
const usedBy: Readonly<Record<ServerRole, readonly EngineName[]>> = {
  redirect: ['postgres', 'redis', 'nats'],
  ingest: ['postgres', 'nats', 'clickhouse'],
  deliver: ['postgres', 'redis', 'nats', 'clickhouse'],
  api: ['postgres', 'redis', 'nats', 'clickhouse'],
  all: ['postgres', 'redis', 'nats', 'clickhouse'],
};

/** How long an engine may take to answer at the start. Scanners wait for a redirect; what nothing works without gets longer. */
const neededMs = 6_000;
const timeoutOf = (role: ServerRole) => (role === 'redirect' ? 1_500 : 3_000);
const commandTimeoutMs = 3_000;

type Starting = {
  readonly role: ServerRole;
  readonly config: Config;
  readonly logger: Logger;
  /** Whether the process could serve short links from its disk. */
  readonly hasSnapshot: () => Promise<boolean>;
};

/** What is known of the installation while one of its engines is not usable. */
type Installation = {
  readonly hasSnapshot: boolean;
  /** Whether it has ever served or counted anything: then a mistake is new, and may be put right while scanners are served. */
  readonly hasWorked: boolean;
};

/**
 * Whether a role starts in spite of this fault. What may pass by itself is waited for while the rest works, except
 * PostgreSQL by all but a redirect. What stays wrong until somebody acts is refused, unless scanners can still be served:
 * a restart in the middle of somebody's mistake must not take the printed codes down as well.
 */
export function startsWith(role: ServerRole, fault: EngineFault, installation: Installation): boolean {
  const { hasSnapshot, hasWorked } = installation;
  if (fault.engine === 'postgres') return role === 'redirect' && (fault.kind === 'away' || hasSnapshot);
  return fault.kind === 'away' || (servesLinks(role) && hasWorked);
}

const servesLinks = (role: ServerRole) => role === 'redirect' || role === 'all';

/** Looks at all engines of the role but ClickHouse, which is opened once and looked at by `requireOpened`. */
export async function requireEngines(starting: Starting): Promise<void> {
  const { role, config } = starting;
  const ms = timeoutOf(role);
  const uses = (engine: EngineName) => usedBy[role].includes(engine);
  const faults = await Promise.all([
    firstFaultOf(
      'postgres',
      config.databaseUrl,
      askMigrated(config.databasePooler),
      role === 'redirect' ? ms : neededMs,
    ),
    uses('redis') ? firstFaultOf('redis', config.redisUrl, askRedis, ms) : null,
    uses('nats') ? firstFaultOf('nats', config.natsUrl, askNats, ms) : null,
  ]);
  await decide(
    starting,
    faults.filter(fault => fault !== null),
  );
}

export async function requireOpened(clickhouse: ClickHouse, starting: Starting): Promise<void> {
  const { role, config } = starting;
  const ask = () => askOpened(clickhouse, timeoutOf(role));
  const fault = await firstFaultOf('clickhouse', config.clickhouseUrl, ask, timeoutOf(role));
  if (fault) await decide(starting, [fault]);
}

/** Refuses, or says what the process starts without. */
async function decide(starting: Starting, found: readonly EngineFault[]): Promise<void> {
  if (found.length === 0) return;
  const { role, config, logger } = starting;
  const installation = await lookAtInstallation(starting, found);
  // What another server at this address would change nothing about is not asked: scanners wait.
  const matters = (fault: EngineFault) => !startsWith(role, { ...fault, kind: 'wrong' }, installation);
  const faults = await Promise.all(
    found.map(fault => (matters(fault) ? identifyFault(fault, addressOf[fault.engine](config)) : fault)),
  );
  const refused = faults.filter(fault => !startsWith(role, fault, installation));
  if (refused.length > 0) throw new EngineFaultError(refused);
  for (const { engine, kind, sentence } of faults) {
    if (kind === 'wrong') logger.error({ engine, fault: sentence }, 'engine not usable: starting without it');
    else logger.warn({ engine, fault: sentence }, 'engine not reached: starting without it');
  }
}

async function lookAtInstallation(
  { role, config, hasSnapshot: findSnapshot }: Starting,
  faults: readonly EngineFault[],
): Promise<Installation> {
  if (!servesLinks(role)) return { hasSnapshot: false, hasWorked: false };
  if (await findSnapshot()) return { hasSnapshot: true, hasWorked: true };
  const canAsk = faults.every(({ engine }) => engine !== 'postgres');
  // Where PostgreSQL is lost at this very moment, nothing is known, as when it is away.
  const hasWorked = canAsk && (await hasCountedScans(config.databaseUrl, timeoutOf(role)).catch(() => false));
  return { hasSnapshot: false, hasWorked };
}

const addressOf: Readonly<Record<EngineName, (config: Config) => string>> = {
  postgres: ({ databaseUrl }) => databaseUrl,
  redis: ({ redisUrl }) => redisUrl,
  nats: ({ natsUrl }) => natsUrl,
  clickhouse: ({ clickhouseUrl }) => clickhouseUrl,
};

/** Opens ClickHouse, or says why the engine in the process cannot be opened. A server is not asked for anything. */
export async function openOrExplain(url: string, mostConnections?: number): Promise<ClickHouse> {
  try {
    return await createClickHouse(url, mostConnections);
  } catch (error) {
    throw await explained('clickhouse', url, error);
  }
}

/** For a command, which cannot wait: opens ClickHouse and sees that it answers. */
export async function openForCommand(url: string): Promise<ClickHouse> {
  const clickhouse = await openOrExplain(url);
  try {
    await within(commandTimeoutMs, askOpened(clickhouse, commandTimeoutMs));
    return clickhouse;
  } catch (error) {
    await clickhouse.close();
    throw await explained('clickhouse', url, error);
  }
}

async function explained(engine: EngineName, address: string, error: unknown): Promise<unknown> {
  const fault = await explainFault(engine, address, error);
  return fault ? new EngineFaultError([fault], { cause: error }) : error;
}

/** For a command that works on PostgreSQL itself, whatever pooler stands before it for the others. */
export async function requirePostgres({
  databaseUrl,
  databaseDirectUrl,
}: Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>): Promise<void> {
  const fault = await faultOf('postgres', databaseDirectUrl, askPostgres, neededMs);
  if (!fault) return;
  const sentence =
    databaseDirectUrl === databaseUrl
      ? fault.sentence
      : fault.sentence.replaceAll('DATABASE_URL', 'DATABASE_DIRECT_URL');
  throw new EngineFaultError([{ ...fault, sentence }]);
}

/** For a command of the operator: it needs PostgreSQL, up to date, and tells what it goes on without. */
export async function requireForAdmin(config: Addresses, print: Print): Promise<void> {
  const faults = await faultsOf(config);
  const postgres = faults.filter(({ engine }) => engine === 'postgres');
  if (postgres.length > 0) throw new EngineFaultError(postgres);
  for (const { sentence } of faults) print(`Continuing without it: ${sentence}`);
}

/** For a tool that can do without none of them. */
export async function requireAll(config: Addresses): Promise<void> {
  const faults = await faultsOf(config);
  if (faults.length > 0) throw new EngineFaultError(faults);
}

type Addresses = Pick<Config, 'databaseUrl' | 'databasePooler' | 'redisUrl' | 'natsUrl'>;

async function faultsOf(config: Addresses): Promise<readonly EngineFault[]> {
  const faults = await Promise.all([
    faultOf('postgres', config.databaseUrl, askMigrated(config.databasePooler), neededMs),
    faultOf('redis', config.redisUrl, askRedis, commandTimeoutMs),
    faultOf('nats', config.natsUrl, askNats, commandTimeoutMs),
  ]);
  return faults.filter(fault => fault !== null);
}

/** Names the setting behind what failed, where the error itself does not. */
export async function withSetting<Result>(
  setting: string,
  cure: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const isFull = (error as NodeJS.ErrnoException | null)?.code === 'ENOSPC';
    const next = isFull ? 'Free some space on that disk, or name a directory on another.' : cure;
    throw new Error(`${setting}: ${words}. ${next}`, { cause: error });
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
