import type { Uuid } from '../kernel/ids.ts';
import type { BackgroundJob } from '../platform/background-jobs.ts';
import type { Database } from '../platform/postgres.ts';
import * as statements from './target-statements.ts';
import { type LeadingCode, writeTargets } from './targets.ts';

/** Codes that get their targets in one transaction. */
const batchSize = 500;

/**
 * Gives a target and its host to every code that is older than these, in batches, and an hour later once more: during a
 * rollout the old version creates, edits and deletes codes without targets. Of several processes, one works at a time.
 */
export const backfillTargetsJob = (db: Database): BackgroundJob => ({
  name: 'backfill targets of codes',
  everyMs: 60_000,
  run: () => backfillTargets(db),
});

/** Backfills one batch. Returns whether there is more. */
export async function backfillTargets(db: Database, batch = batchSize): Promise<boolean> {
  if ((await db.query(statements.anyBackfill)).length === 0) return false;
  return db.transaction(async tx => {
    const [backfill] = await tx.query<{ name: string; after: Uuid }>(statements.lockBackfill);
    if (!backfill) return false;
    const rows = await tx.query<{ id: Uuid }>(statements.nextToBackfill, [backfill.after, batch]);
    const ids = rows.map(row => row.id);
    if (ids.length === 0) {
      await tx.query(statements.endBackfill, [backfill.name]);
      return false;
    }
    // Locked until the commit: no code is changed or deleted between the read and the write.
    const codes = await tx.query<LeadingCode>(statements.lockToBackfill, [ids]);
    await tx.query(statements.lockTargets, [ids]);
    await writeTargets(tx, codes);
    await tx.query(statements.fillHosts, [ids]);
    await tx.query(statements.deleteTargetsOfDeleted, [ids]);
    await tx.query(statements.moveBackfill, [backfill.name, ids.at(-1)]);
    return true;
  });
}
