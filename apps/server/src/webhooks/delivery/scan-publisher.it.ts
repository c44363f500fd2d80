import { maxSentMetadata } from '@signpost/contract';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { checkedOf } from '@signpost/testing/file-scan-log.ts';
import { addCodes, batchOf, type Code, ids, scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classes, type Group } from '../../ingest/ingest.ts';
import type { Mode } from '../../kernel/caller.ts';
import { createNats, type Nats } from '../../platform/nats/nats.ts';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import type { Scan } from '../../scans/scan.ts';
import { messageId, scanCreated } from '../event.ts';
import { insertEndpoint } from '../store.ts';
import type { EventKind, Message } from '../webhook.ts';
import { createQueue, type Queue } from './queue/queue.ts';
import { createStoredQueue } from './queue/stored-queue.ts';
import { createScanPublisher } from './scan-publisher.ts';

let engine: Engine;
let nats: Nats;
let queue: Queue;
let db: Postgres;
const { signal } = new AbortController();

beforeAll(async () => {
  engine = await startNats();
  nats = createNats(engine.url);
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
});
afterAll(async () => {
  await db.close();
  await nats.close();
  await engine.remove();
});

type Options = {
  mode?: Mode;
  enabled?: boolean;
  events?: readonly EventKind[];
  includeCodeDetails?: boolean;
  qrIds?: readonly string[] | null;
  tags?: readonly string[] | null;
};

async function addEndpoint({ accountId }: Code, options: Options = {}) {
  const { mode = 'live', enabled = true, events = ['scan.created'], includeCodeDetails = false } = options;
  const { qrIds = null, tags = null } = options;
  const createdAt = new Date();
  const id = ids.next();
  const disabledReason = enabled ? null : ('by_owner' as const);
  const fixed = {
    oldSecret: null,
    oldSecretUntil: null,
    failingSince: null,
    provenAt: null,
    updatedAt: createdAt,
  };
  const endpoint = {
    id,
    accountId,
    mode,
    url: 'http://x',
    description: '',
    events,
    enabled,
    disabledReason,
    includeCodeDetails,
    qrIds,
    tags,
  };
  await insertEndpoint(db, { ...endpoint, ...fixed, secret: Buffer.alloc(60), createdAt }, 100);
  return id;
}

/** An endpoint that was created before endpoints had events. */
async function addOldEndpoint({ accountId }: Code) {
  const id = ids.next();
  await db.query(
    sql(
      'test-old-endpoint',
      `insert into webhook_endpoints (id, account_id, mode, url, description, enabled, secret, created_at, updated_at)
       values ($1, $2, 'live', 'http://x', '', true, '', now(), now())`,
    ),
    [id, accountId],
  );
  return id;
}

let position = 0;
function groupOf(...scans: readonly Scan[]): Group {
  const [afterPosition, toPosition] = [position, ++position];
  const entries = [checkedOf(toPosition, batchOf(...scans))];
  return { shard: 0, log: 0, afterPosition, toPosition, entries };
}

async function waiting(): Promise<number> {
  const depth = await queue.depth();
  return depth.waiting + depth.unacked;
}

/** Takes everything out of the queue. */
async function drain(): Promise<Message[]> {
  const stop = new AbortController();
  const messages: Message[] = [];
  let left = await waiting();
  if (left === 0) return [];
  for await (const { message, ack } of queue.read(stop.signal, error => expect.fail(String(error)))) {
    messages.push(message);
    ack();
    if (--left === 0) stop.abort();
  }
  // The server may not have received the last acknowledgement yet.
  await expect.poll(waiting).toBe(0);
  return messages;
}

const publisher = () => createScanPublisher({ db, queue });

