import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import type { Uuid } from '../../../kernel/ids.ts';
import { withTimeout } from '../../../kernel/running/with-timeout.ts';
import { type Nats, type NatsConnection, traceHeaders } from '../../../platform/nats/nats.ts';
import type { Message } from '../../webhook.ts';
import { writeMessage } from './queue-message.ts';
import { toSubject } from './queue-stream.ts';

/** A message that the queue refused, or did not confirm in time. */
export type Unsent = {
  readonly message: Message;
  readonly reason: UnsentReason;
  /** It may be in the queue all the same. */
  readonly isUnconfirmed: boolean;
};

/**
 * The account or the whole queue has reached its limit; the queue did not answer in time; there was no time left to send
 * it; NATS or the queue is missing.
 */
export const unsentReasons = ['account_full', 'queue_full', 'no_answer', 'no_time', 'away'] as const;
export type UnsentReason = (typeof unsentReasons)[number];

type Parts = {
  readonly nats: Nats;
  /** Resolves once the queue is known to exist. It goes on by itself when a caller stops waiting for it. */
  readonly ensureQueue: (connection: NatsConnection) => Promise<void>;
  /** Called where the queue no longer exists on a working connection. */
  readonly onMissing: () => void;
};

/** An answer is awaited this long; messages are sent for this long, and the rest are not sent. */
const [answerMs, sendingMs] = [500, 1_000];
/** On a disk that syncs each message, this many are stored well within the time for an answer. */
const maxInFlight = 64;
/** The queue is silent when an answer is late and no other has come for this long. */
const silentAfterMs = answerMs / 2;
/** A full queue is tried again after this; a silent one is probed after this, and each time twice as late. */
const [fullBackOffMs, minBackOffMs, maxBackOffMs] = [1_000, 1_000, 30_000];

/**
 * Publishes without ever waiting for long: messages that find no room or no answer are returned. A full or silent queue is
 * left alone for a while, so that the next call does not wait for the same answer again.
 */
export function createQueuePublisher({ nats, ensureQueue, onMissing }: Parts) {
  const accountFullUntilMs = new Map<Uuid, number>();
  let queueFullUntilMs = 0;
  let isSilent = false;
  let backOffMs = minBackOffMs;
  let answeredMs = 0;

  function isAccountFull(accountId: Uuid): boolean {
    const untilMs = accountFullUntilMs.get(accountId);
    if (untilMs === undefined) return false;
    if (performance.now() < untilMs) return true;
    accountFullUntilMs.delete(accountId);
    return false;
  }

  /** Until it answers, a silent queue is only probed in the background. No publish waits for it. */
  function markSilent(): void {
    if (isSilent) return;
    isSilent = true;
    setTimeout(probe, backOffMs).unref();
    backOffMs = Math.min(2 * backOffMs, maxBackOffMs);
  }

  async function probe(): Promise<void> {
    onMissing();
    const connection = nats.connection();
    // No caller waits for this one, so it has no time limit: a queue may need longer than an answer to be ready.
    const isAnswering = connection === null || (await succeeds(ensureQueue(connection)));
    isSilent = false;
    if (!isAnswering) markSilent();
  }

  /** Why a message cannot be sent now, as far as that is known without asking. */
  function findRefusal(accountId: Uuid): UnsentReason | null {
    if (nats.connection() === null) return 'away';
    if (isSilent) return 'no_answer';
    if (performance.now() < queueFullUntilMs) return 'queue_full';
    return isAccountFull(accountId) ? 'account_full' : null;
  }

  /** Null where the queue has it. */
  async function send(connection: NatsConnection, message: Message): Promise<Unsent | null> {
    try {
      const sending = jetstream(connection).publish(toSubject(message.accountId), writeMessage(message), {
        msgID: message.id,
        // The client's own limit would reject an answer that came while this process was busy.
        timeout: 2 * answerMs,
        ...(message.trace ? { headers: traceHeaders(message.trace) } : {}),
      });
      await withTimeout(answerMs, sending);
      answeredMs = performance.now();
      backOffMs = minBackOffMs;
      return null;
    } catch (error) {
      const unsent = { message, ...toUnsentReason(error) };
      note(unsent);
      return unsent;
    }
  }

  function note({ message, reason, isUnconfirmed }: Unsent): void {
    const nowMs = performance.now();
    if (!isUnconfirmed) answeredMs = nowMs;
    if (reason === 'account_full') accountFullUntilMs.set(message.accountId, nowMs + fullBackOffMs);
    else if (reason === 'queue_full') queueFullUntilMs = nowMs + fullBackOffMs;
    else if (reason === 'away') onMissing();
    // Another error would only repeat itself. A late answer alone does not make the queue silent.
    else if (!isUnconfirmed || nowMs - answeredMs > silentAfterMs) markSilent();
  }

  /** Resolves with the messages that the queue refused or did not confirm, in the given order. */
  return async function publish(
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<readonly Unsent[]> {
    const endsMs = performance.now() + sendingMs;
    const connection = nats.connection();
    if (connection && !isSilent && !(await succeeds(withTimeout(answerMs, ensureQueue(connection)))))
      markSilent();
    const results: (Unsent | null)[] = [];
    let next = 0;
    async function sendInTurn(): Promise<void> {
      while (next < messages.length) {
        signal.throwIfAborted();
        const index = next++;
        const message = messages[index]!;
        const reason = findRefusal(message.accountId) ?? (performance.now() < endsMs ? null : 'no_time');
        results[index] =
          reason || !connection
            ? { message, reason: reason ?? 'away', isUnconfirmed: false }
            : await send(connection, message);
      }
    }
    await Promise.all(Array.from({ length: Math.min(maxInFlight, messages.length) }, sendInTurn));
    return results.filter(result => result !== null);
  };
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const maximumReached = 10_077;

function toUnsentReason(error: unknown): Omit<Unsent, 'message'> {
  // The client does not export this class: no stream listens to the subject.
  if (error instanceof Error && error.name === 'JetStreamNotEnabled')
    return { reason: 'away', isUnconfirmed: false };
  if (!(error instanceof JetStreamApiError)) return { reason: 'no_answer', isUnconfirmed: true };
  if (error.code !== maximumReached) return { reason: 'no_answer', isUnconfirmed: false };
  const isAccountLimit = error.message.includes('per subject');
  return { reason: isAccountLimit ? 'account_full' : 'queue_full', isUnconfirmed: false };
}
