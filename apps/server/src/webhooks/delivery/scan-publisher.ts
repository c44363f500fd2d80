import { maxSentMetadata } from '@signpost/contract';
import {
  type Classifications,
  classes,
  type Group,
  groupName,
  listScans,
  type ScanPublisher,
} from '../../ingest/ingest.ts';
import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { foldTag } from '../../qrcodes/tags/tag.ts';
import { type CodeDetails, messageId, noDetails, scanCreated } from '../event.ts';
import { type MayBeLimited, takeForGroup, withinLimits } from '../test-limit.ts';
import type { Message } from '../webhook.ts';
import { addPublication, deferMessages } from './queue/deferred-messages.ts';
import type { Queue } from './queue/queue.ts';
import type { Unsent, UnsentReason } from './queue/queue-publisher.ts';

type Parts = {
  readonly db: Database;
  readonly queue: Pick<Queue, 'publish'>;
  /** Called for messages that went to PostgreSQL because the queue did not take them. */
  readonly onDeferred?: (reason: UnsentReason, messages: number) => void;
  /** Called with those among them that may be in the queue as well. */
  readonly onUnconfirmed?: (messages: readonly Message[]) => void;
};

/**
 * Publishes a message for every counted scan to every endpoint of its account that subscribes to scans. Endpoints are read
 * for each group: its scans were logged before, so an endpoint whose creation was answered before a scan is always among
 * them. What the queue does not take goes to PostgreSQL in the same call: nothing is lost, and ingest does not wait. An
 * account without endpoints costs its share of that one statement. Idempotent: repeating a group publishes the same
 * messages.
 */
export function createScanPublisher({
  db,
  queue,
  onDeferred = () => undefined,
  onUnconfirmed = () => undefined,
}: Parts): ScanPublisher {
  /** Groups that are published but not noted, since PostgreSQL was away. A repeat must not put their messages into both. */
  const published = new Map<string, readonly Unsent[]>();
  const remember = (token: string, unsent: readonly Unsent[]) => {
    published.set(token, unsent);
    let messages = [...published.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of published) {
      const fits = messages <= maxRemembered.messages && published.size <= maxRemembered.groups;
      if (oldest === token || fits) return;
      published.delete(oldest);
      messages -= length;
    }
  };

  return {
    isAwaited: async (tx, group, result) => (await findSubscribers(tx, group, result)).length > 0,

    async publish(group, result, signal) {
      const rows = await findSubscribers(db, group, result);
      if (rows.length === 0) return;
      const token = groupName(group);
      if ((await db.query(findPublication, [token])).length > 0) return;
      const codes = await findDetails(db, group, result, rows);
      const wants = createScanFilter(await findTags(db, group, result, rows));
      const messages = await withinLimits(createMessages(group, result, rows, codes, wants), amounts =>
        takeForGroup(db, token, amounts),
      );
      if (messages.length === 0) return;
      const unsent = published.get(token) ?? (await queue.publish(messages, signal));
      remember(token, unsent);
      if (unsent.length === 0) await db.query(addPublication, [token]);
      else await deferMessages(db, token, unsent);
      published.delete(token);
      const unconfirmed = unsent.filter(({ isUnconfirmed }) => isUnconfirmed);
      if (unconfirmed.length > 0) onUnconfirmed(unconfirmed.map(({ message }) => message));
      for (const [reason, { length }] of Map.groupBy(unsent, ({ reason }) => reason))
        onDeferred(reason, length);
    },
  };
}

async function findSubscribers(
  on: Database,
  group: Group,
  result: Classifications,
): Promise<readonly EndpointRow[]> {
  const counted = listScans(group).filter((_, index) => result[index] !== classes.skipped);
  const accounts = [...new Set(counted.map(scan => scan.accountId))];
  return accounts.length === 0 ? [] : await on.query<EndpointRow>(findEndpoints, [accounts]);
}

/** The details of the codes whose endpoints want them, in one query. */
async function findDetails(
  db: Database,
  group: Group,
  result: Classifications,
  rows: readonly EndpointRow[],
): Promise<ReadonlyMap<Uuid, CodeDetails>> {
  const wanting = new Set(rows.filter(row => row.include_code_details).map(toOwnerKey));
  const scans = listScans(group).filter(
    ({ accountId, mode }, index) => result[index] !== classes.skipped && wanting.has(accountId + mode),
  );
  if (scans.length === 0) return new Map();
  const ids = [...new Set(scans.map(({ qrCodeId }) => qrCodeId))];
  const found = await db.query<DetailsRow>(selectDetails, [ids, maxSentMetadata]);
  return new Map(
    found.map(({ id, external_id: externalId, short_code: shortCode, metadata }) => [
      id,
      { externalId, shortCode, metadata },
    ]),
  );
}

/** A scan may be this much older than its endpoint by the clocks of two machines. */
const clockSkewMs = 60_000;
/**
 * A group or two of every shard; the rest belongs to shards that other processes took over. The newest stays however large
 * it is: it is in memory anyway. A forgotten group is published again, and the queue knows its messages by their ids.
 */
