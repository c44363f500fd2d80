import type { Clock } from '../../../kernel/clock.ts';
import { formatId } from '../../../kernel/ids.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Tracer } from '../../../platform/tracing.ts';
import type { SecretCipher } from '../../secret.ts';
import { type AttemptResult, accepts, type Endpoint, isTest, type NotSent } from '../../webhook.ts';
import type { Job } from '../job.ts';
import type { DispatcherCounters } from '../metrics.ts';
import type { EndpointReader } from '../queue/endpoint-reader.ts';
import type { FastEndpoints } from '../rates/fast-endpoints.ts';
import type { RateScheduler } from '../rates/rate-scheduler.ts';
import { traceAttempt } from './attempt-trace.ts';
import { attempted, deferred, type Outcome } from './outcome.ts';
import { attemptNeedsMs } from './retry-poller.ts';
import type { Sender } from './sender.ts';
import { sign } from './signature.ts';

/** Makes the attempt of one job: reads its endpoint, signs, sends, and turns the answer into an outcome. */
export type AttemptRunner = { run(job: Job): Promise<Outcome | NotAttempted> };

/**
 * Lease too short: another process may take the message before an attempt could end.
 * No reservation: the job has none, or it has expired, or the endpoint has moved to another host since.
 */
export type NotAttempted = 'lease_too_short' | 'no_reservation';

type Parts = {
  readonly endpoints: EndpointReader;
  readonly rateScheduler: Pick<RateScheduler, 'isExpired' | 'awaitReservation' | 'noteEndpoint'>;
  readonly sender: Pick<Sender, 'prepare' | 'send'>;
  readonly cipher: Pick<SecretCipher, 'decrypt'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  readonly counters: Pick<DispatcherCounters, 'attempted' | 'firstAttempt'>;
  readonly fastEndpoints: FastEndpoints;
  readonly tracer: Tracer | undefined;
};

/** Only the operator can repair a secret that cannot be decrypted. Until then its messages wait. */
const unreadableSecretMs = 60_000;

export function createAttemptRunner(parts: Parts): AttemptRunner {
  const { endpoints, rateScheduler, sender, cipher, clock, logger, counters, fastEndpoints, tracer } = parts;

  function decryptSecrets(endpoint: Endpoint): Buffer[] | null {
    try {
      return secretsAt(endpoint, clock.now()).map(encrypted => cipher.decrypt(encrypted));
    } catch (error) {
      logger.error(
        { err: error, endpoint: formatId('whk', endpoint.id) },
        'webhook secret cannot be decrypted',
      );
      return null;
    }
  }

  async function send(job: Job, endpoint: Endpoint, secrets: readonly Buffer[]): Promise<AttemptResult> {
    const { id, body } = job.message;
    const headers = sign(formatId('msg', id), clock.now(), body, secrets, { isTest: isTest(job.message) });
    return await sender.send(endpoint.url, headers, body);
  }

  return {
    async run(job) {
      const startedMs = performance.now();
      if (job.leaseEndsMs - startedMs < attemptNeedsMs) return 'lease_too_short';
      // Before anything is read for it.
      if (rateScheduler.isExpired(job)) return 'no_reservation';
      const endpoint = await endpoints.read(job.message.endpointId);
      if (!endpoint) return { kind: 'dropped', job };
      const reason = whyNotSent(endpoint, job);
      if (reason) return attempted(job, notSent(clock.now(), reason), clock.now());
      const secrets = decryptSecrets(endpoint);
      if (!secrets) return deferred(job, new Date(clock.now().getTime() + unreadableSecretMs));
      rateScheduler.noteEndpoint(endpoint, performance.now() - startedMs);
      // Ahead of the reserved time: a name server that answers late must not be able to bunch attempts.
      const refusal = await sender.prepare(endpoint.url);
      if (job.leaseEndsMs - performance.now() < attemptNeedsMs) return 'lease_too_short';
      if (!refusal && !(await rateScheduler.awaitReservation(job, endpoint))) return 'no_reservation';
      if (job.attempts === 0) counters.firstAttempt(clock.now().getTime() - job.message.createdAt.getTime());
      const endTrace = traceAttempt(tracer, job);
      const result = refusal ?? (await send(job, endpoint, secrets));
      endTrace?.(result);
      counters.attempted(result.error ?? 'delivered');
      fastEndpoints.note(endpoint.id, result);
      const outcome = attempted(job, result, clock.now());
      const isFirstSuccess = endpoint.provenAt === null && result.error === null;
      return isFirstSuccess ? { ...outcome, provenUrl: endpoint.url } : outcome;
    },
  };
}

function whyNotSent(endpoint: Endpoint, { message }: Job): NotSent | null {
  if (!endpoint.enabled) return 'disabled';
  return accepts(endpoint, message) ? null : 'event_removed';
}

/** The secrets that sign at this time: the new one, and until it expires the old one. */
export function secretsAt({ secret, oldSecret, oldSecretUntil }: Endpoint, now: Date): Buffer[] {
  return oldSecret && oldSecretUntil && now < oldSecretUntil ? [secret, oldSecret] : [secret];
}

const notSent = (at: Date, error: NotSent): AttemptResult => ({
  at,
  durationMs: 0,
  responseStatus: null,
  error,
  response: '',
  retryAfterSeconds: null,
});
