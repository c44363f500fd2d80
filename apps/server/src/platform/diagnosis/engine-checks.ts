import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Config } from '../../config/config.ts';
import type { EngineName } from '../../kernel/addresses/engine-address.ts';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import type { ClickHouse } from '../clickhouse/clickhouse.ts';
import { requireJetStream } from '../nats/jetstream.ts';
import { connectionOptions } from '../nats/nats.ts';
import { requireMigrated } from '../postgres/migrations.ts';
import { diagnoseError, type EngineDiagnosis, identifyOtherServer } from './engine-diagnosis.ts';

/** Sends an engine one request over its own connection, or throws the driver's error. */
type Ping = (address: string, timeoutMs: number) => Promise<unknown>;

export const pingPostgres: Ping = (url, timeoutMs) => queryOnce(url, timeoutMs, 'select 1');

/** Whether this installation has ever counted scans. */
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
  // A connection that breaks after the answer does not matter.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ yes?: boolean }>(query)).rows;
  } finally {
    void client.end().catch(() => undefined);
  }
}

export const checkMigrated =
  (databasePooler: Config['databasePooler']): Ping =>
  (databaseUrl, timeoutMs) =>
    requireMigrated({ databaseUrl, databasePooler }, timeoutMs);

export const pingRedis: Ping = async (url, timeoutMs) => {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  });
  // The client emits the cause here; the call itself only says that the connection is closed.
  const reported = new Promise<never>((_, reject) => redis.on('error', reject));
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), reported]);
  } finally {
    redis.disconnect();
  }
};

export const pingNats: Ping = async (url, timeoutMs) => {
  const options = { ...connectionOptions(url), reconnect: false, ignoreAuthErrorAbort: false };
  // The servers are tried one after another: one that does not answer must leave time for the next.
  const connection = await connect({ ...options, timeout: timeoutMs / options.servers.length });
  try {
    await requireJetStream(connection, timeoutMs);
  } finally {
    await connection.close();
  }
};

export const pingClickHouse = (clickhouse: ClickHouse, timeoutMs: number): Promise<unknown> =>
  clickhouse.query('select 1', {}, { timeoutMs });

/** Why the engine cannot be used, or null. An error that the engine did not cause is thrown. */
export async function checkEngineThoroughly(
  engine: EngineName,
  address: string,
  ping: Ping,
  timeoutMs: number,
): Promise<EngineDiagnosis | null> {
  const diagnosis = await checkEngine(engine, address, ping, timeoutMs);
  return diagnosis ? identifyOtherServer(diagnosis, address) : null;
}

/** The same, without checking what else may listen there. */
export async function checkEngine(
  engine: EngineName,
  address: string,
  ping: Ping,
  timeoutMs: number,
): Promise<EngineDiagnosis | null> {
  try {
    await withTimeout(timeoutMs, ping(address, timeoutMs));
    return null;
  } catch (error) {
    const diagnosis = diagnoseError(engine, address, error);
    if (diagnosis) return diagnosis;
    throw error;
  }
}
