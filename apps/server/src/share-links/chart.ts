import type { Interval } from '@signpost/contract';
import { escapeHtml } from '../http/pages/escape-html.ts';
import { words } from './words.ts';

/** A bar of the chart. */
export type Bar = {
  readonly scans: number;
  /** In full, and as short as it can be. */
  readonly name: string;
  readonly label: string;
  /** Now lies in it, so that more scans may come. */
  readonly isRunning: boolean;
};

/** Colours as SVG takes them: those of a page are properties, those of a file stand for themselves. */
export type Palette = {
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly accent: string;
  readonly paper: string;
};

type Size = { readonly width: number; readonly height: number };

const margins = { right: 4, top: 10, bottom: 26 };
const labelPx = 76;
const digitPx = 8;

/** Scans over time as bars, drawn for a width in pixels. */
export function drawChart(bars: readonly Bar[], interval: Interval, palette: Palette, size: Size): string {
  const { width, height } = size;
  const ticks = roundTicks(Math.max(0, ...bars.map(({ scans }) => scans)));
  const top = ticks.at(-1)!;
  const left = digitPx * words.number(top).length + 10;
  const bottom = height - margins.bottom;
  const slot = (width - left - margins.right) / Math.max(1, bars.length);
  const barWidth = Math.max(0.5, Math.min(44, slot * (slot > 5 ? 0.74 : 0.88)));
  const y = (value: number) => bottom - (value / top) * (bottom - margins.top);
  const stride = Math.max(1, Math.ceil((bars.length * labelPx) / (width - left)));
  const grid = ticks.map(
    tick =>
      `<path d="M${left} ${round(y(tick))}H${width - margins.right}" stroke="${palette.line}"/><text x="${left - 8}" y="${round(y(tick) + 4)}" text-anchor="end">${words.number(tick)}</text>`,
  );
  const columns = bars.map(({ scans, name, isRunning }, at) => {
    const x = left + at * slot + (slot - barWidth) / 2;
    const opacity = isRunning ? ' fill-opacity=".45"' : '';
    const drawn = Math.max(scans > 0 ? 1 : 0, bottom - y(scans));
    return `<rect x="${round(x)}" y="${round(bottom - drawn)}" width="${round(barWidth)}" height="${round(drawn)}" rx="${round(Math.min(2, barWidth / 4))}" fill="${palette.accent}"${opacity}><title>${escapeHtml(`${name}: ${words.number(scans)}`)}</title></rect>`;
  });
  const labels = bars.flatMap(({ label }, at) => {
    if (at % stride !== 0) return [];
    const centre = left + at * slot + slot / 2;
    const half = (label.length * 6.4) / 2;
    const x = Math.min(width - half, Math.max(half, centre));
    return [`<text x="${round(x)}" y="${height - 6}" text-anchor="middle">${escapeHtml(label)}</text>`];
  });
  const most = bars.reduce<Bar | null>((best, bar) => (best && best.scans >= bar.scans ? best : bar), null);
  const total = bars.reduce((sum, { scans }) => sum + scans, 0);
  const title = words.chart.title[interval];
  const description = words.chart.label(
    title,
    words.number(total),
    words.number(most?.scans ?? 0),
    most?.name ?? '',
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(description)}" font-size="12" fill="${palette.soft}">${grid.join('')}${columns.join('')}${labels.join('')}</svg>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Whole numbers in even steps of 1, 2 or 5 times a power of ten, from nought to at least the most. */
function roundTicks(most: number): readonly number[] {
  const rough = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough)!);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, at) => at * step);
}

const file = { width: 1200, height: 420, head: 90, edge: 40 } as const;

/** The chart as a picture with its heading, for a document of somebody else. */
export function chartFile(
  bars: readonly Bar[],
  interval: Interval,
  palette: Palette,
  { title, text }: { readonly title: string; readonly text: string },
): string {
  const { width, height, head, edge } = file;
  const chart = drawChart(bars, interval, palette, { width: width - 2 * edge, height });
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${head + height + edge}" viewBox="0 0 ${width} ${head + height + edge}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Helvetica, Arial, sans-serif"><rect width="100%" height="100%" fill="${palette.paper}"/><text x="${edge}" y="48" font-size="26" font-weight="600" fill="${palette.ink}">${escapeHtml(title)}</text><text x="${edge}" y="74" font-size="15" fill="${palette.soft}">${escapeHtml(text)}</text><svg x="${edge}" y="${head}" width="${width - 2 * edge}" height="${height}" viewBox="0 0 ${width - 2 * edge} ${height}">${chart}</svg></svg>
`;
}
