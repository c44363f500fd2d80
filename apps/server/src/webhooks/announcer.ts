import { type Announcer, type Group, nameOf, scansOf, type Verdicts, verdicts } from '../ingest/ingest.ts';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { addAnnouncement, deferMessages } from './deferring.ts';
import { messageId, scanCreated } from './event.ts';
import type { Queue } from './queue.ts';
import type { Unsent, UnsentReason } from './queue-publisher.ts';
import type { Message } from './webhook.ts';

type Parts = {
  readonly db: Database;
  readonly queue: Pick<Queue, 'publish'>;
  /** Called for messages that went to PostgreSQL, since the queue did not take them. */
  readonly deferred?: (reason: UnsentReason, messages: number) => void;
  /** Called with those among them that may be in the queue too. */
  readonly doubted?: (messages: readonly Message[]) => void;
};

/**
 * Puts a message into the webhook queue for every scan that was counted and every endpoint of its account that takes scans. Endpoints are
 * read again for each group: the scans of a group were in the log before, so that an endpoint whose creation was answered
 * before a scan was is always among them. What the queue does not take goes into PostgreSQL in the same step: nothing is
 * lost, and ingest waits for nobody. An account without endpoints costs its share of that one statement.
 */
export function createAnnouncer({
  db,
  queue,
  deferred = () => undefined,
  doubted = () => undefined,
}: Parts): Announcer {
  /** Groups that are published and not noted: PostgreSQL was away just then. What the queue took is not put into both. */
  const published = new Map<string, readonly Unsent[]>();
  const keep = (token: string, unsent: readonly Unsent[]) => {
    published.set(token, unsent);
    let messages = [...published.values()].reduce((sum, one) => sum + one.length, 0);
    for (const [oldest, { length }] of published) {
      if (oldest === token || (messages <= mostKept.messages && published.size <= mostKept.groups)) return;
      published.delete(oldest);
      messages -= length;
    }
  };

  return {
    async announce(group, result, signal) {
      const scans = scansOf(group);
      const kept = scans.filter((_, index) => result[index] !== verdicts.leftOut);
      const accounts = [...new Set(kept.map(scan => scan.accountId))];
      if (accounts.length === 0) return;
      const rows = await db.query<EndpointRow>(findEndpoints, [accounts]);
      if (rows.length === 0) return;
      const token = nameOf(group);
      if ((await db.query(findAnnouncement, [token])).length > 0) return;
      const messages = messagesOf(group, result, rows);
      if (messages.length === 0) return;
      const unsent = published.get(token) ?? (await queue.publish(messages, signal));
      keep(token, unsent);
      if (unsent.length === 0) await db.query(addAnnouncement, [token]);
      else await deferMessages(db, token, unsent);
      published.delete(token);
      const doubtful = unsent.filter(({ isDoubtful }) => isDoubtful);
      if (doubtful.length > 0) doubted(doubtful.map(({ message }) => message));
      for (const [reason, those] of Map.groupBy(unsent, one => one.reason)) deferred(reason, those.length);
    },
  };
}

const clocksDifferMs = 60_000;
/**
 * Of every shard a group or two; the rest belongs to shards that others have taken over. The newest stays however large it is: it
 * is in memory anyway. One that is dropped is published again, and the queue knows its messages by their ids.
 */
const mostKept = { groups: 100, messages: 50_000 };

function messagesOf(group: Group, result: Verdicts, rows: readonly EndpointRow[]): Message[] {
  const endpoints = Map.groupBy(rows, row => row.account_id + row.mode);
  const messages: Message[] = [];
  let index = -1;
  for (const { batch, trace } of group.entries) {
    for (const scan of batch.scans) {
      const verdict = result[++index];
      if (verdict === verdicts.leftOut) continue;
      const { accountId, mode, qrCodeId, atMs } = scan;
      for (const endpoint of endpoints.get(accountId + mode) ?? []) {
        // Older than the endpoint, by more than clocks differ: it came out of a spool, or the log was behind.
        if (atMs < endpoint.created_at.getTime() - clocksDifferMs) continue;
        messages.push({
          id: messageId(scan.id, endpoint.id),
          endpointId: endpoint.id,
          accountId,
          mode,
          event: 'scan.created',
          qrCodeId,
          body: scanCreated(scan, verdict === verdicts.unique),
          createdAt: new Date(atMs),
          trace,
        });
      }
    }
  }
  return messages;
}

type EndpointRow = { id: Uuid; account_id: Uuid; mode: Mode; created_at: Date };

const findEndpoints = sql(
  'webhook-endpoints-of-accounts',
  `select e.id, e.account_id, e.mode, e.created_at
     from webhook_endpoints e
     join accounts a on a.id = e.account_id
     join plans p on p.name = a.plan and p.webhooks
    where e.account_id = any($1::uuid[]) and e.enabled and e.deleted_at is null and 'scan.created' = any(e.events)
    order by e.id`,
);

const findAnnouncement = sql(
  'find-announcement',
  'select 1 as found from webhook_announcements where token = $1',
);