describe.each(['NATS', 'PostgreSQL'] as const)('a queue in %s', where => {
  beforeAll(() => {
    const options = { replicas: 1, maxMessages: 100_000, maxPerAccount: 10_000 };
    queue = where === 'NATS' ? createQueue(nats, options) : createStoredQueue({ db, ...options });
  });

  test('every counted scan goes to every enabled endpoint of its account and mode that subscribes to scans, and to no other', async () => {
    const [mine] = (await addCodes(db, 1)) as [Code];
    const [other] = (await addCodes(db, 1)) as [Code];
    const [poor] = (await addCodes(db, 1)) as [Code];
    const wanted = [await addEndpoint(mine), await addOldEndpoint(mine)];
    await addEndpoint(mine, { enabled: false });
    await addEndpoint(mine, { events: ['qrcode.suspended'] });
    const inTest = await addEndpoint(mine, { mode: 'test', events: ['qrcode.suspended', 'scan.created'] });
    await addEndpoint(poor);
    await db.query(sql('test-poor', `update accounts set plan = 'free' where id = $1`), [poor.accountId]);
    const scans = [
      scanOf(mine, 1),
      scanOf(mine, 1),
      scanOf(mine, 2),
      scanOf(other, 3),
      scanOf(poor, 4),
      scanOf(mine, 5, { mode: 'test' }),
    ] as const;
    const { unique, counted, skipped } = classes;
    await publisher().publish(
      groupOf(...scans),
      Buffer.from([unique, counted, skipped, counted, counted, unique]),
      signal,
    );
    const expected = [
      ...wanted.flatMap(id => [
        [id, messageId(scans[0].id, id), scanCreated(scans[0], true)],
        [id, messageId(scans[1].id, id), scanCreated(scans[1], false)],
      ]),
      [inTest, messageId(scans[5].id, inTest), scanCreated(scans[5], true)],
    ];
    const found = (await drain()).map(({ endpointId, id, body }) => [endpointId, id, body]);
    expect(found.sort()).toEqual(expected.sort());
  });

  test('an endpoint gets the scans of the codes and tags that it chose, by the tags of that moment', async () => {
    const [one, two, three] = (await addCodes(db, 3)) as [Code, Code, Code];
    const all = await addEndpoint(one);
    const byCode = await addEndpoint(one, { qrIds: [two.id] });
    const byTag = await addEndpoint(one, { tags: ['MENU', 'unknown'] });
    const either = await addEndpoint(one, { qrIds: [one.id], tags: ['menu'] });
    const tagId = ids.next();
    await db.query(
      sql(
        'test-tag',
        `insert into tags (id, account_id, mode, folded, name, color) values ($1, $2, 'live', 'menu', 'Menu', 'gray')`,
      ),
      [tagId, one.accountId],
    );
    const tag = (code: Code) =>
      db.query(
        sql('test-tag-code', 'insert into code_tags (qr_code_id, tag_id, number) values ($1, $2, 1)'),
        [code.id, tagId],
      );
    await tag(three);
    const scans = [one, two, three].map((code, index) => scanOf(code, index + 1));
    await publisher().publish(groupOf(...scans), Buffer.alloc(3, classes.unique), signal);
    const drained = await drain();
    const codesOf = (endpoint: string) =>
      drained.filter(({ endpointId }) => endpointId === endpoint).map(({ qrCodeId }) => qrCodeId);
    expect(codesOf(all).toSorted()).toEqual([one.id, two.id, three.id].toSorted());
    expect(codesOf(byCode)).toEqual([two.id]);
    expect(codesOf(byTag)).toEqual([three.id]);
    expect(codesOf(either).toSorted()).toEqual([one.id, three.id].toSorted());
  });

  test('an endpoint that wants details gets them at the end, another of the same account its old body', async () => {
    const [mine, bare, long] = (await addCodes(db, 3)) as [Code, Code, Code];
    const [plain, detailed] = [
      await addEndpoint(mine),
      await addEndpoint(mine, { includeCodeDetails: true }),
    ];
    const describe = (code: Code, externalId: string, metadata: object) =>
      db.query(
        sql('test-describe-code', 'update qr_codes set external_id = $2, metadata = $3 where id = $1'),
        [code.id, externalId, JSON.stringify(metadata)],
      );
    await describe(mine, 'order-1', { branch: 'München' });
    await describe(long, 'order-2', { branch: 'x'.repeat(maxSentMetadata) });
    const gone = { ...mine, id: ids.next() };
    const [ruleId, targetId] = [
      '0190a5d2-7c1e-7abc-8def-0123456789ab',
      '0190a5d2-7c1e-7abc-8def-0123456789ac',
    ];
    const scans = [
      scanOf(mine, 1, { ruleId, targetId, placement: 'window' }),
      scanOf(bare, 2),
      scanOf(long, 3),
      scanOf(gone, 4),
    ] as const;
    await publisher().publish(groupOf(...scans), Buffer.alloc(4, classes.unique), signal);
    const bodies = new Map((await drain()).map(({ id, body }) => [id, body]));
    const old = scans.map(scan => scanCreated(scan, true));
    expect(scans.map(({ id }) => bodies.get(messageId(id, plain)))).toEqual(old);
    const shortCodeOf = ({ id }: Code) => id.replaceAll('-', '');
    const noRoute = '"rule_id":"","target_id":"","placement":""';
    const details = [
      `"rule_id":"rul_01j2jx4z0yfay8vvr14d2pf2db","target_id":"tgt_01j2jx4z0yfay8vvr14d2pf2dc","placement":"window","external_id":"order-1","short_code":"${shortCodeOf(mine)}","metadata":{"branch":"München"}`,
      `${noRoute},"external_id":null,"short_code":"${shortCodeOf(bare)}","metadata":{}`,
      `${noRoute},"external_id":"order-2","short_code":"${shortCodeOf(long)}","metadata":null`,
      `${noRoute},"external_id":null,"short_code":"","metadata":{}`,
    ];
    expect(scans.map(({ id }) => bodies.get(messageId(id, detailed)))).toEqual(
      old.map((body, index) => body.replace(/\}\}$/, `,${details[index]}}}`)),
    );
    expect(bodies.size).toBe(8);
  });

  test('codes are read in one query per group, and not at all if no endpoint wants details', async () => {
    const [mine, other] = (await addCodes(db, 2)) as [Code, Code];
    await addEndpoint(mine);
    const names: string[] = [];
    const counting = {
      ...db,
      query: ((statement, values) => {
        names.push(statement.name ?? '');
        return db.query(statement, values);
      }) as Postgres['query'],
    };
    const publish = async () => {
      names.length = 0;
      const scans = Array.from({ length: 50 }, (_, n) => scanOf(n % 2 ? mine : other, n));
      const group = groupOf(...scans);
      await createScanPublisher({ db: counting, queue }).publish(
        group,
        Buffer.alloc(50, classes.unique),
        signal,
      );
      await drain();
      return names.filter(name => name === 'webhook-details-of-codes').length;
    };
    expect(await publish()).toBe(0);
    await addEndpoint(mine, { includeCodeDetails: true });
    expect(await publish()).toBe(1);
  });

  test('a group is published once, also when another process repeats it later', async () => {
    const [mine] = (await addCodes(db, 1)) as [Code];
    await addEndpoint(mine);
    const group = groupOf(scanOf(mine, 1), scanOf(mine, 2));
    const result = Buffer.from([classes.unique, classes.unique]);
    await publisher().publish(group, result, signal);
    expect(await drain()).toHaveLength(2);
    await publisher().publish(group, result, signal);
    expect(await waiting()).toBe(0);
  });

  test('a crash between publishing and noting it publishes again under the same ids, and the queue stores them once', async () => {
    const [mine] = (await addCodes(db, 1)) as [Code];
    await addEndpoint(mine);
    const group = groupOf(scanOf(mine, 1));
    const result = Buffer.from([classes.unique]);
    const dying = createScanPublisher({
      db,
      queue: {
        async publish(...args) {
          await queue.publish(...args);
          throw new Error('dead');
        },
      },
    });
    await expect(dying.publish(group, result, signal)).rejects.toThrow('dead');
    await publisher().publish(group, result, signal);
    expect(await drain()).toHaveLength(1);
  });

  test('scans from before an endpoint was created do not go to it', async () => {
    const [mine] = (await addCodes(db, 1)) as [Code];
    await addEndpoint(mine);
    const old = scanOf(mine, 1, { atMs: Date.now() - 120_000 });
    await publisher().publish(groupOf(old), Buffer.from([classes.unique]), signal);
    expect(await waiting()).toBe(0);
  });
});
