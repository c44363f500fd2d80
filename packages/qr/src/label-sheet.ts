/** Labels of one size on a page; everything in millimetres from the top left corner. */
export type LabelSheet = {
  readonly page: { readonly width: number; readonly height: number };
  readonly rows: number;
  readonly columns: number;
  readonly margin: Size;
  readonly pitch: Size;
  readonly label: Size;
};

type Size = { readonly x: number; readonly y: number };

/** A sheet of somebody's own; the words are those of the API. */
export type SheetLayout = {
  readonly page: SheetPage;
  readonly rows: number;
  readonly columns: number;
  readonly margin_mm: Size;
  readonly pitch_mm: Size;
  readonly label_mm: Size;
};

export const sheetPages = ['a4', 'letter'] as const;
export type SheetPage = (typeof sheetPages)[number];
export const sheetLayouts = ['avery-l7160', 'avery-5160'] as const;
export type SheetLayoutName = (typeof sheetLayouts)[number];

const pages = { a4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } } as const;
const inch = 25.4;

/** The measures that the makers of these sheets publish. */
const named: Readonly<Record<SheetLayoutName, LabelSheet>> = {
  'avery-l7160': {
    page: pages.a4,
    rows: 7,
    columns: 3,
    margin: { x: 7.25, y: 15.15 },
    pitch: { x: 66.0, y: 38.1 },
    label: { x: 63.5, y: 38.1 },
  },
  'avery-5160': {
    page: pages.letter,
    rows: 10,
    columns: 3,
    margin: { x: 0.1875 * inch, y: 0.5 * inch },
    pitch: { x: 2.75 * inch, y: 1 * inch },
    label: { x: 2.625 * inch, y: 1 * inch },
  },
};

export function labelSheetOf(layout: SheetLayoutName | SheetLayout): LabelSheet {
  if (typeof layout === 'string') return named[layout];
  const { page, rows, columns, margin_mm, pitch_mm, label_mm } = layout;
  return { page: pages[page], rows, columns, margin: margin_mm, pitch: pitch_mm, label: label_mm };
}

export const smallestLabelMm = 10;

/** Why a sheet of somebody's own cannot be printed, or null. */
export function sheetFault({
  page,
  rows,
  columns,
  margin,
  pitch,
  label,
}: LabelSheet): 'small' | 'overlap' | 'outside' | null {
  if (Math.min(label.x, label.y) < smallestLabelMm) return 'small';
  if ((columns > 1 && pitch.x < label.x) || (rows > 1 && pitch.y < label.y)) return 'overlap';
  const right = margin.x + (columns - 1) * pitch.x + label.x;
  const bottom = margin.y + (rows - 1) * pitch.y + label.y;
  // A hundredth of a millimetre for measures that were rounded.
  return right > page.width + 0.01 || bottom > page.height + 0.01 ? 'outside' : null;
}

/** The top left corner of a label, counted row by row. */
export const labelPlace = ({ columns, margin, pitch }: LabelSheet, index: number): Size => ({
  x: margin.x + (index % columns) * pitch.x,
  y: margin.y + Math.floor(index / columns) * pitch.y,
});
