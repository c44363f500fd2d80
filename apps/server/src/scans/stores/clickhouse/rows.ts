import type { Uuid } from '../../../kernel/ids.ts';
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts';
import type { ScanPosition } from '../../log/log-cursor.ts';
import type { AccountScan, LoggedScan, LogSpan, ScanQueries, StoredScan } from '../scan-queries.ts';
import type { Scope } from '../scope.ts';
import type { TimeRange } from '../time-range.ts';
import { quarterSource } from './roll-ups.ts';
import { scopeParams, whereScope } from './scope-sql.ts';
import { inRange } from './time-sql.ts';

type RowQueries = Pick<ScanQueries, 'findQuarter' | 'list' | 'read' | 'readByCode' | 'readLog'>;

const rowsPerStep = 50_000;

/** Queries whose result is scans, or where to find them. */
export const createRowQueries = (clickhouse: Pick<ClickHouse, 'query' | 'stream'>): RowQueries => ({
  async findQuarter(scope, range, offset, limits) {
    const { grain } = quarterSource(scope, [range.fromMs, range.toMs]);
    const [row] = await clickhouse.query<{ quarter: number; before: number }>(
      `select toUInt32(quarter) as quarter, before
         from (select quarter, held, sum(held) over (order by quarter desc) - held as before
                 from (select toStartOfFifteenMinutes(at) as quarter, count() as held
                         from scans
                        where ${whereScope(scope)} and ${inRange(range, grain)}
                        group by quarter))
        where before <= {offset: UInt64} and before + held > {offset: UInt64}`,
      { ...scopeParams(scope), offset },
      limits,
    );
    return row ? { endMs: (row.quarter + 15 * 60) * 1000, before: row.before } : null;
  },

  /** This is the sort order of the table, so only skipped and returned rows are read. */
  list: (scope, range, rows, limits) =>
    clickhouse.query<StoredScan>(
      `${newestFirst(scope, range)} limit {limit: UInt64} offset {offset: UInt64}`,
      { ...scopeParams(scope), ...rows },
      limits,
    ),

  /** Each step is a query that continues where the last one ended: an engine may build the whole result first. */
  async *read(scope, { fromMs, toMs }, limits) {
    let step = newestFirst(scope, { fromMs, toMs });
    for (;;) {
      let count = 0;
      let last: StoredScan | undefined;
      const query = `${step} limit ${rowsPerStep}`;
      for await (const rows of clickhouse.stream<ScanRow>(query, scopeParams(scope), limits)) {
        const scans = rows.map(toScan);
        yield scans;
        count += scans.length;
        last = scans.at(-1);
      }
      if (!last || count < rowsPerStep) return;
      const before = `(toUnixTimestamp64Milli(at), id) < (${last.atMs}, toUUID('${last.id}'))`;
      step = newestFirst(scope, { fromMs, toMs: last.atMs + 1 }, before);
    }
  },

  /** As the table has them, so that a step reads only what it returns. */
  async *readByCode(scope, range, limits) {
    let condition = 'true';
    for (;;) {
      let count = 0;
      let last: AccountScan | undefined;
      const step = `select ${scanColumns}, qr_code_id from scans
         where ${whereScope(scope)} and ${inRange(range, 'moment')} and ${condition}
         order by qr_code_id desc, at desc, id desc limit ${rowsPerStep}`;
      for await (const rows of clickhouse.stream<[...ScanRow, Uuid]>(step, scopeParams(scope), limits)) {
        const scans = rows.map(row => ({ ...toScan(row as unknown as ScanRow), qrCodeId: row[12] }));
        yield scans;
        count += scans.length;
        last = scans.at(-1);
      }
      if (!last || count < rowsPerStep) return;
      const code = `toUUID('${last.qrCodeId}')`;
      // The plain comparison beside the tuple lets the engine skip the codes that are done.
      condition = `qr_code_id <= ${code} and
        (qr_code_id, toUnixTimestamp64Milli(at), id) < (${code}, ${last.atMs}, toUUID('${last.id}'))`;
    }
  },

  readLog: (scope, spans, { perShard, limit }, limits) =>
    clickhouse.query<LoggedScan>(
      // Only numbers are written into the query. They cannot be parameters, since how many there are varies.
      `select ${scanColumns}, qr_code_id as qrCodeId, shard, log_number as log, position, place as "index"
         from scans
        where ${whereScope(scope)} and (${spans.map(whereSpan).join(' or ')})
        order by shard, log_number, position, place limit {perShard: UInt32} by shard limit {limit: UInt32}`,
      { ...scopeParams(scope), perShard, limit },
      limits,
    ),
});

function whereSpan({ shard, after, upTo }: LogSpan): string {
  const isAfter = `(log_number, position, place) > (${formatPosition(after)})`;
  const isUpTo = `(log_number, position) <= (${upTo.log}, ${upTo.position})`;
  // Plain ranges beside the tuples: the indexes use them to skip granules.
  const span =
    after.log === upTo.log
      ? `log_number = ${upTo.log} and position between ${after.position} and ${upTo.position}`
      : `(log_number = ${after.log} and position >= ${after.position}
          or log_number > ${after.log} and log_number < ${upTo.log}
          or log_number = ${upTo.log} and position <= ${upTo.position})`;
  return `(shard = ${shard} and ${span} and ${isAfter} and ${isUpTo})`;
}

const formatPosition = ({ log, position, index }: ScanPosition) => `${log}, ${position}, ${index}`;

const scanColumns = `id, toUnixTimestamp64Milli(at) as atMs, country, region, city, device, browser,
          is_unique as isUnique, language, target_id as targetId, rule_id as ruleId, placement`;

/** The columns in this order. */
type ScanRow = readonly [
  Uuid,
  number,
  string,
  string,
  string,
  string,
  string,
  boolean,
  string,
  Uuid,
  Uuid,
  string,
];

const toScan = ([
  id,
  atMs,
  country,
  region,
  city,
  device,
  browser,
  isUnique,
  language,
  targetId,
  ruleId,
  placement,
]: ScanRow): StoredScan => ({
  id,
  atMs,
  country,
  region,
  city,
  device,
  browser,
  isUnique,
  language,
  targetId,
  ruleId,
  placement,
});

const newestFirst = (scope: Scope, range: TimeRange, condition = 'true') =>
  `select ${scanColumns}
     from scans
    where ${whereScope(scope)} and ${inRange(range, 'moment')} and ${condition}
    order by at desc, id desc`;
