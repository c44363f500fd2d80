import { rolePermissions } from '@signpost/contract';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { withEngines } from '../../apps/server/src/commands/with-engines.ts';
import { readConfig } from '../../apps/server/src/config/config.ts';
import { createLinkNames } from '../../apps/server/src/kernel/addresses/link-names.ts';
import { type Caller, goodStanding, type Mode } from '../../apps/server/src/kernel/caller.ts';
import { createIds, type Uuid } from '../../apps/server/src/kernel/ids.ts';
import { type Database, sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { collectOwnAddresses } from '../../apps/server/src/qrcodes/creation/own-names.ts';
import { createQrCodes } from '../../apps/server/src/qrcodes/service.ts';
import type { ChangeNotifier } from '../../apps/server/src/redirect/changes/change-notifier.ts';
import { type AdminEngines, withLinks } from '../../apps/server/src/roles/links.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { type Demo, ensureDemo } from './seed/account.ts';
import { appendScans } from './seed/append.ts';
import { type ExampleCode, exampleCodes } from './seed/codes.ts';
import { createRandom } from './seed/random.ts';
import { scansOf } from './seed/scans.ts';

/**
 * Creates an example account with data. The server's own code creates the codes, backdated; scans are appended to the scan
 * log as a redirect does, so that ingest counts and stores them like any other. Running it again resets the example.
 */
const startMs = Date.now();
const dayMs = 86_400_000;

/** The server's clock and ids, set to the time of each action. */
let nowMs = startMs;
const clock = { now: () => new Date(nowMs) };

const progress = sql(
  'seed-progress',
  `select (select coalesce(sum(s.total_scans), 0) from scan_counts s
             join qr_codes c on c.id = s.qr_code_id and c.status <> 'deleted' and c.account_id = $1)::float8 as total,
          (select count(*) from ingest_groups)::float8 as waiting`,
);

try {
  const config = readConfig();
  if (config.authSecret === '')
    throw new Error('AUTH_SECRET is not set. Run `npm run setup`, which writes .env.');
  // A small machine takes its time for so many codes and edits.
  await withEngines({ ...config, databaseTimeoutMs: 30_000 }, console.log, engines =>
    withLinks(engines, console.log, links => seed(engines, links)),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function seed({ config, db }: AdminEngines, links: ChangeNotifier): Promise<void> {
  await requireIngest(db);
  const demo = await ensureDemo(db);
  const qrcodes = createQrCodes({
    ids: createIds(clock),
    clock,
    ownAddresses: collectOwnAddresses(config, createLinkNames(config.shortBaseUrl)),
    links,
  });
  await removeCodes(db, qrcodes, demo);
  const random = createRandom(20_261_115);
  const scans: Scan[] = [];
  const inOrder = exampleCodes.toSorted((a, b) => b.made - a.made);
  for (const [mode, codes] of [
    ['live', inOrder],
    ['test', inOrder.slice(-3, -1)],
  ] as const) {
    const owner = { accountId: demo.accountId, mode, windowKind: config.visitorWindow };
    for (const code of codes) {
      const id = await makeCode(db, qrcodes, code, callerIn(demo, mode));
      scans.push(...scansOf(code, id, owner, startMs, random));
    }
  }
  await appendScans(
    config,
    scans.sort((a, b) => a.atMs - b.atMs),
  );
  const isDone = async () => {
    const [row] = await db.query<{ total: number; waiting: number }>(progress, [demo.accountId]);
    return row!.total === scans.length && row!.waiting === 0;
  };
  // A process adopts a spool within half a minute.
  await waitUntil('ingest has counted and stored all of it', isDone, { timeoutMs: 180_000, everyMs: 200 });
  const number = new Intl.NumberFormat('en');
  console.log(`${exampleCodes.length} codes and ${number.format(scans.length)} scans of the last seven months, in ${((Date.now() - startMs) / 1000).toFixed(1)} s.

  ${config.publicUrl}/app/
  e-mail    ${demo.email}
  password  ${demo.password}
`);
}

async function requireIngest(db: Database): Promise<void> {
  const [running] = await db.query(
    sql('seed-ingest', `select 1 from ingest_positions where seen_at > now() - interval '5 seconds'`),
  );
  if (!running)
    throw new Error(
      'Nothing is counting scans here. Start `npm run dev` in another terminal, then run this again.',
    );
}

type QrCodes = ReturnType<typeof createQrCodes>;

/** Removes what an earlier run made. */
async function removeCodes(db: Database, qrcodes: QrCodes, demo: Demo): Promise<void> {
  for (const mode of ['live', 'test'] as const) {
    const caller = callerIn(demo, mode);
    const newestFirst = { by: 'created', direction: 'desc' } as const;
    const old = await qrcodes.list(db, caller, {}, newestFirst, { page: 1, limit: 100 });
    await Promise.all(old.items.map(({ id }) => qrcodes.delete(db, caller, id)));
  }
  // No code is older than one made before it, and the last run made some of today.
  await db.query(
    sql('forget-last-creation', 'update code_counts set last_created_at = null where account_id = $1'),
    [demo.accountId],
  );
}

async function makeCode(db: Database, qrcodes: QrCodes, code: ExampleCode, caller: Caller): Promise<Uuid> {
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

function callerIn({ accountId, testTag, userId }: Demo, mode: Mode): Caller {
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
  return {
    accountId,
    testTag,
    mode,
    plan,
    via: { kind: 'user', id: userId },
    role: 'owner',
    permissions: rolePermissions.owner,
    ...goodStanding,
  };
}
