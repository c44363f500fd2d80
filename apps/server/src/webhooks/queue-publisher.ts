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

/** The account or the whole queue has as many as it may; nobody answered in time; there is no NATS or no queue. */
export const unsentReasons = ['account_full', 'queue_full', 'no_answer', 'away'] as const;
export type UnsentReason = (typeof unsentReasons)[number];

type Parts = {
  readonly nats: Nats;
  /** Resolves when the queue is known to be there. It goes on by itself when nobody waits for it any more. */
  readonly ready: (connection: NatsConnection) => Promise<void>;
  /** The queue has gone from under a connection that stands. */
  readonly onGone: () => void;
};

/** Whoever publishes waits for one answer so long, and for all of them so long. */
const [answerMs, allMs] = [500, 1_000];
const publishAtOnce = 500;
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
    const isAnswering = connection === null || (await isReady(connection));
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
  async function send(connection: NatsConnection, message: Message, timeout: number): Promise<Unsent | null> {
    try {
      await jetstream(connection).publish(subjectOf(message.accountId), writeMessage(message), {
        msgID: message.id,
        timeout,
        ...(message.trace ? { headers: traceHeaders(message.trace) } : {}),
      });
      return null;
    } catch (error) {
      return { message, ...refusalOf(error) };
    }
  }

  function note({ message, reason }: Unsent): void {
    const untilMs = performance.now() + fullRestMs;
    if (reason === 'account_full') fullUntilMs.set(message.accountId, untilMs);
    else if (reason === 'queue_full') queueFullUntilMs = untilMs;
    else if (reason === 'away') onGone();
  }

  /** True where the queue is there; false where nobody said so in time. */
  async function isReady(connection: NatsConnection): Promise<boolean> {
    return await within(answerMs, ready(connection)).then(
      () => true,
      () => false,
    );
  }

  /** Sends some together, and learns from what comes back. */
  async function sendTogether(
    connection: NatsConnection,
    messages: readonly Message[],
    timeoutMs: number,
  ): Promise<Unsent[]> {
    const outcomes = await Promise.all(messages.map(message => send(connection, message, timeoutMs)));
    const unsent = outcomes.filter(outcome => outcome !== null);
    for (const one of unsent) note(one);
    if (unsent.some(({ reason }) => reason === 'no_answer')) silent();
    else restMs = firstRestMs;
    return unsent;
  }

  /** Resolves with what the queue does not have, or perhaps not. */
  return async function publish(
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<readonly Unsent[]> {
    const endsMs = performance.now() + allMs;
    const unsent: Unsent[] = [];
    const keepBack = (message: Message, reason: UnsentReason) =>
      unsent.push({ message, reason, isDoubtful: false });
    const connection = nats.connection();
    if (connection && !isSilent && !(await isReady(connection))) silent();
    for (let at = 0; at < messages.length; ) {
      signal.throwIfAborted();
      const leftMs = endsMs - performance.now();
      const part = messages.slice(at, at + publishAtOnce);
      at += part.length;
      const open: Message[] = [];
      for (const message of part) {
        const reason = leftMs < 1 ? 'no_answer' : known(message.accountId);
        if (reason) keepBack(message, reason);
        else open.push(message);
      }
      if (connection && open.length > 0)
        unsent.push(...(await sendTogether(connection, open, Math.min(answerMs, leftMs))));
    }
    return unsent;
  };
}

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
