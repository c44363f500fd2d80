import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import {
  isForAccount,
  isJetStreamDisabled,
  isStoreFull,
  JetStreamAccountFullError,
  jetStreamErrors,
} from '../nats/jetstream.ts';
import { type Diagnosis, misconfiguration, outage } from './diagnosis.ts';
import { errorText } from './error-text.ts';

export function diagnoseNats(error: unknown, server: string): Diagnosis | null {
  if (error instanceof AggregateError) return diagnoseNats(error.errors[0], server);
  const { message } = errorText(error);
  // A busy server or a slow network, not a wrong password: the driver has one error for both.
  if (/^Authentication Timeout/i.test(message))
    return outage(`${server} says: ${message}`, 'Check its load and its log, and try again.');
  if (isForAccount(error) && isJetStreamDisabled(error))
    return misconfiguration(
      `${server} has JetStream, but not for the account of this user`,
      'Add `jetstream: enabled` to the account in nats.conf, and reload nats-server.',
    );
  if (isJetStreamDisabled(error))
    return misconfiguration(`${server} runs without JetStream, so no scan could be counted`, enableJetStream);
  // An outage, since Ingest and Deliver have to start: they are what empties it.
  if (error instanceof JetStreamAccountFullError)
    return outage(
      `the JetStream account at ${server} is full (${error.message})`,
      'Raise `max_file` of the account in nats.conf, and reload nats-server.',
    );
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError)
    return misconfiguration(
      `${server} refuses the user, the password or the token`,
      'Correct them in NATS_URL, as nats://user:password@host:4222 or nats://token@host:4222.',
    );
  if (error instanceof errors.PermissionViolationError)
    return misconfiguration(
      `${server} does not allow the user to do this: ${error.message}`,
      'Allow the user to publish and subscribe to scans.>, webhooks.>, signpost.>, $JS.> and _INBOX.>.',
    );
  return error instanceof JetStreamApiError ? diagnoseJetStream(error, server) : null;
}

/** Debian's package starts nats-server without JetStream. */
const enableJetStream =
  'Add `jetstream { store_dir: "/var/lib/nats/jetstream" }` to nats.conf (Debian: /etc/nats-server.conf), let the user of nats-server write to that directory, and restart it.';

function diagnoseJetStream(error: JetStreamApiError, server: string): Diagnosis {
  const quote = `JetStream of ${server} says: ${error.message}`;
  if (error.code === jetStreamErrors.noPeers || error.code === jetStreamErrors.replicasNotSupported)
    return misconfiguration(quote, 'Set SCAN_LOG_REPLICAS to the number of servers in the cluster, or to 1.');
  if (error.code === jetStreamErrors.storageExceeded)
    return misconfiguration(
      quote,
      'Signpost reserves nothing, but other streams in this NATS do with `max_bytes`: raise `max_file_store` in the jetstream block of nats.conf, or lower their `max_bytes`.',
    );
  if (isStoreFull(error.code))
    return misconfiguration(
      quote,
      'Raise `max_file_store` in the jetstream block of nats.conf, or give its disk more space.',
    );
  return outage(quote, 'Check its log: a cluster needs more than half of its servers.');
}
