import type { Interval } from '@signpost/contract';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import { type Asked, cutsOf, type Period, periodOf } from '../kernel/period.ts';
import type { Asker, Questions } from '../limits/questions.ts';
import type { Share } from '../limits/share.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Database } from '../platform/postgres.ts';
import type { Figures, Scope, StoredScan } from './analytics.ts';
import { spanOf } from './span.ts';
import * as store from './store.ts';

/** Where analytics learn of codes. */
export type Codes = {
  /** The code, or a refusal where the caller has none of this id. */
  get(
    on: Database,
    caller: Caller,
    id: Uuid | null,
  ): Promise<{ readonly id: Uuid; readonly shortCode: string }>;
  count(on: Database, caller: Caller): Promise<number>;
  names(on: Database, caller: Caller, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>>;
  /** Codes of the caller that were deleted so lately that scans of theirs may still be stored. */
  justDeleted(on: Database, caller: Caller): Promise<readonly Uuid[]>;
};

type Parts = {
  readonly clickhouse: Pick<ClickHouse, 'stream'>;
  /** Each account has its share of both. */
  readonly questions: Questions;
  readonly exports: Share;
  readonly codes: Codes;
  readonly clock: Clock;
  readonly timeoutMs: number;
};

export type Analytics = ReturnType<typeof createAnalytics>;

/** Up to here a page is found by stepping over those before it; further down, by the counts of quarters of an hour. */
const shallow = 2_000;

/**
 * The longest for one step of an export, however slowly it is read. Not for the whole: that would break off a long file
 * which is read fast enough.
 */
const stepMs = 15 * 60 * 1000;

export function createAnalytics({ clickhouse, questions, exports, codes, clock, timeoutMs }: Parts) {
  /** Asks so many queries at a time, or fewer where the account has others under way. */
  const ask = <Result>(
    { accountId }: Caller,
    most: number,
    signal: AbortSignal,
    work: (asking: store.Asking) => Promise<Result>,
  ) =>
    questions.by(accountId, { most, signal }, (asker: Asker) =>
      work({ clickhouse: asker, limits: { timeoutMs } }),
    );

  async function scopeOf(
    on: Database,
    caller: Caller,
    id: Uuid | null,
  ): Promise<Scope & { readonly qrCodeId: Uuid }> {
    const code = await codes.get(on, caller, id);
    return { accountId: caller.accountId, mode: caller.mode, qrCodeId: code.id };
  }

  async function figuresOf(asking: store.Asking, scope: Scope, period: Period): Promise<Figures> {
    const [totals, countries, cities, tools] = await Promise.all([
      store.totals(asking, scope, period),
      store.topCountries(asking, scope, period),
      store.topCities(asking, scope, period),
      store.tools(asking, scope, period),
    ]);
    return { totals, countries, cities, tools };
  }

  return {
    async summary(on: Database, caller: Caller, id: Uuid | null, asked: Asked, signal: AbortSignal) {
      const scope = await scopeOf(on, caller, id);
      const period = periodOf(asked, clock.now());
      const figures = await ask(caller, 4, signal, asking => figuresOf(asking, scope, period));
      return { qrCodeId: scope.qrCodeId, period, figures };
    },

    async series(
      on: Database,
      caller: Caller,
      id: Uuid | null,
      asked: Asked & { readonly interval: Interval },
      signal: AbortSignal,
    ) {
      const scope = await scopeOf(on, caller, id);
      const period = periodOf(asked, clock.now());
      const cuts = cutsOf(period, asked.interval);
      const entries = await ask(caller, 1, signal, asking => store.series(asking, scope, period, cuts));
      return { qrCodeId: scope.qrCodeId, entries };
    },

    async scans(
      on: Database,
      caller: Caller,
      id: Uuid | null,
      asked: Asked,
      page: Page,
      signal: AbortSignal,
    ): Promise<Paged<StoredScan>> {
      const scope = await scopeOf(on, caller, id);
      const period = periodOf(asked, clock.now());
      const [{ scans: total }, items] = await ask(caller, 2, signal, asking =>
        Promise.all([store.totals(asking, scope, period), pageOf(asking, scope, period, page)]),
      );
      return { items, page, total };
    },

    /** What to export, and the scans themselves; nothing is read before somebody asks for the first of them. */
    async export(on: Database, caller: Caller, id: Uuid | null, asked: Asked) {
      const code = await codes.get(on, caller, id);
      const scope = { accountId: caller.accountId, mode: caller.mode, qrCodeId: code.id };
      const period = periodOf(asked, clock.now());
      const read = (signal: AbortSignal) => inTurn(scope, period, signal);
      return { code, period, read };
    },

    async aggregate(
      on: Database,
      caller: Caller,
      asked: Asked & { readonly interval: Interval },
      signal: AbortSignal,
    ) {
      const period = periodOf(asked, clock.now());
      const cuts = cutsOf(period, asked.interval);
      const without = await codes.justDeleted(on, caller);
      const scope = { accountId: caller.accountId, mode: caller.mode, without };
      const [qrCodes, [figures, entries, top]] = await Promise.all([
        codes.count(on, caller),
        ask(caller, 6, signal, asking =>
          Promise.all([
            figuresOf(asking, scope, period),
            store.series(asking, scope, period, cuts),
            store.topCodes(asking, scope, period),
          ]),
        ),
      ]);
      const names = await codes.names(
        on,
        caller,
        top.map(code => code.qrCodeId),
      );
      // One that was deleted while this was worked out has no name any more.
      const topCodes = top.flatMap(({ qrCodeId, scans }) => {
        const name = names.get(qrCodeId);
        return name === undefined ? [] : [{ qrCodeId, name, scans }];
      });
      return { period, qrCodes, figures, entries, topCodes };
    },
  };

  async function* inTurn(scope: Scope, period: Period, signal: AbortSignal): AsyncGenerator<StoredScan[]> {
    const place = await exports.take(scope.accountId, { signal });
    try {
      const limits = { timeoutMs: stepMs, signal };
      yield* store.readScans(clickhouse, limits, scope, period);
    } finally {
      place.giveBack();
    }
  }

  async function pageOf(
    asking: store.Asking,
    scope: Scope,
    period: Period,
    page: Page,
  ): Promise<StoredScan[]> {
    const offset = offsetOf(page);
    const span = spanOf(period);
    const { limit } = page;
    if (offset <= shallow) return store.listScans(asking, scope, span, { limit, offset });
    const quarter = await store.findQuarter(asking, scope, period, offset);
    if (!quarter) return [];
    const rest = { fromMs: span.fromMs, toMs: Math.min(span.toMs, quarter.endMs) };
    return store.listScans(asking, scope, rest, { limit, offset: offset - quarter.before });
  }
}

export type Summary = Awaited<ReturnType<Analytics['summary']>>;
export type ScanExport = Awaited<ReturnType<Analytics['export']>>;
export type Aggregate = Awaited<ReturnType<Analytics['aggregate']>>;
