import type { Interval } from '@signpost/contract';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import { type Asked, cutsOf, type Period, periodOf } from '../kernel/period.ts';
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
  readonly clickhouse: ClickHouse;
  readonly codes: Codes;
  readonly clock: Clock;
  readonly timeoutMs: number;
};

export type Analytics = ReturnType<typeof createAnalytics>;

/** Up to here a page is found by stepping over those before it; further down, by the counts of quarters of an hour. */
const shallow = 2_000;

/** An export ends after this time, however slowly it is read. */
const exportMs = 15 * 60 * 1000;

/** So many exports at a time: each holds a connection to ClickHouse for as long as its reader takes. */
const mostExports = 8;

export function createAnalytics({ clickhouse, codes, clock, timeoutMs }: Parts) {
  const asking = { clickhouse, limits: { timeoutMs } };
  let exports = 0;

  async function scopeOf(
    on: Database,
    caller: Caller,
    id: Uuid | null,
  ): Promise<Scope & { readonly qrCodeId: Uuid }> {
    const code = await codes.get(on, caller, id);
    return { accountId: caller.accountId, mode: caller.mode, qrCodeId: code.id };
  }

  async function figuresOf(scope: Scope, period: Period): Promise<Figures> {
    const [totals, countries, cities, tools] = await Promise.all([
      store.totals(asking, scope, period),
      store.topCountries(asking, scope, period),
      store.topCities(asking, scope, period),
      store.tools(asking, scope, period),
    ]);
    return { totals, countries, cities, tools };
  }

  return {
    async summary(on: Database, caller: Caller, id: Uuid | null, asked: Asked) {
      const scope = await scopeOf(on, caller, id);
      const period = periodOf(asked, clock.now());
      return { qrCodeId: scope.qrCodeId, period, figures: await figuresOf(scope, period) };
    },

    async series(on: Database, caller: Caller, id: Uuid | null, asked: Asked, interval: Interval) {
      const scope = await scopeOf(on, caller, id);
      const period = periodOf(asked, clock.now());
      const entries = await store.series(asking, scope, period, cutsOf(period, interval));
      return { qrCodeId: scope.qrCodeId, entries };
    },

    async scans(
      on: Database,
      caller: Caller,
      id: Uuid | null,
      asked: Asked,
      page: Page,
    ): Promise<Paged<StoredScan>> {
      const scope = await scopeOf(on, caller, id);
      const period = periodOf(asked, clock.now());
      const [{ scans: total }, items] = await Promise.all([
        store.totals(asking, scope, period),
        pageOf(scope, period, page),
      ]);
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

    async aggregate(on: Database, caller: Caller, asked: Asked, interval: Interval) {
      const period = periodOf(asked, clock.now());
      const cuts = cutsOf(period, interval);
      const without = await codes.justDeleted(on, caller);
      const scope = { accountId: caller.accountId, mode: caller.mode, without };
      const [qrCodes, figures, entries, top] = await Promise.all([
        codes.count(on, caller),
        figuresOf(scope, period),
        store.series(asking, scope, period, cuts),
        store.topCodes(asking, scope, period),
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
    if (exports >= mostExports) {
      const message = 'Too many exports are running at the moment. Try again in a few seconds.';
      throw new AppError('unavailable', message, { retryAfterSeconds: 5 });
    }
    exports++;
    try {
      const limits = { timeoutMs: exportMs, signal };
      yield* store.readScans({ clickhouse, limits }, scope, period);
    } finally {
      exports--;
    }
  }

  async function pageOf(scope: Scope, period: Period, page: Page): Promise<StoredScan[]> {
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
