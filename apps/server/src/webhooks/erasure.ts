import type { Eraser } from '../ingest/ingest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { listDays } from './attempt-days.ts';

/** Attempts per statement, so that none takes longer than a statement may. */
const maxAttempts = 5_000;

/** Messages hold data of scans, so they are erased with their code, delivered or not. */
export function createWebhookEraser(db: Database): Eraser {
  return {
    async erase(_accounts, codes, renew, signal) {
      await db.query(eraseMessages, [codes]);
      for (const day of await listDays(db)) {
        while ((await eraseAttempts(db, codes, day)) === maxAttempts) {
          signal?.throwIfAborted();
          await renew();
        }
      }
    },
  };
}

function eraseAttempts(db: Database, codes: readonly Uuid[], day: string): Promise<number> {
  return db.transaction(async tx => {
    // Where PostgreSQL expects many attempts it would read the whole day for the first of them, which are gone after a while.
    await tx.query(useIndexes);
    return (await tx.query(eraseSome, [codes, `${day} 00:00Z`, maxAttempts])).length;
  });
}

const eraseMessages = sql(
  'webhook-erase-messages',
  'delete from webhook_messages where qr_code_id = any($1::uuid[])',
);

const useIndexes = sql('webhook-use-indexes', 'set local enable_seqscan = off');

/** Both ranges are those of one partition: a row is known by its place in it. */
const eraseSome = sql(
  'webhook-erase-attempts',
  `delete from webhook_attempts
    where at >= $2::timestamptz and at < $2::timestamptz + interval '24 hours'
      and ctid = any(array(
        select ctid from webhook_attempts
         where at >= $2::timestamptz and at < $2::timestamptz + interval '24 hours' and qr_code_id = any($1::uuid[])
         limit $3))
   returning 1 as gone`,
);
