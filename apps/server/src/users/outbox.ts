import { AsyncLocalStorage } from 'node:async_hooks';
import { within } from '../kernel/within.ts';
import type { MailKind } from './mails.ts';

/**
 * Mail that is sent after its request was answered: a few at a time, a bounded number waiting. Past that, mail is shed and
 * counted; nobody who asks waits for it, or learns from the wait whether there was anything to send.
 */
export type Outbox = {
  /** `send` resolves with null where there turned out to be nothing to send. */
  add(kind: MailKind, send: Send): void;
  /** Waits for what is being sent, but not for long; what still waits is shed. */
  close(): Promise<void>;
};

export type MailOutcome = 'sent' | 'failed' | 'shed';

/** Why a mail was not sent: what failed, or which bound it met. */
export type MailReason = { readonly error?: unknown; readonly shed?: 'queue full' | 'shutting down' };

type Send = () => Promise<MailOutcome | null>;

type Options = {
  readonly atOnce?: number;
  readonly maxWaiting?: number;
  readonly onOutcome: (kind: MailKind, outcome: MailOutcome, reason: MailReason) => void;
};

const closingMs = 5000;

export function createOutbox({ atOnce = 2, maxWaiting = 500, onOutcome }: Options): Outbox {
  const waiting: { kind: MailKind; send: Send }[] = [];
  const sending = new Set<Promise<void>>();
  let isClosed = false;
  // A mail belongs to no request: not to its trace, nor to the connection that it holds.
  const apart = AsyncLocalStorage.snapshot();

  async function deliver({ kind, send }: (typeof waiting)[number]): Promise<void> {
    try {
      const outcome = await send();
      if (outcome) onOutcome(kind, outcome, {});
    } catch (error) {
      onOutcome(kind, 'failed', { error });
    }
  }

  function next(): void {
    if (sending.size >= atOnce || isClosed) return;
    const one = waiting.shift();
    if (!one) return;
    const done = apart(deliver, one).finally(() => {
      sending.delete(done);
      next();
    });
    sending.add(done);
  }

  return {
    add(kind, send) {
      if (isClosed) return onOutcome(kind, 'shed', { shed: 'shutting down' });
      if (waiting.length >= maxWaiting) return onOutcome(kind, 'shed', { shed: 'queue full' });
      waiting.push({ kind, send });
      // After the answer of this request is on its way, as far as that can be told.
      setImmediate(next);
    },
    async close() {
      isClosed = true;
      for (const { kind } of waiting.splice(0)) onOutcome(kind, 'shed', { shed: 'shutting down' });
      await within(closingMs, Promise.all(sending)).catch(() => undefined);
    },
  };
}
