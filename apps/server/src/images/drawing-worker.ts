import { type LogoPicture, renderPrintPng, renderPrintSvg, renderSvg, type SceneOptions } from '@signpost/qr';
import { frameOf } from '@signpost/qr/frames';
import { isReadable, nodeDeflate, pixelsOfLogoPng, resample } from '@signpost/qr/node';
import { renderEps, renderPdf } from '@signpost/qr/vector';
import type { StoredLogo } from '../assets/asset.ts';
import { answerJobs } from '../platform/worker-thread.ts';
import type { DecodedLogo, DrawJob, DrawResult } from './drawing.ts';
import type { Image } from './image.ts';

// Runs in a thread of its own.

answerJobs(async (job: DrawJob): Promise<DrawResult> => {
  switch (job.kind) {
    case 'image':
      return await draw(job.image);
    case 'proof':
      return isReadable(job.text, job.style, job.logo ? { logo: pictureOf(job.logo) } : {});
    case 'pixels':
      return bounded(pictureOf(job.logo).pixels, job.mostPx);
    default:
      throw new TypeError(`No such job: ${job satisfies never}`);
  }
});

const defaultWidthMm = 40;

async function draw(image: Image): Promise<Uint8Array> {
  const { shortUrl, style, format, sizePx, print = {}, logo } = image;
  const { widthMm, bleedMm, ink, dpi, isClear = false, frame } = print;
  const options: SceneOptions = {
    logo: logo && pictureOf(logo),
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

/** The logos that were drawn last: a sheet or a ZIP draws one many times. */
const recent = new Map<string, LogoPicture>();
const keptLogos = 4;

function pictureOf(logo: StoredLogo): LogoPicture {
  const known = recent.get(logo.id);
  if (known) return known;
  const svg = /^<svg xmlns="[^"]*" viewBox="([^"]*)">([\s\S]*)<\/svg>$/.exec(logo.vector ?? '');
  const picture = {
    pixels: pixelsOfLogoPng(logo.png),
    png: Buffer.from(logo.png).toString('base64'),
    ...(svg ? { svg: { viewBox: svg[1]!, content: svg[2]! } } : {}),
  };
  recent.set(logo.id, picture);
  if (recent.size > keptLogos) recent.delete(recent.keys().next().value!);
  return picture;
}

function bounded(pixels: LogoPicture['pixels'], mostPx: number): DecodedLogo {
  const scale = Math.min(1, mostPx / Math.max(pixels.width, pixels.height));
  if (scale === 1) return pixels;
  const [width, height] = [
    Math.max(1, Math.round(pixels.width * scale)),
    Math.max(1, Math.round(pixels.height * scale)),
  ];
  return { width, height, data: resample(pixels, width, height) };
}
