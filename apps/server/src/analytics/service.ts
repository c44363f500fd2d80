import type { Interval } from '@signpost/contract';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { type Uuid, zeroId } from '../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../kernel/page.ts';
import type { QueryShare } from '../limits/shares/query-share.ts';
import type { Share } from '../limits/shares/share.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { type Retention, readRetention } from '../scans/retention/retention.ts';
import type { QueryLimits, ScanQueries, StoredScan } from '../scans/stores/scan-queries.ts';
import type { Filters, Scope } from '../scans/stores/scope.ts';
import { type TimeRange, toTimeRange } from '../scans/stores/time-range.ts';
import type { CityCount, CodeCount, SummaryFigures } from './analytics.ts';
import { type FeedPage, readFeed } from './feed.ts';
import type { FeedCursor } from './feed-cursor.ts';
import { findHorizon } from './horizon.ts';
import { listBuckets, type Period, type PeriodParams, parsePeriod } from './period.ts';
import {
  failIfRemoved,
  requireRetained,
  requireSeriesOfSums,
  type SplitPeriod,
  splitByScans,
  splitBySums,
  withRetention,
} from './retained.ts';
import { pickFilters } from './scope.ts';
import * as store from './store.ts';
import {
  addMonths,
  addPlacements,
  addTargets,
  addTotals,
  countRemoved,
  findTopCodes,
  mergeCounts,
  readSums,
  type Sums,
  sumByValue,
  sumTotals,
} from './sums.ts';
import { type EarlierTarget, placementFigures, type TargetedCode, targetFigures } from './targets.ts';

