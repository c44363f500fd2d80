import { verdicts } from '../../apps/server/src/ingest/ingest.ts';
import { rowsOf, scansTable } from '../../apps/server/src/ingest/rows.ts';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import { startMigratedClickHouse } from '../support/clickhouse.ts';
import { checkedOf } from '../support/file-scan-log.ts';
import { batchOf, type Code, scanOf } from '../support/scan-ledger.ts';
import { createWorld } from '../support/world.ts';
import { record } from './record.ts';

const codes = 100_000;
const scans = 500_000;
const perBlock = 5_000;

/** What a code takes in PostgreSQL and a scan in ClickHouse, on disk, indexes and roll-ups included. */
export default async function bench(args: readonly string[]): Promise<void> {
  const world = await createWorld();
  const { id: account } = await world.account();
  await world.db.query(fill, [account, codes]);
  const [size] = await world.db.query<{ bytes: number }>(codeBytes);
  const known = await world.db.query<Code>(someCodes, [account]);
  await world.close();

  const { engine, clickhouse } = await startMigratedClickHouse();
  for (let at = 0; at < scans; at += perBlock) {
    // Few codes have most of the scans.
    const codeOf = () => known[Math.floor(known.length * Math.random() ** 3)]!;
    const some = Array.from({ length: perBlock }, (_, n) =>
      scanOf(codeOf(), Math.floor((at + n) * Math.random())),
    );
    const entries = [checkedOf(at + 1, batchOf(...some))];
    const group = { shard: 0, log: 0, afterPosition: at, toPosition: at + 1, entries };
    const numbers = Array.from({ length: perBlock }, () => Math.floor(Math.random() * scans));
    const rows = rowsOf(group, { verdicts: Buffer.alloc(perBlock, verdicts.kept), numbers });
    await clickhouse.insert(scansTable, rows, `storage-${at}`);
  }
  await clickhouse.command('optimize table scans final', {}, { timeoutMs: 120_000 });
  const [disk] = await clickhouse.query<{ bytes: number; held: number }>(
    `select sum(bytes_on_disk) as bytes, sum(rows) as held from system.parts where table = 'scans' and active`,
  );
  await clickhouse.close();
  await engine.remove();

  const figures = { bytesPerCode: Number(size!.bytes) / codes, bytesPerScan: disk!.bytes / disk!.held };
  record(args, 'storage', figures);
  console.log(
    `storage bytes_per_code ${figures.bytesPerCode.toFixed(0)} bytes_per_scan ${figures.bytesPerScan.toFixed(0)} (${disk!.held} scans)`,
  );
}

const fill = sql(
  'fill-storage-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style, created_at, updated_at)
   select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'bench-' || n, 'Poster number ' || n, 'https://example.com/a/usual/path/' || n || '?utm_source=print', '{}', now(), now()
     from generate_series(0, $2::bigint - 1) n`,
);
const codeBytes = sql('storage-code-bytes', `select pg_total_relation_size('qr_codes') as bytes`);
const someCodes = sql(
  'storage-some-codes',
  `select id, account_id as "accountId" from qr_codes where account_id = $1 limit 2000`,
);
