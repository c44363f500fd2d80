import { type Announcer, type Group, nameOf, scansOf, type Verdicts, verdicts } from '../ingest/ingest.ts';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { messageId, scanCreated } from './event.ts';
import type { Queue } from './queue.ts';
import type { Message } from './webhook.ts';

type Parts = {
  readonly db: Database;
  readonly queue: Pick<Queue, 'publish'>;
  readonly announced?: (messages: number) => void;
};

/**
 * Puts a message into the webhook queue for every scan that was counted and every endpoint of its account that takes scans. Endpoints are
 * read anew for each group: the scans of a group were in the log before, so that an endpoint whose creation was answered
 * before a scan was is always among them. An account without endpoints costs its share of that one statement.
 */
export function createAnnouncer({ db, queue, announced = () => undefined }: Parts): Announcer {
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
      await queue.publish(messages, signal);
      await db.query(addAnnouncement, [token]);
      announced(messages.length);
    },
  };
}

const clocksDifferMs = 60_000;

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

const addAnnouncement = sql(
  'add-announcement',
  'insert into webhook_announcements (token) values ($1) on conflict do nothing',
);
