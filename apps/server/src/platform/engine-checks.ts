import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Config } from '../config.ts';
import type { EngineName } from '../kernel/engine-address.ts';
import { within } from '../kernel/within.ts';
import type { ClickHouse } from './clickhouse.ts';
import { type EngineFault, explainError, identifyFault } from './engine-faults.ts';
import { requireJetStream } from './jetstream-faults.ts';
import { requireMigrated } from './migrations.ts';
import { connectionOptions } from './nats.ts';

/** Asks an engine one question over a connection of its own, or throws what its driver says. */
type Question = (address: string, timeoutMs: number) => Promise<unknown>;

export const askPostgres: Question = (url, timeoutMs) => queryOnce(url, timeoutMs, 'select 1');

/** Whether scans were ever counted by this installation. */
export async function hasCountedScans(url: string, timeoutMs: number): Promise<boolean> {
  const [row] = await queryOnce(url, timeoutMs, 'select exists (select from scan_logs) as yes');
  return row?.yes === true;
}

async function queryOnce(connectionString: string, timeoutMs: number, query: string) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // What breaks the connection off later has its answer already.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ yes?: boolean }>(query)).rows;
  } finally {
    void client.end().catch(() => undefined);
  }
}

export const askMigrated =
  (databasePooler: Config['databasePooler']): Question =>
  (databaseUrl, timeoutMs) =>
    requireMigrated({ databaseUrl, databasePooler }, timeoutMs);

export const askRedis: Question = async (url, timeoutMs) => {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  });
  // The client reports most causes here, and afterwards only that the connection is closed.
  const told = new Promise<never>((_, reject) => redis.on('error', reject));
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), told]);
  } finally {
    redis.disconnect();
  }
};

export const askNats: Question = async (url, timeoutMs) => {
  const options = { ...connectionOptions(url), reconnect: false, ignoreAuthErrorAbort: false };
  // One after another is tried: a silent one must leave time for the next.
  const connection = await connect({ ...options, timeout: timeoutMs / options.servers.length });
  try {
    await requireJetStream(connection, timeoutMs);
  } finally {
    await connection.close();
  }
};

export const askOpened = (clickhouse: ClickHouse, timeoutMs: number): Promise<unknown> =>
  clickhouse.query('select 1', {}, { timeoutMs });

/** Why the engine cannot be used, or null. What is not the engine's fault is thrown. */
export async function faultOf(
  engine: EngineName,
  address: string,
  ask: Question,
  timeoutMs: number,
): Promise<EngineFault | null> {
  const fault = await firstFaultOf(engine, address, ask, timeoutMs);
  return fault ? identifyFault(fault, address) : null;
}

/** The same, without asking what else may answer there. */
export async function firstFaultOf(
  engine: EngineName,
  address: string,
  ask: Question,
  timeoutMs: number,
): Promise<EngineFault | null> {
  try {
    await within(timeoutMs, ask(address, timeoutMs));
    return null;
  } catch (error) {
    const fault = await explainError(engine, address, error);
    if (fault) return fault;
    throw error;
  }
}
