import { JetStreamApiError, jetstream } from '@nats-io/jetstream';
import type { Uuid } from '../kernel/ids.ts';
import { within } from '../kernel/within.ts';
import { type Nats, type NatsConnection, traceHeaders } from '../platform/nats.ts';
import { writeMessage } from './queue-message.ts';
import { subjectOf } from './queue-stream.ts';
import type { Message } from './webhook.ts';

/** A message that the queue did not take, or did not say in time that it has it. */
export type Unsent = {
  readonly message: Message;
  readonly reason: UnsentReason;
  /** It may be in the queue all the same. */
  readonly isDoubtful: boolean;
};

/**
 * The account or the whole queue has as many as it may; nobody answered in time; there was no time left to send it; there is
 * no NATS or no queue.
 */
export const unsentReasons = ['account_full', 'queue_full', 'no_answer', 'no_time', 'away'] as const;
export type UnsentReason = (typeof unsentReasons)[number];

type Parts = {
  readonly nats: Nats;
  /** Resolves when the queue is known to be there. It goes on by itself when nobody waits for it any more. */
  readonly ready: (connection: NatsConnection) => Promise<void>;
  /** The queue has gone from under a connection that stands. */
  readonly onGone: () => void;
};

/** An answer is waited for so long; messages are sent for so long, and those that are left then are not. */
const [answerMs, sendingMs] = [500, 1_000];
/** On a disk that syncs each message, so many are stored well within the time for an answer. */
const mostUnderWay = 64;
/** A queue is silent when an answer is late and no other has come for so long. */
const noAnswerMs = answerMs / 2;
/** What was full is asked again after so long; what did not answer is looked at after so long, and each time twice as long. */
const [fullRestMs, firstRestMs, longestRestMs] = [1_000, 1_000, 30_000];

/**
 * Publishes without ever waiting for long: what finds no room, or nobody who answers, comes back. Who was full or silent is
 * left alone for a while, so that the next call does not wait for the same answer again.
 */
export function createQueuePublisher({ nats, ready, onGone }: Parts) {
  const fullUntilMs = new Map<Uuid, number>();
  let queueFullUntilMs = 0;
  let isSilent = false;
  let restMs = firstRestMs;
  let answeredMs = 0;

  function isFull(accountId: Uuid): boolean {
    const untilMs = fullUntilMs.get(accountId);
    if (untilMs === undefined) return false;
    if (performance.now() < untilMs) return true;
    fullUntilMs.delete(accountId);
    return false;
  }

  /** Nobody waits for it again before it has answered; that is looked for here, beside all publishing. */
  function silent(): void {
    if (isSilent) return;
    isSilent = true;
    setTimeout(lookAgain, restMs).unref();
    restMs = Math.min(2 * restMs, longestRestMs);
  }

  async function lookAgain(): Promise<void> {
    onGone();
    const connection = nats.connection();
    // Nobody waits for this one, so it takes as long as it takes: a queue may need longer than an answer to be ready.
    const isAnswering = connection === null || (await succeeds(ready(connection)));
    isSilent = false;
    if (!isAnswering) silent();
  }

  /** What there is to say of a message at once, without asking. */
  function known(accountId: Uuid): UnsentReason | null {
    if (nats.connection() === null) return 'away';
    if (isSilent) return 'no_answer';
    if (performance.now() < queueFullUntilMs) return 'queue_full';
    return isFull(accountId) ? 'account_full' : null;
  }

  /** Null where the queue has it. */
  async function send(connection: NatsConnection, message: Message): Promise<Unsent | null> {
    try {
      const sending = jetstream(connection).publish(subjectOf(message.accountId), writeMessage(message), {
        msgID: message.id,
        // The client's own limit would not take an answer that came while this process was busy.
        timeout: 2 * answerMs,
        ...(message.trace ? { headers: traceHeaders(message.trace) } : {}),
      });
      await within(answerMs, sending);
      answeredMs = performance.now();
      restMs = firstRestMs;
      return null;
    } catch (error) {
      const unsent = { message, ...refusalOf(error) };
      note(unsent);
      return unsent;
    }
  }

  function note({ message, reason, isDoubtful }: Unsent): void {
    const nowMs = performance.now();
    if (!isDoubtful) answeredMs = nowMs;
    if (reason === 'account_full') fullUntilMs.set(message.accountId, nowMs + fullRestMs);
    else if (reason === 'queue_full') queueFullUntilMs = nowMs + fullRestMs;
    else if (reason === 'away') onGone();
    // What is refused for another reason would be refused again; what is only late is not silent.
    else if (!isDoubtful || nowMs - answeredMs > noAnswerMs) silent();
  }

  /** Resolves with what the queue does not have, or perhaps not, in the order that was given. */
  return async function publish(
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<readonly Unsent[]> {
    const endsMs = performance.now() + sendingMs;
    const connection = nats.connection();
    if (connection && !isSilent && !(await succeeds(within(answerMs, ready(connection))))) silent();
    const outcomes: (Unsent | null)[] = [];
    let next = 0;
    async function sendInTurn(): Promise<void> {
      while (next < messages.length) {
        signal.throwIfAborted();
        const at = next++;
        const message = messages[at]!;
        const reason = known(message.accountId) ?? (performance.now() < endsMs ? null : 'no_time');
        if (reason || !connection) outcomes[at] = { message, reason: reason ?? 'away', isDoubtful: false };
        else outcomes[at] = await send(connection, message);
      }
    }
    await Promise.all(Array.from({ length: Math.min(mostUnderWay, messages.length) }, sendInTurn));
    return outcomes.filter(outcome => outcome !== null);
  };
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const maximumReached = 10_077;

function refusalOf(error: unknown): Omit<Unsent, 'message'> {
  // Not exported by the client: no stream listens to the subject.
  if (error instanceof Error && error.name === 'JetStreamNotEnabled')
    return { reason: 'away', isDoubtful: false };
  if (!(error instanceof JetStreamApiError)) return { reason: 'no_answer', isDoubtful: true };
  if (error.code !== maximumReached) return { reason: 'no_answer', isDoubtful: false };
  const isOfAccount = error.message.includes('per subject');
  return { reason: isOfAccount ? 'account_full' : 'queue_full', isDoubtful: false };
}
