import { AsyncLocalStorage } from 'node:async_hooks';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import type { MailKind } from './mails.ts';

/**
 * Sends mail after the response to its request: a few at a time, with a bounded queue. Beyond that, mail is dropped and
 * counted. No response waits for a mail, so its time does not reveal whether there was anything to send.
 */
export type Outbox = {
  /** `send` resolves with null if there was nothing to send. */
  add(kind: MailKind, send: Send): void;
  /** Waits briefly for mails that are being sent, and drops the queued ones. */
  close(): Promise<void>;
};

export type MailOutcome = 'sent' | 'failed' | 'shed';

/** Why a mail was not sent: the error, or why it was dropped. */
type MailReason = { readonly error?: unknown; readonly shed?: 'queue full' | 'shutting down' };

type Send = () => Promise<MailOutcome | null>;

type Options = {
  readonly concurrency?: number;
  readonly maxQueued?: number;
  readonly onOutcome: (kind: MailKind, outcome: MailOutcome, reason: MailReason) => void;
};

const closeTimeoutMs = 5000;

export function createOutbox({ concurrency = 2, maxQueued = 500, onOutcome }: Options): Outbox {
  const queue: { kind: MailKind; send: Send }[] = [];
  const sending = new Set<Promise<void>>();
  let isClosed = false;
  // A mail must not keep its request's trace and database connection.
  const outsideRequest = AsyncLocalStorage.snapshot();

  async function deliver({ kind, send }: (typeof queue)[number]): Promise<void> {
    try {
      const outcome = await send();
      if (outcome) onOutcome(kind, outcome, {});
    } catch (error) {
      onOutcome(kind, 'failed', { error });
    }
  }

  function next(): void {
    if (sending.size >= concurrency || isClosed) return;
    const mail = queue.shift();
    if (!mail) return;
    const done = outsideRequest(deliver, mail).finally(() => {
      sending.delete(done);
      next();
    });
    sending.add(done);
  }

  return {
    add(kind, send) {
      if (isClosed) return onOutcome(kind, 'shed', { shed: 'shutting down' });
      if (queue.length >= maxQueued) return onOutcome(kind, 'shed', { shed: 'queue full' });
      queue.push({ kind, send });
      // After the response of this request was most likely written.
      setImmediate(next);
    },
    async close() {
      isClosed = true;
      for (const { kind } of queue.splice(0)) onOutcome(kind, 'shed', { shed: 'shutting down' });
      await withTimeout(closeTimeoutMs, Promise.all(sending)).catch(() => undefined);
    },
  };
}
