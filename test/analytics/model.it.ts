import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { effort } from '../support/effort.ts';
import { boundsFit, figuresOf, firstsOf, listOf, type Question, seriesOf, topCodesOf } from './model.ts';
import { parseCsv } from './parse-csv.ts';
import { someQuestion, someScans } from './questions.ts';
import { createScene, type Scene } from './scene.ts';

const seed = 20_261_115;
/** Three kinds: 1,050 questions in all at a desk; ANALYTICS_QUESTIONS=200 asks 1,000 of each kind. */
const sets = 5;
const questionsEach = Number(process.env.ANALYTICS_QUESTIONS ?? effort(70, 20));

let scene: Scene;

beforeAll(async () => {
  scene = await createScene();
});
afterAll(() => scene.close());

const asked = (question: Question) => new URLSearchParams(question).toString();
const periodOf = ({ interval: _interval, ...period }: Question) => new URLSearchParams(period).toString();

function recordOf(firsts: ReadonlySet<string>) {
  return ({ id, atMs, country, region, city, device, browser }: Scan) => ({
    id: formatId('scan', id),
    timestamp: new Date(atMs).toISOString(),
    country,
    region,
    city,
    device,
    browser,
    is_unique: firsts.has(id),
  });
}

const sum = (entries: readonly { total_scans: number }[]) =>
  entries.reduce((all, one) => all + one.total_scans, 0);
const total = (map: Record<string, number>) => Object.values(map).reduce((all, one) => all + one, 0);

type Set = { readonly scans: readonly Scan[]; readonly codes: readonly string[]; readonly key: string };

const get = async (url: string, key: string) => {
  const reply = await scene.api.call({ url, key });
  expect(reply.status).toBe(200);
  return reply;
};

const baseOf = (code: string) => `/v1/qrcodes/${formatId('qr', code)}/analytics`;

/** Bounds, totals, tops and maps; by both paths; and the series, which adds up to them. */
async function summaryAgrees({ scans, codes, key }: Set, question: Question): Promise<void> {
  const code = codes[0]!;
  const own = scans.filter(scan => scan.qrCodeId === code);
  const [{ body: summary }, { body: series }] = await Promise.all([
    get(`${baseOf(code)}?${periodOf(question)}`, key),
    get(`${baseOf(code)}/timeseries?${asked(question)}`, key),
  ]);
  const qr_id = formatId('qr', code);
  expect(boundsFit(question, summary.period)).toBe(true);
  expect(summary).toEqual({ qr_id, period: summary.period, ...figuresOf(own, question) });
  if (question.timezone === 'UTC') {
    const other = `/v1/analytics/qrcodes/${formatId('qr', code)}?${periodOf(question)}`;
    expect((await get(other, key)).body).toEqual(summary);
  }
  const data = seriesOf(own, question, summary.period);
  expect(series).toEqual({ qr_id, interval: question.interval, data });
  const { total_scans } = summary.summary;
  expect([sum(series.data), total(summary.devices), total(summary.browsers)]).toEqual(
    Array(3).fill(total_scans),
  );
}

/** A page, and both exports, whose rows are as many as its total. */
async function scansAgree({ scans, codes, key }: Set, question: Question): Promise<void> {
  const code = codes.at(-1)!;
  const list = listOf(
    scans.filter(scan => scan.qrCodeId === code),
    question,
  );
  const limit = 1 + (list.length % 40);
  const page = 1 + Math.floor((list.length / limit) * 0.7);
  const query = periodOf(question);
  const [{ body: listed }, { body: json }, { text: csv }] = await Promise.all([
    get(`${baseOf(code)}/scans?${query}&page=${page}&limit=${limit}`, key),
    get(`${baseOf(code)}/export?${query}&format=json`, key),
    get(`${baseOf(code)}/export?${query}`, key),
  ]);
  const records = list.map(recordOf(firstsOf(scans)));
  expect(listed).toEqual({
    data: records.slice((page - 1) * limit, page * limit),
    pagination: { page, limit, total: list.length, total_pages: Math.ceil(list.length / limit) },
  });
  expect(boundsFit(question, json.period)).toBe(true);
  expect(json).toEqual({
    qr_id: formatId('qr', code),
    period: json.period,
    data: records,
    total: list.length,
  });
  const rows = parseCsv(csv);
  expect(rows[0]).toEqual(Object.keys(recordOf(new Set())(scans[0]!)));
  expect(rows.slice(1)).toEqual(
    records.map(record => Object.values(record).map(value => String(value).replace(/^=/, "'="))),
  );
}

/** All codes of the account together. */
async function aggregateAgrees({ scans, codes, key }: Set, question: Question): Promise<void> {
  const { body } = await get(`/v1/analytics/aggregate?${asked(question)}`, key);
  const expected = figuresOf(scans, question);
  expect(boundsFit(question, body.period)).toBe(true);
  expect(body).toEqual({
    ...expected,
    period: body.period,
    summary: { ...expected.summary, qr_codes: codes.length },
    top_qr_codes: topCodesOf(scans, question).map(({ id, scans: n }) => ({
      qr_id: formatId('qr', id),
      name: scene.nameOf(id),
      scans: n,
    })),
    timeseries: seriesOf(scans, question, body.period),
  });
  expect(sum(body.timeseries)).toBe(body.summary.total_scans);
}

const questions = { summaryAgrees, scansAgree, aggregateAgrees };

describe.each(Array.from({ length: sets }, (_, n) => n))(
  'set %i of scans: every figure equals a recomputation',
  n => {
    let set: Set;
    beforeAll(async () => {
      const { key, codes } = await scene.account(3);
      const [scans = []] = fc.sample(someScans(codes), { seed: seed + n, numRuns: 1 });
      await scene.store(scans);
      set = { scans, key, codes: codes.map(code => code.id) };
      if (n % 2 === 0) return;
      // Parts of which rows were erased have no roll-ups: then the rows themselves must give the same figures.
      const gone = set.codes[1]!;
      await scene.erase(gone, key);
      set = {
        key,
        scans: scans.filter(scan => scan.qrCodeId !== gone),
        codes: set.codes.filter(code => code !== gone),
      };
    });

    test.each(Object.entries(questions))('%s', { timeout: 300_000 }, async (_name, agrees) => {
      await fc.assert(
        fc.asyncProperty(someQuestion, question => agrees(set, question)),
        { seed: seed + n, numRuns: questionsEach, endOnFailure: true },
      );
    });
  },
);

test.each(Object.entries(questions))('%s would find a difference of one scan', async (_name, agrees) => {
  const { key, codes } = await scene.account(1);
  const [scans = []] = fc.sample(someScans(codes), { seed, numRuns: 1 });
  await scene.store(scans);
  const set = { key, scans, codes: codes.map(code => code.id) };
  const question = {
    start_date: '2023-12-01',
    end_date: '2024-12-31',
    timezone: 'UTC',
    interval: 'month',
  } as const;
  await agrees(set, question);
  await expect(agrees({ ...set, scans: scans.slice(1) }, question)).rejects.toThrow();
});
