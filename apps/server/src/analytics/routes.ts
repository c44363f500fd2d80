import {
  type AnalyticsSummary,
  type ExportFormat,
  type ExportQuery,
  operations,
  type PeriodQuery,
  type ScanRecord,
  type SeriesEntry,
} from '@signpost/contract';
import { disconnectSignal } from '../http/connections/client-disconnect.ts';
import type { Call, Routes, StreamAnswer } from '../http/routes.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, type Uuid } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import { cpuQueue } from '../kernel/running/cpu-queue.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { browsers, devices } from '../scans/scan.ts';
import {
  type CountsByName,
  dailyAverage,
  presentAccountScan,
  presentScan,
  type SeriesPoint,
  type SummaryFigures,
} from './analytics.ts';
import { feedStart, formatFeedCursor, parseFeedCursor } from './feed-cursor.ts';
import { type Period, presentDays, presentPeriod } from './period.ts';
import { presentRetained } from './retained.ts';
import { accountScanFile, type ScanFile, scanFile } from './scan-file.ts';
import type { AccountExport, Analytics, ScanExport } from './service.ts';
import { presentWeekHours } from './week-hours.ts';

/** The endpoints of analytics. Wire names are mapped here and nowhere else. */
export function addAnalyticsRoutes(routes: Routes, analytics: Analytics): void {
  async function summary({ db, caller, params, query, raw }: SummaryCall): Promise<AnalyticsSummary> {
    const found = await analytics.summary(db, caller, params.id, query, disconnectSignal(raw.reply));
    return {
      qr_id: formatId('qr', found.qrCodeId),
      period: presentPeriod(found.period),
      ...presentRetained(found.removed),
      summary: presentTotals(found.figures, found.period),
      ...presentTops(found.figures),
      not_redirected: found.notRedirected,
      targets: found.targets.map(({ targetId, ruleId, label, url, scans, visitors }) => ({
        target_id: targetId && formatId('tgt', targetId),
        rule_id: ruleId && formatId('rul', ruleId),
        label,
        url,
        scans,
        unique_visitors: visitors,
      })),
      placements: found.placements.map(({ key, name, scans, visitors }) => ({
        key,
        name,
        scans,
        unique_visitors: visitors,
      })),
    };
  }
  routes.add(operations.getAnalytics, summary);
  routes.add(operations.getAnalyticsOfQrCode, summary);

  routes.add(operations.listScans, async ({ db, caller, params, query, raw }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 50 };
    const found = await analytics.scans(db, caller, params.id, query, page, disconnectSignal(raw.reply));
    return {
      data: found.items.map(presentScan),
      pagination: presentPage(found),
      ...presentRetained(found.removed),
    };
  });

  routes.add(operations.getTimeseries, async ({ db, caller, params, query, raw }) => {
    const { interval = 'day' } = query;
    const request = { ...query, interval };
    const { qrCodeId, entries, removed } = await analytics.series(
      db,
      caller,
      params.id,
      request,
      disconnectSignal(raw.reply),
    );
    return {
      qr_id: formatId('qr', qrCodeId),
      interval,
      ...presentRetained(removed),
      data: entries.map(presentEntry),
    };
  });

  routes.add(operations.getWeekHours, async ({ db, caller, params, query, raw }) => {
    const counts = await analytics.weekHours(db, caller, params.id, query, disconnectSignal(raw.reply));
    return { data: presentWeekHours(counts) };
  });

  routes.add(operations.getAggregateWeekHours, async ({ db, caller, query, raw }) => {
    const counts = await analytics.aggregateWeekHours(db, caller, query, disconnectSignal(raw.reply));
    return { data: presentWeekHours(counts) };
  });

  routes.addStream(operations.exportScans, async ({ db, caller, params, query }) => {
    const options = readExportOptions(query);
    return presentExport(await analytics.export(db, caller, params.id, query), options);
  });

  routes.addStream(operations.exportAccountScans, async ({ db, caller, query }) => {
    const options = readExportOptions(query);
    return presentAccountExport(await analytics.exportAll(db, caller, query), options);
  });

  routes.add(operations.listAccountScans, async ({ db, caller, query, raw }) => {
    const after = query.after === undefined ? feedStart : parseFeedCursor(query.after);
    if (!after)
      throw new AppError('invalid_request', 'after must be a next_cursor of an earlier response.', {
        param: 'after',
      });
    const signal = disconnectSignal(raw.reply);
    const { scans, next, hasMore } = await analytics.feed(db, caller, after, query.limit ?? 100, signal);
    return { data: scans.map(presentAccountScan), next_cursor: formatFeedCursor(next), has_more: hasMore };
  });

  routes.add(operations.getAggregateAnalytics, async ({ db, caller, query, raw }) => {
    const request = { ...query, interval: query.interval ?? 'day' };
    const found = await analytics.aggregate(db, caller, request, disconnectSignal(raw.reply));
    const { period, removed, figures, qrCodes, topCodes, entries } = found;
    return {
      period: presentPeriod(period),
      ...presentRetained(removed),
      summary: { ...presentTotals(figures, period), qr_codes: qrCodes },
      top_qr_codes: topCodes.map(({ qrCodeId, name, scans }) => ({
        qr_id: formatId('qr', qrCodeId),
        name,
        scans,
      })),
      ...presentTops(figures),
      timeseries: entries.map(presentEntry),
    };
  });
}

