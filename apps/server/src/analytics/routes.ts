import {
  type AnalyticsSummary,
  type ExportFormat,
  operations,
  type PeriodQuery,
  type SeriesEntry,
} from '@signpost/contract';
import type { Routes, StreamAnswer } from '../http/routes.ts';
import type { Caller } from '../kernel/caller.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import { type Period, presentPeriod } from '../kernel/period.ts';
import type { Database } from '../platform/postgres.ts';
import { browsers, devices } from '../scans/scan.ts';
import { dailyAverage, type Entry, type Figures, presentScan, type ToolCount } from './analytics.ts';
import { scanFile } from './scan-file.ts';
import type { Analytics, ScanExport } from './service.ts';

/** The endpoints of analytics, each a sentence. Wire names are mapped here and nowhere else. */
export function addAnalyticsRoutes(routes: Routes, analytics: Analytics): void {
  async function summary({ db, caller, params, query }: SummaryCall): Promise<AnalyticsSummary> {
    const found = await analytics.summary(db, caller, parseId('qr', params.id), query);
    return {
      qr_id: formatId('qr', found.qrCodeId),
      period: presentPeriod(found.period),
      summary: presentTotals(found.figures, found.period),
      ...presentTops(found.figures),
    };
  }
  routes.add(operations.getAnalytics, summary);
  routes.add(operations.getAnalyticsOfQrCode, summary);

  routes.add(operations.listScans, async ({ db, caller, params, query }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 50 };
    const found = await analytics.scans(db, caller, parseId('qr', params.id), query, page);
    return { data: found.items.map(presentScan), pagination: presentPage(found) };
  });

  routes.add(operations.getTimeseries, async ({ db, caller, params, query }) => {
    const { interval = 'day' } = query;
    const id = parseId('qr', params.id);
    const { qrCodeId, entries } = await analytics.series(db, caller, id, query, interval);
    return { qr_id: formatId('qr', qrCodeId), interval, data: entries.map(presentEntry) };
  });

  routes.addStream(operations.exportScans, async ({ db, caller, params, query }) =>
    present(await analytics.export(db, caller, parseId('qr', params.id), query), query.format ?? 'csv'),
  );

  routes.add(operations.getAggregateAnalytics, async ({ db, caller, query }) => {
    const found = await analytics.aggregate(db, caller, query, query.interval ?? 'day');
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
};

const presentTotals = ({ totals }: Figures, { days }: Period) => ({
  total_scans: totals.scans,
  unique_visitors: totals.visitors,
  avg_daily_scans: dailyAverage(totals.scans, days),
});

const presentTops = ({ countries, cities, tools }: Figures) => ({
  top_countries: [...countries],
  top_cities: [...cities],
  devices: countsOf(devices, 'device', tools),
  browsers: countsOf(browsers, 'browser', tools),
});

/** Every word is there, those without scans too. */
function countsOf(words: readonly string[], kind: 'device' | 'browser', tools: readonly ToolCount[]) {
  const counts: Record<string, number> = Object.fromEntries(words.map(word => [word, 0]));
  for (const tool of tools) counts[tool[kind]] = (counts[tool[kind]] ?? 0) + tool.scans;
  return counts;
}

const presentEntry = ({ date, scans, visitors }: Entry): SeriesEntry => ({
  date,
  total_scans: scans,
  unique_visitors: visitors,
});

function present({ code, period, read }: ScanExport, format: ExportFormat): StreamAnswer {
  const bounds = presentPeriod(period);
  const file = scanFile(format, { qr_id: formatId('qr', code.id), period: bounds });
  const days = `${bounds.start.slice(0, 10)}-to-${bounds.end.slice(0, 10)}`;
  return {
    type: file.type,
    headers: {
      'content-disposition': `attachment; filename="${code.shortCode}-scans-${days}.${format}"`,
    },
    async *content(signal) {
      let count = 0;
      let text = file.head();
      for await (const scans of read(signal)) {
        yield text + file.piece(scans.map(presentScan), count);
        text = '';
        count += scans.length;
      }
      yield text + file.tail(count);
    },
  };
}
