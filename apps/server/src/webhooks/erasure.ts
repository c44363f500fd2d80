import type { Eraser } from '../ingest/ingest.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { lightweightDelete } from '../platform/lightweight-delete.ts';
import { type Database, sql } from '../platform/postgres.ts';

const deleteMs = 60_000;

/** Messages hold data of scans, so they are erased with their code, delivered or not. */
export function createWebhookEraser(db: Database, clickhouse: ClickHouse): Eraser {
  return {
    async erase(accounts, codes, renew, signal) {
      await db.query(eraseMessages, [codes]);
      await db.query(eraseAttempts, [codes]);
      const rows = { table: 'webhook_attempts', accounts, codes } as const;
      const days = await lightweightDelete(clickhouse, rows, { timeoutMs: deleteMs, signal }, renew);
      if (days.length > 0)
        throw new Error(
          `Deliveries for deleted codes are not hidden yet: ClickHouse is busy with parts of ${days.join(', ')}. The next run continues.`,
        );
    },
  };
}

const eraseMessages = sql(
  'webhook-erase-messages',
  'delete from webhook_messages where qr_code_id = any($1::uuid[])',
);

const eraseAttempts = sql(
  'webhook-erase-attempts',
  'delete from webhook_attempts where qr_code_id = any($1::uuid[])',
);
