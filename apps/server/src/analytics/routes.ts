import {
  type AnalyticsSummary,
  type ExportFormat,
  type ExportQuery,
  operations,
  type PeriodQuery,
  type SeriesEntry,
} from '@signpost/contract';
import { goneSignal } from '../http/gone.ts';
import type { Call, Routes, StreamAnswer } from '../http/routes.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import { type Period, presentDays, presentPeriod } from '../kernel/period.ts';
import type { Database } from '../platform/postgres.ts';
import { browsers, devices } from '../scans/scan.ts';
import { dailyAverage, type Entry, type Figures, presentScan, type ToolCount } from './analytics.ts';
import { scanFile } from './scan-file.ts';
import type { Analytics, ScanExport } from './service.ts';

/** The endpoints of analytics, each a sentence. Wire names are mapped here and nowhere else. */
export function addAnalyticsRoutes(routes: Routes, analytics: Analytics): void {
  async function summary({ db, caller, params, query, raw }: SummaryCall): Promise<AnalyticsSummary> {
    const id = parseId('qr', params.id);
    const found = await analytics.summary(db, caller, id, query, goneSignal(raw.reply));
    return {
      qr_id: formatId('qr', found.qrCodeId),
      period: presentPeriod(found.period),
      summary: presentTotals(found.figures, found.period),
      ...presentTops(found.figures),
    };
  }
  routes.add(operations.getAnalytics, summary);
  routes.add(operations.getAnalyticsOfQrCode, summary);

  routes.add(operations.listScans, async ({ db, caller, params, query, raw }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 50 };
    const id = parseId('qr', params.id);
    const found = await analytics.scans(db, caller, id, query, page, goneSignal(raw.reply));
    return { data: found.items.map(presentScan), pagination: presentPage(found) };
  });

  routes.add(operations.getTimeseries, async ({ db, caller, params, query, raw }) => {
    const { interval = 'day' } = query;
    const id = parseId('qr', params.id);
    const asked = { ...query, interval };
    const { qrCodeId, entries } = await analytics.series(db, caller, id, asked, goneSignal(raw.reply));
    return { qr_id: formatId('qr', qrCodeId), interval, data: entries.map(presentEntry) };
  });

  routes.addStream(operations.exportScans, async ({ db, caller, params, query }) => {
    const form = formOf(query);
    return present(await analytics.export(db, caller, parseId('qr', params.id), query), form);
  });

  routes.add(operations.getAggregateAnalytics, async ({ db, caller, query, raw }) => {
    const asked = { ...query, interval: query.interval ?? 'day' };
    const found = await analytics.aggregate(db, caller, asked, goneSignal(raw.reply));
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

type Form = { readonly format: ExportFormat; readonly bom: boolean };

function formOf({ format = 'csv', bom = false }: ExportQuery): Form {
  if (bom && format !== 'csv') {
    const message = 'bom is for CSV alone: JSON has no byte order mark. Leave it out, or ask for format=csv.';
    throw new AppError('invalid_request', message, { param: 'bom' });
  }
  return { format, bom };
}

function present({ code, period, read }: ScanExport, { format, bom }: Form): StreamAnswer {
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
        yield text + file.piece(scans.map(presentScan), count);
        text = '';
        count += scans.length;
      }
      yield text + file.tail(count);
    },
  };
}
