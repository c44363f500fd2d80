import { requestErasures } from '../ingest/erasure-request.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { keepEvidence } from '../suspensions/evidence.ts';
import { eraseEdits } from './edits.ts';
import type { Status } from './qr-code.ts';
import * as statements from './statements.ts';
import { blockSize, type Owner } from './store.ts';
import { removeTargets } from './targets.ts';

/** Leaves a tombstone and frees the place in the quota. The key of its link, or null where there was no such code. */
export async function deleteCode(db: Database, owner: Owner, id: Uuid, now: Date): Promise<string | null> {
  const [key] = await deleteSome(db, owner, [id], now);
  return key ?? null;
}

/** The same for those of these that the owner still has, in one transaction; the keys of their links. */
export function deleteSome(
  db: Database,
  owner: Owner,
  ids: readonly Uuid[],
  now: Date,
): Promise<readonly string[]> {
  return db.transaction(async tx => {
    await tx.query(statements.lockTally, [owner.accountId, owner.mode]);
    const codes = await tx.query<DeletedCode>(statements.lockToDelete, [owner.accountId, owner.mode, ids]);
    if (codes.length > 0) await bury(tx, owner, codes, now);
    return codes.map(code => code.key);
  });
}

type DeletedCode = {
  readonly id: Uuid;
  readonly number: number;
  readonly status: Status;
  readonly made_by: 'api' | 'dashboard';
  readonly destination_url: string;
  readonly key: string;
};

async function bury(tx: Database, owner: Owner, codes: readonly DeletedCode[], now: Date): Promise<void> {
  const ids = codes.map(code => code.id);
  // First: who suspends by host holds targets, so from here on it has either suspended these codes or never will.
  await removeTargets(tx, ids);
  await keepEvidence(tx, owner.accountId, codes, now);
  await tx.query(statements.buryCodes, [ids, now]);
  await tx.query(statements.deleteScanCounts, [ids]);
  await eraseEdits(tx, ids);
  await requestErasures(tx, ids, now);
  const byBlock = Map.groupBy(codes, ({ number }) => Math.floor(number / blockSize));
  const blocks = [...byBlock.keys()];
  const counts = (status: Status) =>
    blocks.map(block => byBlock.get(block)!.filter(code => code.status === status).length);
  await tx.query(statements.subtractCounts, [
    owner.accountId,
    owner.mode,
    blocks,
    counts('active'),
    counts('paused'),
    counts('draft'),
    codes.filter(code => code.made_by === 'api').length,
  ]);
  await tx.query(statements.deleteEmptyBlocks, [owner.accountId, owner.mode, blocks]);
}
