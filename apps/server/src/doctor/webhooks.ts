import { isSolo } from '../kernel/addresses/engine-address.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { findSoleProcess } from '../platform/process-channel.ts';
import { measureQueue, type QueueState } from '../webhooks/delivery/queue/queue-state.ts';
import { countQueued } from '../webhooks/delivery/queue/stored-queue.ts';
import { backlog } from '../webhooks/delivery/statements.ts';
import { createSecretCipher } from '../webhooks/secret.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, problem, warning } from './finding.ts';

/** The measurements that the findings about webhooks rest on. */
export type WebhookState = {
  /** Counted up to 1,000. */
  readonly endpoints: number;
  readonly hasKey: boolean;
  /** Endpoints whose secret no key decrypts. */
  readonly unreadable: number;
  /** Null until it is created. */
  readonly queue: QueueState | null;
  /** Retries that are due, counted up to 10,000. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
};

const [lateSeconds, veryLateSeconds] = [60, 600];

/** Whether a deliver is running, what waits and since when, and whether messages can be signed. */
export async function checkWebhooks({ config, postgres, nats }: DoctorContext): Promise<readonly Outcome[]> {
  const solo = isSolo(config);
  if (!('db' in postgres) || (!solo && !('connection' in nats)))
    return [notChecked('PostgreSQL or NATS cannot be reached')];
  try {
    const now = new Date();
    const [secrets, queue, [row]] = await Promise.all([
      listSecrets(postgres.db),
      'connection' in nats ? measureQueue(nats.connection) : measureSoloQueue(postgres.db),
      postgres.db.query<{ due: number; oldest: Date | null }>(backlog, [now]),
    ]);
    const cipher = createSecretCipher(config.webhookSecretKeys);
    const state = {
      endpoints: secrets.length,
      hasKey: config.webhookSecretKeys.length > 0,
      unreadable: secrets.filter(secret => !succeeds(() => cipher.decrypt(secret))).length,
      queue,
      due: row?.due ?? 0,
      oldestDueAt: row?.oldest ?? null,
    };
    return assessWebhooks(state, now);
  } catch (error) {
    return [
      warning(
        `webhooks cannot be checked: ${describeError(error)}`,
        'Run `signpost migrate` and start `signpost deliver`, which creates the queue; then run this again.',
      ),
    ];
  }
}

/** The queue of `signpost solo`, which reads it for as long as it runs. */
const measureSoloQueue = async (db: Database): Promise<QueueState> => ({
  messages: await countQueued(db),
  oldestAt: null,
  isRead: (await findSoleProcess(db)) !== null,
});

export function assessWebhooks(state: WebhookState, now: Date): readonly Outcome[] {
  const { endpoints, hasKey, unreadable } = state;
  if (endpoints > 0 && !hasKey)
    return [
      problem(
        `WEBHOOK_SECRET_KEYS is not set, but there ${endpoints === 1 ? 'is' : 'are'} ${plural(endpoints, 'webhook')}: no message can be signed, so none is sent`,
        'Set it to the value it had when they were created. If that is lost, set a new one and ask the owners to rotate their secrets.',
      ),
      assessBacklog(state, now),
    ];
  if (unreadable > 0)
    return [
      problem(
        `no key in WEBHOOK_SECRET_KEYS decrypts the secret of ${unreadable} of ${plural(endpoints, 'webhook')}: their messages are not sent`,
        'Add the key that was in use when they were created, after the others; or ask their owners to rotate the secret.',
      ),
      assessBacklog(state, now),
    ];
  return [assessBacklog(state, now)];
}

function assessBacklog({ endpoints, queue, due, oldestDueAt }: WebhookState, now: Date): Outcome {
  const messages = queue?.messages ?? 0;
  if (endpoints + messages + due === 0) return ok('there are no webhooks');
  const toAgeSeconds = (at: Date | null | undefined) =>
    at ? Math.max(0, now.getTime() - at.getTime()) / 1000 : 0;
  const [queued, overdue] = [toAgeSeconds(queue?.oldestAt), toAgeSeconds(oldestDueAt)];
  const since = (seconds: number) => (seconds > 0 ? `, the oldest for ${Math.round(seconds)} s` : '');
  const waits = `${plural(messages, 'message')} in the queue${since(queued)}; ${plural(due, 'retry')} due${since(overdue)}`;
  if (!queue?.isRead)
    return (messages + due > 0 ? problem : warning)(
      `no deliver is running; ${waits}`,
      'Start `signpost deliver`, `signpost all` or `signpost solo`. Nothing is lost: messages wait in the queue and in PostgreSQL.',
    );
  const seconds = Math.max(queued, overdue);
  if (seconds <= lateSeconds) return ok(waits);
  const next =
    'Start another `signpost deliver`, or raise WEBHOOK_CONCURRENCY; the log of deliver says whether an engine is down. See docs/self-hosting/runbooks/webhooks-late.md.';
  return seconds > veryLateSeconds ? problem(waits, next) : warning(waits, next);
}

function plural(count: number, noun: string): string {
  const pluralNoun = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : pluralNoun}`;
}

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

const findSecrets = sql(
  'doctor-webhook-secrets',
  'select secret from webhook_endpoints where deleted_at is null limit 1000',
);

const listSecrets = async (db: Database): Promise<Buffer[]> =>
  (await db.query<{ secret: Buffer }>(findSecrets)).map(({ secret }) => secret);
