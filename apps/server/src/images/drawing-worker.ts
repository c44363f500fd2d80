import { type LogoPicture, renderPrintPng, renderPrintSvg, renderSvg, type SceneOptions } from '@signpost/qr';
import { frameOf } from '@signpost/qr/frames';
import { isReadable, nodeDeflate, pixelsOfLogoPng, resample } from '@signpost/qr/node';
import { renderEps, renderPdf } from '@signpost/qr/vector';
import { LRUCache } from 'lru-cache';
import type { StoredLogo } from '../designs/assets/asset.ts';
import { asWorker } from '../platform/worker-thread.ts';
import type { DrawJob, DrawnLabel, DrawnLabels, DrawResult } from './drawing.ts';
import { type Image, isPlain } from './image.ts';
import { drawLabel } from './label-form.ts';
import { drawPlain } from './plain.ts';

// Runs in a thread of its own.

export default asWorker(async (job: DrawJob): Promise<DrawResult> => {
  switch (job.kind) {
    case 'image':
      return await draw(job.image);
    case 'proof':
      return isReadable(job.text, job.style, job.logo ? { logo: loadPicture(job.logo) } : {});
    case 'labels':
      return await drawLabels(job);
    default:
      throw new TypeError(`No such job: ${job satisfies never}`);
  }
});

const defaultWidthMm = 40;

async function draw(image: Image): Promise<Uint8Array> {
  if (isPlain(image)) return await drawPlain(image);
  const { shortUrl, style, format, sizePx, print = {}, logo } = image;
  const { widthMm, bleedMm, ink, dpi, isClear = false, frame } = print;
  const options: SceneOptions = {
    logo: logo && loadPicture(logo),
    frame: frame && frameOf(frame, style),
  };
  switch (format) {
    case 'png': {
      const png = { sizePx, isClear, ...(dpi === undefined ? {} : { dpi }) };
      return await renderPrintPng(shortUrl, style, png, nodeDeflate, options);
    }
    case 'svg': {
      const isPlain = widthMm === undefined && !isClear;
      const size = widthMm === undefined ? { widthPx: sizePx } : { widthMm };
      return Buffer.from(
        isPlain
          ? renderSvg(shortUrl, style, sizePx, options)
          : renderPrintSvg(shortUrl, style, { ...size, isClear }, options),
      );
    }
    case 'pdf': {
      const paper = { widthMm: widthMm ?? defaultWidthMm, bleedMm, ink };
      return await renderPdf(shortUrl, style, { ...paper, ...options }, nodeDeflate);
    }
    case 'eps': {
      const paper = { widthMm: widthMm ?? defaultWidthMm, bleedMm, ink };
      return Buffer.from(renderEps(shortUrl, style, { ...paper, ...options }));
    }
    default:
      throw new TypeError(`No such format: ${format satisfies never}`);
  }
}

async function drawLabels(job: Extract<DrawJob, { kind: 'labels' }>): Promise<DrawnLabels> {
  const { sheet, stop, logos } = job;
  const before = process.threadCpuUsage();
  const known = new Set(job.known);
  const labels: DrawnLabel[] = [];
  for (const label of job.labels) {
    if (Atomics.load(stop, 0) !== 0) break;
    const logo = logos.get(label.style.logo?.asset_id ?? '');
    const drawn = await drawLabel(
      { ...label, sheet, logo: logo && loadLabelPicture(logo), known },
      nodeDeflate,
    );
    for (const { key } of drawn.shared) known.add(key);
    labels.push(drawn);
  }
  const { user, system } = process.threadCpuUsage(before);
  return { labels, cpuMs: (user + system) / 1000 };
}

/** The logos that were drawn last: a sheet or a ZIP draws one many times. */
const recent = new LRUCache<string, LogoPicture>({ max: 4 });
const recentOnLabels = new LRUCache<string, LogoPicture>({ max: 16 });

function loadPicture(logo: StoredLogo): LogoPicture {
  const known = recent.get(logo.id);
  if (known) return known;
  const svg = /^<svg xmlns="[^"]*" viewBox="([^"]*)">([\s\S]*)<\/svg>$/.exec(logo.vector ?? '');
  const picture = {
    pixels: pixelsOfLogoPng(logo.png),
    png: Buffer.from(logo.png).toString('base64'),
    ...(svg ? { svg: { viewBox: svg[1]!, content: svg[2]! } } : {}),
  };
  recent.set(logo.id, picture);
  return picture;
}

/** A logo on a label is a centimetre wide at the most. */
const labelLogoPx = 300;

function loadLabelPicture(logo: StoredLogo): { readonly id: string; readonly picture: LogoPicture } {
  const picture = recentOnLabels.get(logo.id) ?? {
    pixels: bounded(pixelsOfLogoPng(logo.png), labelLogoPx),
    png: '',
  };
  recentOnLabels.set(logo.id, picture);
  return { id: logo.id, picture };
}

function bounded(pixels: LogoPicture['pixels'], maxPx: number): LogoPicture['pixels'] {
  const scale = Math.min(1, maxPx / Math.max(pixels.width, pixels.height));
  if (scale === 1) return pixels;
  const [width, height] = [
    Math.max(1, Math.round(pixels.width * scale)),
    Math.max(1, Math.round(pixels.height * scale)),
  ];
  return { width, height, data: resample(pixels, width, height) };
}