const maxRemembered = { groups: 100, messages: 50_000 };

function createMessages(
  group: Group,
  result: Classifications,
  rows: readonly EndpointRow[],
  codes: ReadonlyMap<Uuid, CodeDetails>,
  wants: ScanFilter,
): (Message & MayBeLimited)[] {
  const endpoints = Map.groupBy(rows, toOwnerKey);
  const messages: (Message & MayBeLimited)[] = [];
  let index = -1;
  for (const { batch, trace } of group.entries) {
    for (const scan of batch.scans) {
      const classification = result[++index];
      if (classification === classes.skipped) continue;
      const { accountId, mode, qrCodeId, atMs, sandbox } = scan;
      const isUnique = classification === classes.unique;
      // A long body exists once, however many endpoints get it.
      let detailed: string | undefined;
      const writeDetailed = () =>
        (detailed ??= scanCreated(scan, isUnique, { ...scan, ...(codes.get(qrCodeId) ?? noDetails) }));
      for (const endpoint of endpoints.get(accountId + mode) ?? []) {
        if (!wants(endpoint, qrCodeId)) continue;
        // Older than the endpoint: it came out of a spool, or ingest was behind. A test may scan in the past.
        if (!sandbox && atMs < endpoint.created_at.getTime() - clockSkewMs) continue;
        messages.push({
          id: messageId(scan.id, endpoint.id),
          endpointId: endpoint.id,
          accountId,
          mode,
          event: 'scan.created',
          qrCodeId,
          body: endpoint.include_code_details ? writeDetailed() : scanCreated(scan, isUnique),
          createdAt: new Date(atMs),
          trace,
          isLimited: endpoint.limited,
        });
      }
    }
  }
  return messages;
}

/** Whether an endpoint gets the scans of a code. */
type ScanFilter = (endpoint: Pick<EndpointRow, 'qr_ids' | 'tags'>, qrCodeId: Uuid) => boolean;

function createScanFilter(tagsOfCodes: ReadonlyMap<Uuid, ReadonlySet<string>>): ScanFilter {
  return ({ qr_ids, tags }, qrCodeId) => {
    if (qr_ids === null && tags === null) return true;
    if (qr_ids?.includes(qrCodeId)) return true;
    const held = tagsOfCodes.get(qrCodeId);
    return held !== undefined && (tags?.some(tag => held.has(foldTag(tag))) ?? false);
  };
}

/** The tags that the codes have now, where an endpoint asks for tags. */
async function findTags(
  db: Database,
  group: Group,
  result: Classifications,
  rows: readonly EndpointRow[],
): Promise<ReadonlyMap<Uuid, ReadonlySet<string>>> {
  const asking = new Set(rows.filter(({ tags }) => tags !== null).map(toOwnerKey));
  const ids = listScans(group)
    .filter(({ accountId, mode }, index) => result[index] !== classes.skipped && asking.has(accountId + mode))
    .map(({ qrCodeId }) => qrCodeId);
  if (ids.length === 0) return new Map();
  const found = await db.query<{ id: Uuid; tags: string[] }>(selectTags, [[...new Set(ids)]]);
  return new Map(found.map(({ id, tags }) => [id, new Set(tags)]));
}

type DetailsRow = {
  id: Uuid;
  external_id: string | null;
  short_code: string;
  metadata: CodeDetails['metadata'];
};

const selectDetails = sql(
  'webhook-details-of-codes',
  `select id, external_id, short_code, case when octet_length(metadata::text) <= $2 then metadata end as metadata
     from qr_codes where id = any($1::uuid[])`,
);

const selectTags = sql(
  'webhook-tags-of-codes',
  `select ct.qr_code_id as id, array_agg(t.folded) as tags
     from code_tags ct join tags t on t.id = ct.tag_id
    where ct.qr_code_id = any($1::uuid[]) group by ct.qr_code_id`,
);

type EndpointRow = {
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  include_code_details: boolean;
  created_at: Date;
  qr_ids: Uuid[] | null;
  tags: string[] | null;
  /** Whether the account has a limit of messages per day. */
  limited: boolean;
};

const toOwnerKey = (row: EndpointRow) => row.account_id + row.mode;

const findEndpoints = sql(
  'webhook-endpoints-of-accounts',
  `select e.id, e.account_id, e.mode, e.include_code_details, e.created_at,
          e.qr_ids, e.tags, not p.webhooks as limited
     from webhook_endpoints e
     join accounts a on a.id = e.account_id
     join plans p on p.name = a.plan and (p.webhooks or e.mode = 'test')
    where e.account_id = any($1::uuid[]) and e.enabled and e.deleted_at is null and 'scan.created' = any(e.events)
    order by e.id`,
);

const findPublication = sql(
  'webhook-find-publication',
  'select 1 as found from webhook_publications where token = $1',
);
