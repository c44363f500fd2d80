import {
  type AnalyticsSummary,
  type ExportFormat,
  type ExportQuery,
  operations,
  type PeriodQuery,
  type SeriesEntry,
} from '@signpost/contract';
import { disconnectSignal } from '../http/client-disconnect.ts';
import type { Call, Routes, StreamAnswer } from '../http/routes.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import type { Database } from '../platform/postgres.ts';
import { browsers, devices } from '../scans/scan.ts';
import {
  type AgentCount,
  dailyAverage,
  presentScan,
  type SeriesPoint,
  type SummaryFigures,
} from './analytics.ts';
import { type Period, presentDays, presentPeriod } from './period.ts';
import { scanFile } from './scan-file.ts';
import type { Analytics, ScanExport } from './service.ts';
import { presentWeekHours } from './week-hours.ts';

/** The endpoints of analytics. Wire names are mapped here and nowhere else. */
export function addAnalyticsRoutes(routes: Routes, analytics: Analytics): void {
  async function summary({ db, caller, params, query, raw }: SummaryCall): Promise<AnalyticsSummary> {
    const id = parseId('qr', params.id);
    const found = await analytics.summary(db, caller, id, query, disconnectSignal(raw.reply));
    return {
      qr_id: formatId('qr', found.qrCodeId),
      period: presentPeriod(found.period),
      summary: presentTotals(found.figures, found.period),
      ...presentTops(found.figures),
      not_redirected: found.notRedirected,
    };
  }
  routes.add(operations.getAnalytics, summary);
  routes.add(operations.getAnalyticsOfQrCode, summary);

  routes.add(operations.listScans, async ({ db, caller, params, query, raw }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 50 };
    const id = parseId('qr', params.id);
    const found = await analytics.scans(db, caller, id, query, page, disconnectSignal(raw.reply));
    return { data: found.items.map(presentScan), pagination: presentPage(found) };
  });

  routes.add(operations.getTimeseries, async ({ db, caller, params, query, raw }) => {
    const { interval = 'day' } = query;
    const id = parseId('qr', params.id);
    const request = { ...query, interval };
    const { qrCodeId, entries } = await analytics.series(
      db,
      caller,
      id,
      request,
      disconnectSignal(raw.reply),
    );
    return { qr_id: formatId('qr', qrCodeId), interval, data: entries.map(presentEntry) };
  });

  routes.add(operations.getWeekHours, async ({ db, caller, params, query, raw }) => {
    const id = parseId('qr', params.id);
    const counts = await analytics.weekHours(db, caller, id, query, disconnectSignal(raw.reply));
    return { data: presentWeekHours(counts) };
  });

  routes.add(operations.getAggregateWeekHours, async ({ db, caller, query, raw }) => {
    const counts = await analytics.aggregateWeekHours(db, caller, query, disconnectSignal(raw.reply));
    return { data: presentWeekHours(counts) };
  });

  routes.addStream(operations.exportScans, async ({ db, caller, params, query }) => {
    const options = exportOptionsOf(query);
    return presentExport(await analytics.export(db, caller, parseId('qr', params.id), query), options);
  });

  routes.add(operations.getAggregateAnalytics, async ({ db, caller, query, raw }) => {
    const request = { ...query, interval: query.interval ?? 'day' };
    const found = await analytics.aggregate(db, caller, request, disconnectSignal(raw.reply));
    const { period, figures, qrCodes, topCodes, entries } = found;
    return {
      period: presentPeriod(period),
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

const presentTops = ({ countries, cities, agents }: SummaryFigures) => ({
  top_countries: [...countries],
  top_cities: [...cities],
  devices: countsOf(devices, 'device', agents),
  browsers: countsOf(browsers, 'browser', agents),
});

/** Includes names without scans. */
function countsOf(names: readonly string[], kind: 'device' | 'browser', agents: readonly AgentCount[]) {
  const counts: Record<string, number> = Object.fromEntries(names.map(name => [name, 0]));
  for (const agent of agents) counts[agent[kind]] = (counts[agent[kind]] ?? 0) + agent.scans;
  return counts;
}

const presentEntry = ({ date, scans, visitors }: SeriesPoint): SeriesEntry => ({
  date,
  total_scans: scans,
  unique_visitors: visitors,
});

type ExportOptions = { readonly format: ExportFormat; readonly bom: boolean };

function exportOptionsOf({ format = 'csv', bom = false }: ExportQuery): ExportOptions {
  if (bom && format !== 'csv') {
    const message = 'bom is for CSV alone: JSON has no byte order mark. Leave it out, or ask for format=csv.';
    throw new AppError('invalid_request', message, { param: 'bom' });
  }
  return { format, bom };
}

function presentExport({ code, period, read }: ScanExport, { format, bom }: ExportOptions): StreamAnswer {
  const head = { qr_id: formatId('qr', code.id), period: presentPeriod(period) };
  const file = scanFile(format, head, bom);
  const { first, last } = presentDays(period);
  const days = `${first}-to-${last}`;
  return {
    type: file.type,
    headers: {
      'content-disposition': `attachment; filename="${code.shortCode}-scans-${days}.${format}"`,
    },
    async *content(signal) {
      let count = 0;
      let text = file.head();
      for await (const scans of read(signal)) {
        yield text + file.chunk(scans.map(presentScan), count);
        text = '';
        count += scans.length;
      }
      yield text + file.tail(count);
    },
  };
}
