import type { CreateSheet, ZipImages } from '@signpost/contract';
import { maxCopies, maxSheetCodes, maxSheetLabels } from '@signpost/contract/values.ts';
import {
  largestSizePx,
  type SheetLayout,
  type SheetLayoutName,
  smallestLabelMm,
  smallestSizePx,
} from '@signpost/qr';
import { type LabelSheet, labelSheetOf, sheetFault } from '@signpost/qr/labels';
import { printText } from '../../strings/print.ts';
import { formatNumber } from '../../ui/format.ts';
import { type CodesSearch, parseCodesFilters } from '../codes/codes-search.ts';

/** What somebody wants to print. */
export type PrintJob = {
  readonly what: 'sheet' | 'zip';
  readonly which: 'matching' | 'chosen';
  readonly search: CodesSearch;
  readonly chosen: readonly string[];
  readonly layout: SheetLayoutName | 'own';
  readonly own: SheetLayout;
  readonly caption: NonNullable<CreateSheet['caption']>;
  readonly copies: number;
  /** A label for each placement of a code instead of one. */
  readonly inPlacements: boolean;
  readonly format: 'png' | 'svg';
  readonly sizePx: number;
  readonly design: string | null;
};

/** Twelve labels on A4: something to start from, whatever the sheet is. */
const startLayout: SheetLayout = {
  page: 'a4',
  rows: 4,
  columns: 3,
  margin_mm: { x: 8, y: 13 },
  pitch_mm: { x: 66, y: 68 },
  label_mm: { x: 62, y: 65 },
};

export const startJob = (chosen: readonly string[], inPlacements = false): PrintJob => ({
  what: 'sheet',
  which: chosen.length > 0 ? 'chosen' : 'matching',
  search: {},
  chosen,
  layout: 'avery-l7160',
  own: startLayout,
  caption: 'name',
  copies: 1,
  inPlacements,
  format: 'png',
  sizePx: 1024,
  design: null,
});

export const sheetOf = ({ layout, own }: PrintJob): LabelSheet =>
  labelSheetOf(layout === 'own' ? own : layout);

/** Why the sheet cannot be printed, or null. */
export function layoutFault(job: PrintJob): string | null {
  const { faults } = printText.sheet;
  const { rows, columns, margin, pitch, label } = sheetOf(job);
  const measures = [rows, columns, margin.x, margin.y, pitch.x, pitch.y, label.x, label.y];
  if (!measures.every(measure => measure >= 0) || rows < 1 || columns < 1) return faults.number;
  const fault = sheetFault(sheetOf(job));
  if (fault === null) return null;
  return fault === 'small' ? faults.small(smallestLabelMm) : faults[fault];
}

/** Why so many copies of so many codes cannot be printed, or null. */
export function copiesFault({ copies }: PrintJob, codes: number): string | null {
  if (!Number.isInteger(copies) || copies < 1 || copies > maxCopies)
    return printText.sheet.copiesRange(maxCopies);
  const labels = copies * codes;
  return labels > maxSheetLabels
    ? printText.sheet.tooManyLabels(formatNumber(labels), formatNumber(maxSheetLabels))
    : null;
}

export const sizeFault = ({ sizePx }: PrintJob): string | null =>
  Number.isInteger(sizePx) && sizePx >= smallestSizePx && sizePx <= largestSizePx
    ? null
    : printText.files.sizeRange(formatNumber(smallestSizePx), formatNumber(largestSizePx));

/** How many codes, and why that is not possible. `matching` is how many the search finds, once that is known. */
export function codesFault(job: PrintJob, matching: number | undefined): string | null {
  const text = printText.codes;
  if (job.which === 'chosen') return job.chosen.length === 0 ? text.noneChosen : null;
  if (matching === undefined) return null;
  if (matching === 0) return text.none;
  return matching > maxSheetCodes ? text.tooMany(maxSheetCodes) : null;
}

/** Labels and sheets that so many codes take. */
export function sheetCount(
  job: PrintJob,
  codes: number,
): { readonly labels: number; readonly sheets: number } {
  const { rows, columns } = sheetOf(job);
  const labels = codes * job.copies;
  return { labels, sheets: Math.ceil(labels / (rows * columns)) };
}

const codesOf = ({ which, chosen, search }: PrintJob): Pick<CreateSheet, 'qr_ids' | 'filter'> =>
  which === 'chosen' ? { qr_ids: [...chosen] } : { filter: filterOf(search) };

/** The filters of the list, without its page and order. */
function filterOf(search: CodesSearch): NonNullable<CreateSheet['filter']> {
  const { tag, ...rest } = parseCodesFilters(search);
  return { ...rest, ...(tag ? { tag: [...tag] } : {}) };
}

export const sheetBody = (job: PrintJob): CreateSheet => ({
  ...codesOf(job),
  layout: job.layout === 'own' ? job.own : job.layout,
  caption: job.caption,
  caption_fallback: 'short_url',
  copies: job.copies,
  ...(job.inPlacements ? { placements: 'all' as const } : {}),
  ...(job.design === null ? {} : { design: job.design }),
});

export const zipBody = (job: PrintJob): ZipImages => ({
  ...codesOf(job),
  format: job.format,
  size: job.sizePx,
  ...(job.design === null ? {} : { design: job.design }),
});