/** Whose scans: those of an account in one mode. */
type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** What analytics needs to know about codes. */
export type Codes = {
  /** The code that a path names; throws if the caller has none such. */
  find(on: Database, caller: Owner, id: string): Promise<TargetedCode & { readonly shortCode: string }>;
  /** Targets that rules of a code had earlier. */
  removedTargets(on: Database, id: Uuid): Promise<readonly EarlierTarget[]>;
  count(on: Database, caller: Owner): Promise<number>;
  names(on: Database, caller: Owner, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>>;
  /** Codes of the caller that were deleted so recently that their scans may still be stored. */
  justDeleted(on: Database, caller: Owner): Promise<readonly Uuid[]>;
  /** The codes of a tag, up to one more than the limit. */
  codesOfTag(on: Database, caller: Owner, tag: string, limit: number): Promise<readonly Uuid[]>;
};

type Parts = {
  readonly scans: ScanQueries;
  /** Each account has its share of both. */
  readonly queries: QueryShare;
  readonly exports: Share;
  readonly codes: Codes;
  readonly clock: Clock;
  readonly timeoutMs: number;
};

/** Which scans a query is about: of a period, and only those that have certain values. */
type Params = PeriodParams & Filters;
/** The same, of all codes or of those that have a tag. */
type AccountParams = Params & { readonly tag?: string | undefined };

/** Codes whose scans one query adds up. */
const maxCodes = 10_000;

export type Analytics = ReturnType<typeof createAnalytics>;

/** Up to this offset a page is found by skipping rows; beyond it, by the counts of quarter hours. */
const maxSkippedRows = 2_000;

/**
 * The time limit of one step of an export, however slowly it is read. There is none for the whole: it would break off a long
 * export that is read fast enough.
 */
const stepTimeoutMs = 15 * 60 * 1000;

const callerScope = ({ accountId, mode }: Owner, params: Params) => ({
  accountId,
  mode,
  filters: pickFilters(params),
});

export function createAnalytics({ scans, queries, exports, codes, clock, timeoutMs }: Parts) {
  /** Runs up to this many queries at a time, or fewer if the account has others under way. */
  const runQueries = <Result>(
    { accountId }: Owner,
    maxConcurrent: number,
    signal: AbortSignal,
    work: (context: store.QueryContext) => Promise<Result>,
  ) =>
    queries.by(accountId, { most: maxConcurrent, signal }, run =>
      work({ scans, run: query => run(limits => query({ ...limits, timeoutMs })) }),
    );

  async function findScope(
    on: Database,
    caller: Owner,
    id: string,
    params: Params,
  ): Promise<Scope & { readonly qrCodeId: Uuid }> {
    const code = await codes.find(on, caller, id);
    return { ...callerScope(caller, params), qrCodeId: code.id };
  }

  /** All codes of the account, without those just deleted, or the codes of a tag. */
  async function accountScope(on: Database, caller: Owner, params: AccountParams): Promise<Scope> {
    const { tag } = params;
    if (tag === undefined)
      return { ...callerScope(caller, params), excludedCodes: await codes.justDeleted(on, caller) };
    const ids = await codes.codesOfTag(on, caller, tag, maxCodes);
    if (ids.length > maxCodes) throw tooManyCodes();
    return { ...callerScope(caller, params), codes: ids };
  }

  /** Sums have no cities: those of the answer are of the scans that are left. */
  async function queryFigures(
    context: store.QueryContext,
    scope: Scope,
    { rows, removed }: SplitPeriod,
    sums: Sums,
  ): Promise<SummaryFigures> {
    const [totals, countries, cities, agents] = await Promise.all([
      store.totals(context, scope, rows),
      store.topCountries(context, scope, rows, removed ? store.maxCountries : store.topLength),
      store.topCities(context, scope, rows),
      store.agents(context, scope, rows),
    ]);
    const agentCounts = (kind: 'device' | 'browser') =>
      mergeCounts(
        agents.map(agent => [agent[kind], agent.scans] as const),
        sumByValue(sums, kind),
      );
    return {
      totals: addTotals(totals, sumTotals(sums)),
      countries: [
        ...mergeCounts(
          countries.map(({ country, scans }) => [country, scans] as const),
          sumByValue(sums, 'country'),
        ),
      ]
        .slice(0, store.topLength)
        .map(([country, scans]) => ({ country, scans })),
      cities,
      devices: agentCounts('device'),
      browsers: agentCounts('browser'),
    };
  }

  /** A query that sums of removed months can help to answer. */
  const askWithSums = <Result>(
    on: Database,
    period: Period,
    scope: Scope,
    ask: (split: SplitPeriod, sums: Sums, retention: Retention | null) => Promise<Result>,
  ): Promise<Result & Pick<SplitPeriod, 'removed'>> =>
    withRetention(on, async retention => {
      const split = splitBySums(period, retention, scope);
      const sums = split.removed ? await readSums(on, scope, split.removed.months) : [];
      return { ...(await ask(split, sums, retention)), removed: split.removed };
    });

  const askWeekHours = (on: Database, caller: Owner, scope: Scope, params: Params, signal: AbortSignal) =>
    withRetention(on, async retention => {
      const period = parsePeriod(params, clock.now());
      requireRetained(period, retention, 'in a series by month');
      return await runQueries(caller, 1, signal, context => store.weekHours(context, scope, period));
    });

  return {
    async summary(on: Database, caller: Owner, id: string, params: Params, signal: AbortSignal) {
      const code = await codes.find(on, caller, id);
      const scope = { ...callerScope(caller, params), qrCodeId: code.id };
      const period = parsePeriod(params, clock.now());
      const removed = await codes.removedTargets(on, code.id);
      const hadRules = code.routing.rules.length > 0 || removed.length > 0;
      return await askWithSums(on, period, scope, async (split, sums) => {
        const { rows } = split;
        const [notRedirected, [figures, targets, placements]] = await Promise.all([
          store.notRedirected(on, scope.qrCodeId, period),
          runQueries(caller, 4, signal, context =>
            Promise.all([
              queryFigures(context, scope, split, sums),
              hadRules ? store.targets(context, scope, rows) : null,
              code.hadPlacements ? store.placements(context, scope, rows) : [],
            ]),
          ),
        ]);
        const ofDefault = [{ ...figures.totals, targetId: zeroId }];
        return {
          qrCodeId: scope.qrCodeId,
          period,
          figures,
          notRedirected,
          targets: targetFigures(code, removed, targets ? addTargets(targets, sums) : ofDefault),
          placements: placementFigures(code, addPlacements(placements, sums)),
        };
      });
    },

    async series(
      on: Database,
      caller: Owner,
      id: string,
      params: Params & { readonly interval: Interval },
      signal: AbortSignal,
    ) {
      const scope = await findScope(on, caller, id, params);
      const period = parsePeriod(params, clock.now());
      const buckets = listBuckets(period, params.interval);
      return await askWithSums(on, period, scope, async ({ rows }, sums, retention) => {
        requireSeriesOfSums(period, params.interval, retention);
        const entries = await runQueries(caller, 1, signal, context =>
          store.series(context, scope, rows, buckets),
        );
        return { qrCodeId: scope.qrCodeId, entries: addMonths(entries, sums) };
      });
    },

    async weekHours(on: Database, caller: Owner, id: string, params: Params, signal: AbortSignal) {
      return askWeekHours(on, caller, await findScope(on, caller, id, params), params, signal);
    },

    async aggregateWeekHours(on: Database, caller: Owner, params: AccountParams, signal: AbortSignal) {
      return askWeekHours(on, caller, await accountScope(on, caller, params), params, signal);
    },

    /**
     * Which of the most scanned cities everybody may be shown: those of at least so many visitors. And whether that holds for
     * all others together, so that a row of them tells nothing of one visitor.
     */
    async publicCities(
      on: Database,
      caller: Owner,
      { id, ...params }: AccountParams & { readonly id?: string | undefined },
      { cities, minVisitors }: { readonly cities: readonly CityCount[]; readonly minVisitors: number },
      signal: AbortSignal,
    ): Promise<{ readonly named: readonly CityCount[]; readonly hasOthers: boolean }> {
      const scope =
        id === undefined ? await accountScope(on, caller, params) : await findScope(on, caller, id, params);
      const period = parsePeriod(params, clock.now());
      return await withRetention(on, async retention => {
        const { rows } = splitByScans(period, retention);
        return await runQueries(caller, 1, signal, async context => {
          const known = cities.filter(({ city }) => city !== '');
          const visitors = await store.visitorsIn(context, scope, rows, known);
          const named = known.filter((_, at) => visitors[at]! >= minVisitors);
          const others = await store.visitorsOutside(context, scope, rows, named);
          return { named, hasOthers: others >= minVisitors };
        });
      });
    },

    async scans(
      on: Database,
      caller: Owner,
      id: string,
      params: Params,
      page: Page,
      signal: AbortSignal,
    ): Promise<Paged<StoredScan> & Pick<SplitPeriod, 'removed'>> {
      const scope = await findScope(on, caller, id, params);
      const period = parsePeriod(params, clock.now());
      return await withRetention(on, async retention => {
        const { rows, removed } = splitByScans(period, retention);
        const [{ scans: total }, items] = await runQueries(caller, 2, signal, context =>
          Promise.all([store.totals(context, scope, rows), queryPage(context, scope, rows, page)]),
        );
        return { items, page, total, removed };
      });
    },

    /** What to export, and a reader of the scans; nothing is read before the first of them is requested. */
    async export(on: Database, caller: Owner, id: string, params: Params) {
      const code = await codes.find(on, caller, id);
      const scope = { ...callerScope(caller, params), qrCodeId: code.id };
      const period = parsePeriod(params, clock.now());
      const retention = await readRetention(on);
      const split = splitByScans(period, retention);
      const read = (signal: AbortSignal) =>
        failIfRemoved(on, split.rows, retention, readExport(scope, split.rows, signal, scans.read));
      return { accountId: caller.accountId, code, period, split, read };
    },

    /** The same for all codes, or those of a tag. */
    async exportAll(on: Database, caller: Owner, params: AccountParams) {
      const scope = await accountScope(on, caller, params);
      const period = parsePeriod(params, clock.now());
      const retention = await readRetention(on);
      const split = splitByScans(period, retention);
      const read = (signal: AbortSignal) =>
        failIfRemoved(on, split.rows, retention, readExport(scope, split.rows, signal, scans.readByCode));
      return { accountId: caller.accountId, period, split, read };
    },

    /** The next scans of the account in the order of the log. Those of deleted codes are left out. */
    async feed(
      on: Database,
      caller: Owner,
      after: FeedCursor,
      limit: number,
      signal: AbortSignal,
    ): Promise<FeedPage> {
      const horizon = await findHorizon(on);
      const scope = await accountScope(on, caller, {});
      return await runQueries(caller, 1, signal, context => readFeed(context, scope, after, horizon, limit));
    },

    async aggregate(
      on: Database,
      caller: Owner,
      params: AccountParams & { readonly interval: Interval },
      signal: AbortSignal,
    ) {
      const period = parsePeriod(params, clock.now());
      const buckets = listBuckets(period, params.interval);
      const scope = await accountScope(on, caller, params);
      return await askWithSums(on, period, scope, async (split, sums, retention) => {
        requireSeriesOfSums(period, params.interval, retention);
        const qrCodes = scope.codes ? scope.codes.length : await codes.count(on, caller);
        const [figures, entries, top] = await runQueries(caller, 6, signal, context =>
          Promise.all([
            queryFigures(context, scope, split, sums),
            store.series(context, scope, split.rows, buckets),
            queryTopCodes(on, context, scope, split),
          ]),
        );
        const names = await codes.names(
          on,
          caller,
          top.map(code => code.qrCodeId),
        );
        // A code that was deleted in the meantime has no name any more.
        const topCodes = top.flatMap(({ qrCodeId, scans }) => {
          const name = names.get(qrCodeId);
          return name === undefined ? [] : [{ qrCodeId, name, scans }];
        });
        return { period, qrCodes, figures, entries: addMonths(entries, sums), topCodes };
      });
    },
  };

  function queryTopCodes(
    on: Database,
    context: store.QueryContext,
    scope: Scope,
    { rows, removed }: SplitPeriod,
  ): Promise<readonly CodeCount[]> {
    if (!removed) return store.topCodes(context, scope, rows);
    const retained = {
      top: (limit: number) => store.topCodes(context, scope, rows, limit),
      count: (ids: readonly Uuid[]) => store.topCodes(context, { ...scope, codes: ids }, rows, ids.length),
    };
    return findTopCodes([retained, countRemoved(on, scope, removed.months)], store.topLength);
  }

  async function* readExport<Scan>(
    scope: Scope,
    period: Period,
    signal: AbortSignal,
    read: ScanReader<Scan>,
  ): AsyncGenerator<Scan[]> {
    const slot = await exports.take(scope.accountId, { signal });
    try {
      yield* read(scope, toTimeRange(period), { timeoutMs: stepTimeoutMs, signal });
    } finally {
      slot.release();
    }
  }

  async function queryPage(
    context: store.QueryContext,
    scope: Scope,
    period: Period,
    page: Page,
  ): Promise<StoredScan[]> {
    const offset = toOffset(page);
    const range = toTimeRange(period);
    const { limit } = page;
    if (offset <= maxSkippedRows) return store.listScans(context, scope, range, { limit, offset });
    const quarter = await store.findQuarter(context, scope, period, offset);
    if (!quarter) return [];
    const rest = { fromMs: range.fromMs, toMs: Math.min(range.toMs, quarter.endMs) };
    return store.listScans(context, scope, rest, { limit, offset: offset - quarter.before });
  }
}

type ScanReader<Scan> = (scope: Scope, range: TimeRange, limits: QueryLimits) => AsyncGenerator<Scan[]>;

const tooManyCodes = () =>
  new AppError(
    'too_many_codes',
    `The tag has more than ${maxCodes.toLocaleString('en-GB')} codes. Choose a tag with fewer, or ask for all codes.`,
    { param: 'tag' },
  );

export type AccountExport = Awaited<ReturnType<Analytics['exportAll']>>;
export type ScanExport = Awaited<ReturnType<Analytics['export']>>;
