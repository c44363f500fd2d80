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
} from '../platform/engine-checks.ts';
import { type EngineFault, EngineFaultError, explainFault } from '../platform/engine-faults.ts';
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
const patienceMs = (role: ServerRole) => (role === 'redirect' ? 2_000 : 3_000);
const commandPatienceMs = 3_000;

type Starting = {
  readonly role: ServerRole;
  readonly config: Config;
  readonly logger: Logger;
  /** Whether the process could serve short links from its disk. */
  readonly hasSnapshot: () => Promise<boolean>;
};

/**
 * Whether a role starts in spite of this fault. What may pass by itself is waited for while the rest works, except
 * PostgreSQL by all but a redirect. What stays wrong until somebody acts is refused, unless scanners can still be served:
 * a restart in the middle of somebody's mistake must not take the printed codes down as well.
 */
export function startsWith(role: ServerRole, fault: EngineFault, hasSnapshot: boolean): boolean {
  if (fault.engine === 'postgres' && role !== 'redirect') return false;
  if (fault.kind === 'away') return true;
  return (role === 'redirect' || role === 'all') && hasSnapshot;
}

/** Looks at all engines of the role but ClickHouse, which is opened once and looked at by `requireOpened`. */
export async function requireEngines(starting: Starting): Promise<void> {
  const { role, config } = starting;
  const ms = patienceMs(role);
  const asked: Partial<Record<EngineName, Promise<EngineFault | null>>> = {
    postgres: faultOf(
      'postgres',
      config.databaseUrl,
      askMigrated(config.databasePooler),
      role === 'redirect' ? ms : neededMs,
    ),
  };
  if (usedBy[role].includes('redis')) asked.redis = faultOf('redis', config.redisUrl, askRedis, ms);
  if (usedBy[role].includes('nats')) asked.nats = faultOf('nats', config.natsUrl, askNats, ms);
  const faults = await Promise.all(Object.values(asked));
  await judge(
    starting,
    faults.filter(fault => fault !== null),
  );
}

export async function requireOpened(clickhouse: ClickHouse, starting: Starting): Promise<void> {
  const { role, config } = starting;
  const ask = () => askOpened(clickhouse, patienceMs(role));
  const fault = await faultOf('clickhouse', config.clickhouseUrl, ask, patienceMs(role));
  if (fault) await judge(starting, [fault]);
}

async function judge({ role, logger, hasSnapshot }: Starting, faults: readonly EngineFault[]): Promise<void> {
  if (faults.length === 0) return;
  const canServe = await hasSnapshot();
  const refused = faults.filter(fault => !startsWith(role, fault, canServe));
  if (refused.length > 0) throw new EngineFaultError(refused);
  for (const { engine, kind, sentence } of faults) {
    if (kind === 'wrong') logger.error({ engine, fault: sentence }, 'engine not usable: starting without it');
    else logger.warn({ engine, fault: sentence }, 'engine not reached: starting without it');
  }
}

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
    await within(commandPatienceMs, askOpened(clickhouse, commandPatienceMs));
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
  for (const { sentence } of faults) print(`Going on without it: ${sentence}`);
}

/** For a command that can do without none of them. */
export async function requireAll(config: Addresses): Promise<void> {
  const faults = await faultsOf(config);
  if (faults.length > 0) throw new EngineFaultError(faults);
}

type Addresses = Pick<Config, 'databaseUrl' | 'databasePooler' | 'redisUrl' | 'natsUrl'>;

async function faultsOf(config: Addresses): Promise<readonly EngineFault[]> {
  const faults = await Promise.all([
    faultOf('postgres', config.databaseUrl, askMigrated(config.databasePooler), neededMs),
    faultOf('redis', config.redisUrl, askRedis, commandPatienceMs),
    faultOf('nats', config.natsUrl, askNats, commandPatienceMs),
  ]);
  return faults.filter(fault => fault !== null);
}

/** Names the setting behind what failed, where the error itself does not. */
export async function blaming<Result>(
  setting: string,
  next: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
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
    throw new Error(
      `HOST: ${host} is no address of this machine (${code}). Use 127.0.0.1, or 0.0.0.0 for every interface.`,
      { cause: error },
    );
  }
}
