import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { addCodes, type Code, ids } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createNats, type Nats } from '../platform/nats/nats.ts';
import { createPostgres, type Postgres, sql } from '../platform/postgres/postgres.ts';
import { notRedirectedSubject, refusedReply, storedReply } from '../scans/not-redirected.ts';
import { collectNotRedirected } from './not-redirected.ts';

let engine: Engine;
let nats: Nats;
let db: Postgres;
let codes: readonly [Code, Code];
let warnings: object[];

beforeAll(async () => {
  engine = await startNats();
  nats = createNats(engine.url);
  await nats.whenConnected(AbortSignal.timeout(10_000));
});
afterAll(async () => {
  await nats.close();
  await engine.remove();
});

beforeEach(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  codes = (await addCodes(db, 2)) as [Code, Code];
  warnings = [];
  const stop = collectNotRedirected({
    nats,
    db,
    logger: { warn: (fields: object) => void warnings.push(fields) },
  });
  return async () => {
    stop();
    await db.close();
  };
});

const day = '2026-11-16';

/** The reply of ingest, from a connection of its own. */
async function send(payload: unknown): Promise<string> {
  const redirect = createNats(engine.url);
  const connection = await redirect.whenConnected(AbortSignal.timeout(10_000));
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const reply = await connection.request(notRedirectedSubject, text, { timeout: 5_000 });
  await redirect.close();
  return reply.string();
}

const stored = () =>
  db.query<{ id: string; day: string; reason: string; requests: number }>(
    sql(
      'test-stored',
      `select qr_code_id as id, day::text, reason, requests::int from not_redirected order by qr_code_id, day, reason`,
    ),
    [],
  );

test('a batch that is sent twice adds once, and counts of later batches add to it', async () => {
  const [{ id }] = codes;
  const batch = {
    id: ids.next(),
    counts: [
      [id, day, 'paused', 3],
      [id, '2026-11-17', 'paused', 1],
    ],
  };
  expect(await send(batch)).toBe(storedReply);
  expect(await send(batch)).toBe(storedReply);
  expect(await send({ id: ids.next(), counts: [[id, day, 'paused', 4]] })).toBe(storedReply);
  expect(await stored()).toEqual([
    { id, day, reason: 'paused', requests: 7 },
    { id, day: '2026-11-17', reason: 'paused', requests: 1 },
  ]);
});

test('counts of a deleted code and of an unknown one are dropped, those beside them are kept', async () => {
  const [kept, deleted] = codes;
  const deletion = `update qr_codes set status = 'deleted', name = '', destination_url = '', style = '{}' where id = $1`;
  await db.query(sql('test-delete', deletion), [deleted.id]);
  const counts = [kept.id, deleted.id, ids.next()].map(id => [id, day, 'suspended', 2]);
  expect(await send({ id: ids.next(), counts })).toBe(storedReply);
  expect(await stored()).toEqual([{ id: kept.id, day, reason: 'suspended', requests: 2 }]);
});

test('a malformed message is refused, and the next one is stored', async () => {
  const [{ id }] = codes;
  const good = [id, day, 'paused', 1];
  const malformed = [
    '',
    '{"id":',
    'null',
    [],
    { id: 'x', counts: [good] },
    { id: ids.next() },
    { id: ids.next(), counts: [good, null] },
    { id: ids.next(), counts: [good, ['menu', day, 'paused', 1]] },
    { id: ids.next(), counts: [good, [id, '2026-13-45', 'paused', 1]] },
    { id: ids.next(), counts: [good, [id, day, 'Paused!', 1]] },
    { id: ids.next(), counts: [good, [id, day, null, 1]] },
    { id: ids.next(), counts: [good, [id, day, 'paused', -1]] },
    { id: ids.next(), counts: [good, [id, day, 'paused', 1.5]] },
  ];
  for (const message of malformed) expect([message, await send(message)]).toEqual([message, refusedReply]);
  expect(warnings).toHaveLength(malformed.length);
  expect(await stored()).toEqual([]);
  expect(await send({ id: ids.next(), counts: [good] })).toBe(storedReply);
  expect(await stored()).toHaveLength(1);
});

test('a reason that this version does not know is kept', async () => {
  const [{ id }] = codes;
  expect(await send({ id: ids.next(), counts: [[id, day, 'out_of_hours', 5]] })).toBe(storedReply);
  expect(await stored()).toEqual([{ id, day, reason: 'out_of_hours', requests: 5 }]);
});
