import { randomUUID } from 'node:crypto';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { readConfig } from '../../apps/server/src/config/config.ts';
import { type Caller, goodStanding, type Mode } from '../../apps/server/src/kernel/caller.ts';
import { createIds, type Uuid } from '../../apps/server/src/kernel/ids.ts';
import { createNats } from '../../apps/server/src/platform/nats.ts';
import { createPostgres, sql } from '../../apps/server/src/platform/postgres.ts';
import { createRedis } from '../../apps/server/src/platform/redis.ts';
import { ownAddressesOf } from '../../apps/server/src/qrcodes/own-names.ts';
import { createQrCodes } from '../../apps/server/src/qrcodes/service.ts';
import { openLinks } from '../../apps/server/src/roles/links.ts';
import { requireAll } from '../../apps/server/src/roles/starting.ts';
import { encodeBatch } from '../../apps/server/src/scans/log/batch.ts';
import { encodeScan } from '../../apps/server/src/scans/log/scan-bytes.ts';
import { createScanLog } from '../../apps/server/src/scans/log/scan-log.ts';
import { createShardOf } from '../../apps/server/src/scans/log/sharding.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { ensureDemo } from './seed/account.ts';
import { type ExampleCode, exampleCodes } from './seed/codes.ts';
import { createRandom } from './seed/random.ts';
import { scansOf } from './seed/scans.ts';

/**
 * Creates an example account with data. The server's own code creates the codes, backdated; scans are appended to the scan
 * log as a redirect does, so that ingest counts and stores them like any other. Running it again resets the example.
 */
const startMs = Date.now();
const dayMs = 86_400_000;
const config = await readyConfig().catch(error => {
  console.error(error.message);
  process.exit(1);
});

async function readyConfig() {
  const read = readConfig();
  if (read.authSecret === '')
    throw new Error('AUTH_SECRET is not set. Run `npm run services`, which writes .env.');
  await requireAll(read);
  return read;
}

const db = createPostgres({ ...config, databaseTimeoutMs: 30_000 }, () => undefined);
const redis = createRedis({ ...config, redisTimeoutMs: 1000 }, () => undefined);
const nats = createNats(config.busNatsUrl, () => undefined);
const links = openLinks({ config, redis, nats }, () => undefined);
await waitUntil('NATS answers', () => nats.connection() !== null, { timeoutMs: 10_000 });
const [running] = await db.query(
  sql('seed-ingest', `select 1 from ingest_positions where seen_at > now() - interval '5 seconds'`),
);
if (!running)
  throw new Error(
    'Nothing is counting scans here. Start `npm run dev` in another terminal, then run this again.',
  );

const demo = await ensureDemo(db);
const plan = {
  name: 'business',
  requestsPerMinute: 120,
  codeQuota: null,
  quotaScope: 'pool',
  webhooks: true,
  sessionCodes: null,
  testCodes: null,
  creationsPerMinute: null,
} as const;
const callerIn = (mode: Mode): Caller => ({
  accountId: demo.accountId,
  testTag: demo.testTag,
  mode,
  plan,
  via: { kind: 'user', id: demo.userId },
  ...goodStanding,
});

/** The server's clock and ids, set to the time of each action. */
let nowMs = startMs;
const clock = { now: () => new Date(nowMs) };
const qrcodes = createQrCodes({ ids: createIds(clock), clock, ownAddresses: ownAddressesOf(config), links });

for (const mode of ['live', 'test'] as const) {
  const newestFirst = { by: 'created', direction: 'desc' } as const;
  const old = await qrcodes.list(db, callerIn(mode), {}, newestFirst, { page: 1, limit: 100 });
  await Promise.all(old.items.map(({ id }) => qrcodes.delete(db, callerIn(mode), id)));
}

// No code is older than one made before it, and the last run made some of today.
await db.query(
  sql('forget-last-creation', 'update code_counts set last_created_at = null where account_id = $1'),
  [demo.accountId],
);

async function makeCode(code: ExampleCode, caller: Caller): Promise<Uuid> {
  nowMs = startMs - code.made * dayMs;
  const { name, destination: destinationUrl, style, tags = [] } = code;
  const wanted = { name, destinationUrl, style, tags };
  const status = code.end === 'draft' ? 'draft' : 'active';
  const { id } = await qrcodes.create(db, caller, { ...wanted, status });
  for (const { ago, name, destination } of code.edits ?? []) {
    nowMs = startMs - ago * dayMs;
    await qrcodes.update(db, caller, id, { name, destinationUrl: destination });
  }
  nowMs = startMs - 20 * dayMs;
  if (code.rules) await qrcodes.update(db, caller, id, { routing: { rules: code.rules } });
  if (code.end === 'paused') await qrcodes.update(db, caller, id, { active: false });
  return id;
}

const random = createRandom(20_261_115);
const scans: Scan[] = [];
const inOrder = exampleCodes.toSorted((a, b) => b.made - a.made);
for (const [mode, codes] of [
  ['live', inOrder],
  ['test', inOrder.slice(-3, -1)],
] as const) {
  const { accountId } = demo;
  for (const code of codes) {
    const id = await makeCode(code, callerIn(mode));
    scans.push(...scansOf(code, id, { accountId, mode, windowKind: config.visitorWindow }, startMs, random));
  }
}
scans.sort((a, b) => a.atMs - b.atMs);

const log = createScanLog({ nats });
const shard = createShardOf(config.scanShards)(encodeScan(scans[0]!).bytes);
const batchSize = 1000;
for (let from = 0; from < scans.length; from += batchSize) {
  const batch = encodeBatch({ id: randomUUID(), scans: scans.slice(from, from + batchSize) });
  await log.appender(shard).append(batch, 5000);
}
const position = await log.lastPosition(shard);
await waitUntil(
  'ingest has counted and stored all of it',
  async () => {
    const [row] = await db.query<{ done: boolean }>(
      sql(
        'seed-done',
        `select p.position >= $2 and not exists (select from ingest_groups g where g.shard = p.shard and g.after_position < $2)
                as done from ingest_positions p where p.shard = $1`,
      ),
      [shard, position],
    );
    return row?.done === true;
  },
  { timeoutMs: 120_000 },
);
await db.close();
redis.disconnect();
await nats.close();

const number = new Intl.NumberFormat('en');
console.log(`${exampleCodes.length} codes and ${number.format(scans.length)} scans of the last seven months, in ${((Date.now() - startMs) / 1000).toFixed(1)} s.

  ${config.publicUrl}/app/
  e-mail    ${demo.email}
  password  ${demo.password}
`);
