import { setTimeout as pause } from 'node:timers/promises';
import { createClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createClickHouseRows } from '../../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import type { CheckContext } from '../context.ts';
import { startRelay, type Tampering } from '../relay.ts';
import { type Insert, makeAccount } from '../scans/generate.ts';
import { require, type Step } from '../steps.ts';

const limits = { timeoutMs: 30_000 };
const newline = 0x0a;

/** Where an insert is killed. At the end of a row the server cannot tell a cut body from a shorter one by its rows. */
const cuts: Readonly<Record<string, Tampering>> = {
  'after a tenth of the body': { cutBody: body => Math.floor(body.length / 10) },
  'after half of it': { cutBody: body => Math.floor(body.length / 2) },
  'after half of it, at the end of a row': { cutBody: body => body.indexOf(newline, body.length / 2) + 1 },
  'before its last byte': { cutBody: body => body.length - 1 },
  'before the end of the body is sent': { cutBody: body => body.length },
  'before the answer arrives': { loseAnswer: true },
};

export const killedInserts = (context: CheckContext): Step => ({
  name: 'A killed insert leaves nothing or everything, and its retry each scan once',
  async run({ see, progress }) {
    const relay = await startRelay(context.url);
    const through = await createClickHouse(relay.via(context.url));
    const account = makeAccount(3);
    const inserts: Insert[] = [];
    try {
      for (const [where, tampering] of Object.entries(cuts)) {
        const insert = context.generator.insertOf([account], 2, rowsPerInsert(context));
        inserts.push(insert);
        relay.tampering = tampering;
        const killed = createClickHouseRows(through).insert(insert.rows, insert.token, limits);
        const error = await killed.then(() => null).catch(thrown => thrown as Error);
        require(error !== null, `killed ${where}, the insert was reported as stored`);
        const left = await requireNoneOrAll(context, insert, where);
        await context.rows.insertMissing(insert.group, insert.rows, insert.token, limits);
        await requireOnce(context, insert, `killed ${where}, after its retry`);
        see(`killed ${where}: ${left}, after the retry each once`);
        progress(inserts.length, Object.keys(cuts).length, 'inserts killed');
      }
      // What a killed insert still stores would show by now.
      await pause(1_000);
      for (const insert of inserts) await requireOnce(context, insert, 'a second later');
    } finally {
      await through.close();
      relay.close();
    }
  },
});

export const tokens = (context: CheckContext): Step => ({
  name: 'Rows under one deduplication token are stored once, also at the same time; under another token again',
  async run({ see }) {
    const { rows, generator } = context;
    const account = makeAccount(3);
    const insert = generator.insertOf([account], 3, rowsPerInsert(context));
    for (let times = 0; times < 3; times++) await rows.insert(insert.rows, insert.token, limits);
    await requireOnce(context, insert, 'sent three times under one token');
    const parallel = generator.insertOf([account], 3, rowsPerInsert(context));
    await Promise.all([1, 2, 3].map(() => rows.insert(parallel.rows, parallel.token, limits)));
    await requireOnce(context, parallel, 'sent three times at once under one token');
    await rows.insert(insert.rows, `${insert.token}-again`, limits);
    const { stored, distinct } = await countOf(context, insert);
    const size = insert.rows.length;
    require(stored === 2 * size && distinct === size, `under another token ${stored} instead of ${2 * size}`);
    await rows.insert(insert.rows, insert.token, limits);
    require((await countOf(context, insert)).stored === 2 * size, 'The first token was forgotten');
    see(`${size} rows: sent in turn and at once stored once, under another token once more`);
  },
});

const rowsPerInsert = ({ options }: CheckContext) => Math.max(100, Math.min(5_000, options.scans / 10));

async function countOf({ clickhouse }: CheckContext, { group }: Insert) {
  const { shard, log, afterPosition, toPosition } = group;
  const [row] = await clickhouse.query<{ stored: number; distinct: number }>(
    `select count() as stored, uniqExact(id) as distinct from scans
      where shard = {shard: UInt16} and log_number = {log: UInt32}
        and position > {after: UInt64} and position <= {to: UInt64}`,
    { shard, log, after: afterPosition, to: toPosition },
  );
  return row!;
}

async function requireOnce(context: CheckContext, insert: Insert, when: string): Promise<void> {
  const { stored, distinct } = await countOf(context, insert);
  const wanted = insert.rows.length;
  require(stored === wanted &&
    distinct === wanted, `${when}: ${stored} rows of ${distinct} scans instead of ${wanted}`);
}

async function requireNoneOrAll(context: CheckContext, insert: Insert, where: string): Promise<string> {
  const seen = new Set<number>();
  for (let looks = 0; looks < 5; looks++, await pause(50)) seen.add((await countOf(context, insert)).stored);
  const isPart = (count: number) => count !== 0 && count !== insert.rows.length;
  require(![...seen].some(
    isPart,
  ), `killed ${where}, it left ${[...seen].join(', ')} of ${insert.rows.length}`);
  return [...seen].map(count => (count === 0 ? 'nothing' : 'everything')).join(', then ');
}
