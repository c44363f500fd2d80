import { fileName, saveFile } from '../../ui/save-file.ts';
import { csvOf } from './csv.ts';
import type { ExportFormat } from './export-menu.tsx';
import type { Report } from './queries.ts';

/** The figures of the account's page as a file; they are in the browser already, and few. */
export function saveReport(
  { view, series, summary, tops, topCodes, retainedFrom }: Report,
  format: ExportFormat,
): void {
  const { period, filters } = view;
  const isJson = format === 'json';
  const content = isJson
    ? JSON.stringify(
        {
          period,
          filters,
          retained_from: retainedFrom,
          summary,
          ...tops,
          top_qr_codes: topCodes,
          timeseries: series,
        },
        null,
        2,
      )
    : (format === 'excel' ? '\uFEFF' : '') +
      csvOf([
        ['date', 'total_scans', 'unique_visitors'],
        ...series.map(({ date, total_scans, unique_visitors }) => [date, total_scans, unique_visitors]),
      ]);
  saveFile(
    new Blob([content], { type: isJson ? 'application/json' : 'text/csv' }),
    fileName(`signpost ${period.start} ${period.end}`, isJson ? 'json' : 'csv'),
  );
}
