import type { ReadPool } from '../../../platform/postgres/reading/read-pool.ts';
import type { AccountScan, LoggedScan, ScanQueries, StoredScan } from '../scan-queries.ts';
import { addMoment, whereInRange, whereScope } from './conditions.ts';
import { createRunner } from './parameters.ts';

type RowQueries = Pick<ScanQueries, 'findQuarter' | 'list' | 'read' | 'readByCode' | 'readLog'>;

/** Rows that a step of an export holds in memory. No connection is held between two steps. */
const rowsPerStep = 2_000;

const scanColumns = `id, (extract(epoch from at) * 1000)::bigint as "atMs", country, region, city, device, browser,
         is_unique as "isUnique", language, target_id as "targetId", rule_id as "ruleId", placement`;

/** Queries whose result is scans, or where to find them. */
export function createRowQueries(pool: ReadPool): RowQueries {
  const query = createRunner(pool);
  return {
    async findQuarter(scope, range, offset, limits) {
      const [row] = await query<{ quarter: number; before: number }>(p => {
        const skipped = p.add(offset, 'bigint');
        return `select quarter, before::float8
                  from (select quarter, held, sum(held) over (order by quarter desc) - held as before
                          from (select floor(extract(epoch from at) / 900)::bigint as quarter, count(*) as held from scans
                                 where ${whereScope(scope, p)} and ${whereInRange(range, p)}
                                 group by quarter) quarters) sums
                 where before <= ${skipped} and before + held > ${skipped}`;
      }, limits);
      return row ? { endMs: (row.quarter + 1) * 900_000, before: row.before } : null;
    },

    list: (scope, range, { limit, offset }, limits) =>
      query<StoredScan>(
        p => `select ${scanColumns} from scans
               where ${whereScope(scope, p)} and ${whereInRange(range, p)}
               order by at desc, id desc limit ${p.add(limit, 'bigint')} offset ${p.add(offset, 'bigint')}`,
        limits,
      ),

    async *read(scope, range, limits) {
      let last: StoredScan | undefined;
      do {
        const after: StoredScan | undefined = last;
        const toMs = after ? after.atMs + 1 : range.toMs;
        const scans: StoredScan[] = await query<StoredScan>(
          p => `select ${scanColumns} from scans
                 where ${whereScope(scope, p)} and ${whereInRange({ ...range, toMs }, p)}
                   ${after ? `and (at, id) < (${addMoment(after.atMs, p)}, ${p.add(after.id, 'uuid')})` : ''}
                 order by at desc, id desc limit ${rowsPerStep}`,
          limits,
        );
        if (scans.length > 0) yield scans;
        last = scans.length === rowsPerStep ? scans.at(-1) : undefined;
      } while (last);
    },

    async *readByCode(scope, range, limits) {
      let last: AccountScan | undefined;
      do {
        const after: AccountScan | undefined = last;
        const scans: AccountScan[] = await query<AccountScan>(
          p => `select ${scanColumns}, qr_code_id as "qrCodeId" from scans
                 where ${whereScope(scope, p)} and ${whereInRange(range, p)}
                   ${
                     after
                       ? `and (qr_code_id, at, id) < (${p.add(after.qrCodeId, 'uuid')}, ${addMoment(after.atMs, p)}, ${p.add(after.id, 'uuid')})`
                       : ''
                   }
                 order by qr_code_id desc, at desc, id desc limit ${rowsPerStep}`,
          limits,
        );
        if (scans.length > 0) yield scans;
        last = scans.length === rowsPerStep ? scans.at(-1) : undefined;
      } while (last);
    },

    readLog: (scope, spans, { perShard, limit }, limits) =>
      query<LoggedScan>(p => {
        const list = (values: readonly number[], type: string) => p.add(values, `${type}[]`);
        const numbers = [
          list(
            spans.map(({ shard }) => shard),
            'integer',
          ),
          list(
            spans.map(({ after }) => after.log),
            'integer',
          ),
          list(
            spans.map(({ after }) => after.position),
            'bigint',
          ),
          list(
            spans.map(({ after }) => after.index),
            'bigint',
          ),
          list(
            spans.map(({ upTo }) => upTo.log),
            'integer',
          ),
          list(
            spans.map(({ upTo }) => upTo.position),
            'bigint',
          ),
        ];
        return `select logged.*
                  from unnest(${numbers.join(', ')})
                         as span (shard, after_log, after_position, after_place, to_log, to_position),
                       lateral (
                         select ${scanColumns}, qr_code_id as "qrCodeId", shard, log_number as log, position, place as index
                           from scans
                          where ${whereScope(scope, p)} and shard = span.shard
                            and (log_number, position, place) > (span.after_log, span.after_position, span.after_place)
                            and (log_number, position) <= (span.to_log, span.to_position)
                          order by log_number, position, place limit ${p.add(perShard, 'bigint')}) logged
                 order by logged.shard, logged.log, logged.position, logged.index limit ${p.add(limit, 'bigint')}`;
      }, limits),
  };
}
