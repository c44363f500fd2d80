import { JetStreamApiError, JetStreamError, jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { away, type Cause, wrong } from './fault-cause.ts';

/** Resolves where JetStream can be used here. Rejects with why not, or when nobody has answered in time. */
export async function requireJetStream(connection: NatsConnection, timeoutMs: number): Promise<void> {
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: timeoutMs });
    const { limits, storage, tiers } = await manager.getAccountInfo();
    // An account with tiers has its limits there, and 0 here.
    const isLimited = tiers ? limits.max_storage > 0 : limits.max_storage >= 0;
    if (isLimited && storage >= limits.max_storage)
      throw new StorageFull(`${storage} of ${limits.max_storage} bytes`);
  } catch (error) {
    // In a cluster the servers with JetStream may be away for a moment; nobody answers then either.
    if (isNotEnabled(error) && !isForAccount(error) && connection.info?.cluster)
      throw new Error('timeout: no server of the cluster has answered for JetStream', { cause: error });
    throw error;
  }
}

class StorageFull extends JetStreamError {}

/** Whether JetStream is off, as opposed to slow or without a leader. */
export const isNotEnabled = (error: unknown): boolean =>
  error instanceof Error && error.name === 'JetStreamNotEnabled';

const isForAccount = (error: unknown) => error instanceof Error && error.cause instanceof JetStreamApiError;

export function natsCause(error: unknown, at: string): Cause | null {
  if (error instanceof AggregateError) return natsCause(error.errors[0], at);
  if (isForAccount(error) && isNotEnabled(error))
    return wrong(
      `${at} has JetStream, but not for the account of this user`,
      'Add `jetstream: enabled` to the account in nats.conf, and reload nats-server.',
    );
  if (isNotEnabled(error)) return wrong(`${at} runs without JetStream, so no scan could be counted`, turnOn);
  // Ingest and deliver are what empties it: they have to start.
  if (error instanceof StorageFull)
    return away(
      `the account of JetStream at ${at} is full (${error.message})`,
      'Raise `max_file` of the account in nats.conf, and reload nats-server.',
    );
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError)
    return wrong(
      `${at} refuses the user, the password or the token`,
      'Put the right ones into NATS_URL, as nats://user:password@host:4222 or nats://token@host:4222.',
    );
  if (error instanceof errors.PermissionViolationError)
    return wrong(
      `${at} does not let the user do this: ${error.message}`,
      'Allow the user to publish and subscribe to scans.>, webhooks.>, signpost.>, $JS.> and _INBOX.>.',
    );
  return error instanceof JetStreamApiError ? apiCause(error, at) : null;
}

/** Debian's package starts nats-server without it. */
const turnOn =
  'Add `jetstream { store_dir: "/var/lib/nats/jetstream" }` to nats.conf (Debian: /etc/nats-server.conf), let the user of nats-server write that directory, and restart it.';

/** By the code of an error of JetStream: the store, the account or the stream has no room for more. */
export const storeIsFull = (code: number | undefined): boolean =>
  code !== undefined && [10002, 10023, 10028, 10047, 10077].includes(code);

function apiCause(error: JetStreamApiError, at: string): Cause {
  const said = `JetStream of ${at} says: ${error.message}`;
  if (error.code === 10005 || error.code === 10074)
    return wrong(said, 'Set SCAN_LOG_REPLICAS to the number of servers that there are, or 1.');
  if (error.code === 10047)
    return wrong(
      said,
      'Signpost reserves nothing, but other streams in this NATS do with `max_bytes`: raise `max_file_store` in the jetstream block of nats.conf, or lower theirs.',
    );
  if (storeIsFull(error.code))
    return wrong(
      said,
      'Raise `max_file_store` in the jetstream block of nats.conf, or give its disk more space.',
    );
  return {
    kind: 'away',
    seen: said,
    cure: 'Look at its log: a cluster needs more than half of its servers.',
  };
}
