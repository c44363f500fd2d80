import type { CityCount, CodeCount, CountryCount, SeriesPoint } from '../analytics/analytics.ts';
import { type Period, type PeriodParams, parsePeriod } from '../analytics/period.ts';
import type { PlacementFigures, TargetFigures } from '../analytics/targets.ts';
import { formatId } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Totals } from '../scans/stores/scan-queries.ts';
import { chooseInterval, type OpenLink, type Owner, toPeriodParams } from './share-link.ts';

/** What analytics answers, as far as a page needs it. The page has the same figures as the API, by the same queries. */
export type Analytics = {
  summary(
    on: Database,
    owner: Owner,
    id: string,
    params: PeriodParams,
    signal: AbortSignal,
  ): Promise<{
    readonly figures: Figures;
    readonly removed: Removed;
    readonly targets: readonly TargetFigures[];
    readonly placements: readonly PlacementFigures[];
  }>;
  series(
    on: Database,
    owner: Owner,
    id: string,
    params: SeriesParams,
    signal: AbortSignal,
  ): Promise<{ readonly entries: readonly SeriesPoint[] }>;
  aggregate(
    on: Database,
    owner: Owner,
    params: SeriesParams & { readonly tag?: string | undefined },
    signal: AbortSignal,
  ): Promise<{
    readonly figures: Figures;
    readonly removed: Removed;
    readonly entries: readonly SeriesPoint[];
    readonly qrCodes: number;
    readonly topCodes: readonly NamedCode[];
  }>;
  publicCities(
    on: Database,
    owner: Owner,
    params: PeriodParams & { readonly id?: string | undefined; readonly tag?: string | undefined },
    wanted: { readonly cities: readonly CityCount[]; readonly minVisitors: number },
    signal: AbortSignal,
  ): Promise<{ readonly named: readonly CityCount[]; readonly hasOthers: boolean }>;
};

type SeriesParams = PeriodParams & { readonly interval: ReturnType<typeof chooseInterval> };
type NamedCode = CodeCount & { readonly name: string };
type Removed = { readonly retainedFromMs: number } | null;
type Figures = {
  readonly totals: Totals;
  readonly countries: readonly CountryCount[];
  readonly cities: readonly CityCount[];
};

/** The figures of a shared page. They name no scan, no id, and no city that tells of few people. */
export type PageFigures = {
  readonly period: Period;
  readonly interval: ReturnType<typeof chooseInterval>;
  readonly totals: Totals;
  readonly entries: readonly SeriesPoint[];
  readonly countries: readonly CountryCount[];
  readonly cities: readonly CityCount[];
  /** Scans of all other cities; null where they alone would tell of few people. */
  readonly otherCities: number | null;
  /** Since when there are cities, where the period reaches back further. */
  readonly citiesSinceMs: number | null;
  /** Of a code; empty of a tag and of the account. */
  readonly targets: readonly Pick<TargetFigures, 'label' | 'url' | 'scans'>[];
  readonly placements: readonly Pick<PlacementFigures, 'key' | 'name' | 'scans'>[];
  /** Of a tag and of the account: how many codes there are, and those with the most scans. */
  readonly qrCodes: number | null;
  readonly codes: readonly NamedCode[];
  readonly madeAt: Date;
};

/** Fewer visitors than this tell too much about each of them. */
const minVisitors = 5;

export type ReadFigures = (
  db: Database,
  link: OpenLink,
  now: Date,
  signal: AbortSignal,
) => Promise<PageFigures>;

export function createFigures(analytics: Analytics): ReadFigures {
  return async (db, link, now, signal) => {
    const params = toPeriodParams(link.period, now);
    const period = parsePeriod(params, now);
    const interval = chooseInterval(period);
    const subject = link.qrCodeId ? { id: formatId('qr', link.qrCodeId) } : { tag: link.tag?.name };
    const wanted = { ...params, interval };
    const found =
      subject.id === undefined
        ? await readAggregate(db, link, { ...wanted, ...subject }, signal)
        : await readCode(db, link, subject.id, wanted, signal);
    const { totals, cities, countries } = found.figures;
    const open = link.sections.includes('map')
      ? await analytics.publicCities(db, link, { ...params, ...subject }, { cities, minVisitors }, signal)
      : { named: [], hasOthers: false };
    const named = open.named.reduce((sum, { scans }) => sum + scans, 0);
    const hasOthers = open.hasOthers && !found.removed && totals.scans > named;
    return {
      period,
      interval,
      totals,
      entries: found.entries,
      countries,
      cities: open.named,
      otherCities: hasOthers ? totals.scans - named : null,
      citiesSinceMs: found.removed?.retainedFromMs ?? null,
      targets: found.targets,
      placements: found.placements,
      qrCodes: found.qrCodes,
      codes: found.codes,
      madeAt: now,
    };
  };

  async function readCode(
    db: Database,
    link: OpenLink,
    id: string,
    wanted: SeriesParams,
    signal: AbortSignal,
  ) {
    const { figures, removed, targets, placements } = await analytics.summary(db, link, id, wanted, signal);
    const { entries } = await analytics.series(db, link, id, wanted, signal);
    return { figures, removed, targets, placements, entries, qrCodes: null, codes: [] };
  }

  async function readAggregate(
    db: Database,
    link: OpenLink,
    wanted: SeriesParams & { readonly tag?: string | undefined },
    signal: AbortSignal,
  ) {
    const { topCodes: codes, ...rest } = await analytics.aggregate(db, link, wanted, signal);
    return { ...rest, codes, targets: [], placements: [] };
  }
}
