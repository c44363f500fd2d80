import { createIngest } from '../../../apps/server/src/ingest/service.ts';
import { createClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createLogger } from '../../../apps/server/src/platform/logger.ts';
import { createPostgres } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { markUsedUp } from '../../../apps/server/src/qrcodes/targets/used-up.ts';
import { createClickHouseRows } from '../../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import { createPostgresRows } from '../../../apps/server/src/scans/stores/postgres/postgres-rows.ts';
import { createFileLog } from './file-scan-log.ts';

/** An ingest worker in its own process, to be killed. Its settings are its arguments; without a ClickHouse it stores in PostgreSQL. */
const [databaseUrl = '', clickhouseUrl = '', logDir = '', shard = '0'] = process.argv.slice(2);
const logger = createLogger('info', 'ingest');
const db = createPostgres(
  { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 5_000 },
  () => undefined,
);
const ingest = createIngest({
  markUsedUp,
  db,
  rows:
    clickhouseUrl === ''
      ? createPostgresRows(db)
      : createClickHouseRows(await createClickHouse(clickhouseUrl)),
  log: createFileLog(logDir),
  shard: Number(shard),
  logger,
  // Small groups, so that a kill interrupts many of them.
  limits: { groupScans: 400, groupMs: 20, ownerTimeoutMs: 1_500 },
});
ingest.start();
process.once('SIGTERM', () => void ingest.stop().then(() => process.exit(0)));
