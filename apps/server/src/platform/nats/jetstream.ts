import { JetStreamApiError, JetStreamError, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** Resolves if JetStream can be used. Rejects with the reason, or when no server has answered in time. */
export async function requireJetStream(connection: NatsConnection, timeoutMs: number): Promise<void> {
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: timeoutMs });
    const { limits, storage, tiers } = await manager.getAccountInfo();
    // An account with tiers has its limits there, and 0 here.
    const isLimited = tiers ? limits.max_storage > 0 : limits.max_storage >= 0;
    if (isLimited && storage >= limits.max_storage)
      throw new JetStreamAccountFullError(`${storage} of ${limits.max_storage} bytes`);
  } catch (error) {
    // In a cluster the servers with JetStream may be down for a moment. Then no server answers for it either.
    if (isJetStreamDisabled(error) && !isForAccount(error) && connection.info?.cluster)
      throw new Error('timeout: no server of the cluster has answered for JetStream', { cause: error });
    throw error;
  }
}

export class JetStreamAccountFullError extends JetStreamError {}

/** Whether JetStream is off, as opposed to slow or without a leader. */
export const isJetStreamDisabled = (error: unknown): boolean =>
  error instanceof Error && error.name === 'JetStreamNotEnabled';

/** Whether JetStream is on, but not for the account of the user. */
export const isForAccount = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof JetStreamApiError;

/** Codes of JetStream's API errors. */
export const jetStreamErrors = {
  accountResourcesExceeded: 10002,
  noPeers: 10005,
  insufficientResources: 10023,
  memoryExceeded: 10028,
  storageExceeded: 10047,
  replicasNotSupported: 10074,
  streamStoreFailed: 10077,
} as const;

/** Whether the store, the account or the stream has no room for more. */
export const isStoreFull = (code: number | undefined): boolean => code !== undefined && full.has(code);

const full: ReadonlySet<number> = new Set([
  jetStreamErrors.accountResourcesExceeded,
  jetStreamErrors.insufficientResources,
  jetStreamErrors.memoryExceeded,
  jetStreamErrors.storageExceeded,
  jetStreamErrors.streamStoreFailed,
]);
