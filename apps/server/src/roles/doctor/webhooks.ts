import { type Database, sql } from '../../platform/postgres.ts';
import { measureQueue, type QueueState } from '../../webhooks/queue-meter.ts';
import { createSecretBox } from '../../webhooks/secret.ts';
import { backlog } from '../../webhooks/settle-statements.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

/** What there is to know about webhooks before one can say how they are. */
export type WebhookState = {
  /** Counted up to 1,000. */
  readonly endpoints: number;
  readonly hasKey: boolean;
  /** Endpoints whose secret none of the keys opens. */
  readonly unreadable: number;
  /** Null: nobody has made it yet. */
  readonly queue: QueueState | null;
  /** Retries whose time has come, counted up to 10,000. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
};

const [lateSeconds, veryLateSeconds] = [60, 600];

/** Whether somebody delivers, what waits and since when, and whether what is sent can be signed. */
export async function checkWebhooks({ config, postgres, nats }: Patient): Promise<readonly Outcome[]> {
  if (!('db' in postgres) || !('connection' in nats))
    return [warning('not looked at, since PostgreSQL or NATS is not reached', 'See above.')];
  try {
    const now = new Date();
    const [secrets, queue, [row]] = await Promise.all([
      secretsOf(postgres.db),
      measureQueue(nats.connection),
      postgres.db.query<{ due: number; oldest: Date | null }>(backlog, [now]),
    ]);
    const box = createSecretBox(config.webhookSecretKeys);
    const state = {
      endpoints: secrets.length,
      hasKey: config.webhookSecretKeys.length > 0,
      unreadable: secrets.filter(secret => !opens(() => box.open(secret))).length,
      queue,
      due: row?.due ?? 0,
      oldestDueAt: row?.oldest ?? null,
    };
    return judgeWebhooks(state, now);
  } catch (error) {
    return [
      warning(
        `webhooks cannot be looked at: ${wordsOf(error)}`,
        'Run `signpost migrate` and start `signpost deliver`, which makes what is missing; then look again.',
      ),
    ];
  }
}

export function judgeWebhooks(state: WebhookState, now: Date): readonly Outcome[] {
  const { endpoints, hasKey, unreadable } = state;
  if (endpoints > 0 && !hasKey)
    return [
      problem(
        `WEBHOOK_SECRET_KEYS is not set, but there ${endpoints === 1 ? 'is' : 'are'} ${many(endpoints, 'webhook')}: nothing can be signed, so nothing is sent`,
        'Set it to what it was when they were made. If that is lost, set a new one and let owners rotate their secrets.',
      ),
      judgeBacklog(state, now),
    ];
  if (unreadable > 0)
    return [
      problem(
        `no key in WEBHOOK_SECRET_KEYS opens the secret of ${unreadable} of ${many(endpoints, 'webhook')}: theirs are not sent`,
        'Add the key that was in use when they were made, behind the others; or let their owners rotate the secret.',
      ),
      judgeBacklog(state, now),
    ];
  return [judgeBacklog(state, now)];
}

function judgeBacklog({ endpoints, queue, due, oldestDueAt }: WebhookState, now: Date): Outcome {
  const messages = queue?.messages ?? 0;
  if (endpoints + messages + due === 0) return ok('no webhook has been made');
  const ageOf = (at: Date | null | undefined) => (at ? Math.max(0, now.getTime() - at.getTime()) / 1000 : 0);
  const [queued, overdue] = [ageOf(queue?.oldestAt), ageOf(oldestDueAt)];
  const since = (seconds: number) => (seconds > 0 ? `, the oldest for ${Math.round(seconds)} s` : '');
  const waits = `${many(messages, 'message')} in the queue${since(queued)}; ${many(due, 'retry')} due${since(overdue)}`;
  if (!queue?.isRead)
    return (messages + due > 0 ? problem : warning)(
      `nobody delivers; ${waits}`,
      'Start `signpost deliver`, or `signpost all`. Nothing is lost: messages wait in the queue and in PostgreSQL.',
    );
  const seconds = Math.max(queued, overdue);
  if (seconds <= lateSeconds) return ok(waits);
  const next =
    'Start another `signpost deliver`, or raise WEBHOOK_PLACES; the log of deliver says if an engine is away. See docs/runbooks/webhooks-late.md.';
  return seconds > veryLateSeconds ? problem(waits, next) : warning(waits, next);
}

function many(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}

function opens(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}

const findSecrets = sql(
  'doctor-webhook-secrets',
  'select secret from webhook_endpoints where deleted_at is null limit 1000',
);

const secretsOf = async (db: Database): Promise<Buffer[]> =>
  (await db.query<{ secret: Buffer }>(findSecrets)).map(({ secret }) => secret);