type SummaryCall = {
  readonly db: Database;
  readonly caller: Caller;
  readonly params: { readonly id: string };
  readonly query: PeriodQuery;
  readonly raw: Call<typeof operations.getAnalytics>['raw'];
};

const presentTotals = ({ totals }: SummaryFigures, { days }: Period) => ({
  total_scans: totals.scans,
  unique_visitors: totals.visitors,
  avg_daily_scans: dailyAverage(totals.scans, days),
});

const presentTops = (figures: SummaryFigures) => ({
  top_countries: [...figures.countries],
  top_cities: [...figures.cities],
  devices: presentCounts(devices, figures.devices),
  browsers: presentCounts(browsers, figures.browsers),
});

/** Includes names without scans. */
const presentCounts = (names: readonly string[], counts: CountsByName): Record<string, number> =>
  Object.fromEntries([...names.map(name => [name, 0] as const), ...counts]);

const presentEntry = ({ date, scans, visitors }: SeriesPoint): SeriesEntry => ({
  date,
  total_scans: scans,
  unique_visitors: visitors,
});

type ExportOptions = { readonly format: ExportFormat; readonly bom: boolean };

function readExportOptions({ format = 'csv', bom = false }: ExportQuery): ExportOptions {
  if (bom && format !== 'csv') {
    const message = 'bom is for CSV alone: JSON has no byte order mark. Leave it out, or ask for format=csv.';
    throw new AppError('invalid_request', message, { param: 'bom' });
  }
  return { format, bom };
}

function presentExport(found: ScanExport, { format, bom }: ExportOptions): StreamAnswer {
  const { code } = found;
  const file = scanFile(format, { qr_id: formatId('qr', code.id), ...presentExported(found) }, bom);
  return fileAnswer(found, file, presentScan, fileName(`${code.shortCode}-scans`, found.split.rows, format));
}

function presentAccountExport(found: AccountExport, { format, bom }: ExportOptions): StreamAnswer {
  const file = accountScanFile(format, presentExported(found), bom);
  return fileAnswer(found, file, presentAccountScan, fileName('scans', found.split.rows, format));
}

const presentExported = ({ period, split }: Pick<AccountExport, 'period' | 'split'>) => ({
  period: presentPeriod(period),
  ...presentRetained(split.removed),
});

function fileName(subject: string, period: Period, format: ExportFormat): string {
  const { first, last } = presentDays(period);
  return `${subject}-${first}-to-${last}.${format}`;
}

type Found<Scan> = { readonly accountId: Uuid; read(signal: AbortSignal): AsyncGenerator<Scan[]> };

function fileAnswer<Scan, Shown extends ScanRecord>(
  { accountId, read }: Found<Scan>,
  file: ScanFile<Shown>,
  present: (scan: Scan) => Shown,
  name: string,
): StreamAnswer {
  return {
    type: file.type,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
    async *content(signal) {
      let count = 0;
      let text = file.head();
      for await (const scans of read(signal)) {
        const before = count;
        // The exports of an account share a lane, so that those of another account get as many turns.
        yield text + (await cpuQueue.run(() => file.chunk(scans.map(present), before), accountId));
        text = '';
        count += scans.length;
      }
      yield text + file.tail(count);
    },
  };
}
