import { randomUUID } from 'node:crypto';
import { parseId } from '../../../../apps/server/src/kernel/ids.ts';
import { createNats } from '../../../../apps/server/src/platform/nats/nats.ts';
import { sql } from '../../../../apps/server/src/platform/postgres/postgres.ts';
import { encodeBatch } from '../../../../apps/server/src/scans/log/format/batch.ts';
import { createScanLog } from '../../../../apps/server/src/scans/log/scan-log.ts';
import type { Scan } from '../../../../apps/server/src/scans/scan.ts';
import { waitUntil } from '../engines/wait.ts';
import { someScan } from '../scans.ts';
import type { DashboardFixture } from './fixture.ts';

/** Makes a code older than it is, from its creation on. */
export async function backdateCode({ base }: DashboardFixture, id: string, createdAt: Date): Promise<void> {
  const uuid = parseId('qr', id)!;
  await base.db.query(backdate, [uuid, createdAt]);
  await base.db.query(backdateEdits, [uuid, createdAt]);
}

const backdate = sql('test-backdate-code', 'update qr_codes set created_at = $2 where id = $1');
const backdateEdits = sql(
  'test-backdate-edits',
  `update code_edits set at = $2 where qr_code_id = $1 and field = 'created'`,
);

/** Moves the newest edit of a code to when it should have been. */
export async function backdateLastEdit({ base }: DashboardFixture, id: string, at: Date): Promise<void> {
  await base.db.query(backdateEdit, [parseId('qr', id)!, at]);
}

const backdateEdit = sql(
  'test-backdate-edit',
  'update code_edits set at = $2 where id = (select id from code_edits where qr_code_id = $1 order by id desc limit 1)',
);

/** Adds scans of a code at any time, through the scan log as a redirect does, and waits until they are counted. */
export async function addPastScans(
  { base }: DashboardFixture,
  id: string,
  scans: readonly (Partial<Scan> & { readonly atMs: number })[],
): Promise<void> {
  const qrCodeId = parseId('qr', id)!;
  const find = async () => (await base.db.query<CodeRow>(findCode, [qrCodeId]))[0]!;
  const { account_id: accountId, mode, total } = await find();
  const nats = createNats(base.env.NATS_URL!, () => undefined);
  await waitUntil('NATS answers', () => nats.connection() !== null);
  const log = createScanLog({ nats });
  const all = scans.map((scan, at) =>
    someScan({
      id: randomUUID(),
      visitor: String(at).padStart(32, '0'),
      window: new Date(scan.atMs).toISOString().slice(0, 7),
      ...scan,
      qrCodeId,
      accountId,
      mode,
    }),
  );
  for (let at = 0; at < all.length; at += 500)
    await log.appender(0).append(encodeBatch({ id: randomUUID(), scans: all.slice(at, at + 500) }), 5_000);
  const wanted = Number(total) + all.length;
  await waitUntil('the scans are counted and stored', async () => {
    const now = await find();
    return Number(now.total) === wanted && Number(now.waiting) === 0;
  });
  await nats.close();
}

type CodeRow = {
  readonly account_id: string;
  readonly mode: 'live' | 'test';
  readonly total: number;
  readonly waiting: number;
};

const findCode = sql(
  'test-find-code',
  `select c.account_id, c.mode, coalesce(s.total_scans, 0) as total, (select count(*) from ingest_groups) as waiting
     from qr_codes c left join scan_counts s on s.qr_code_id = c.id where c.id = $1`,
);
