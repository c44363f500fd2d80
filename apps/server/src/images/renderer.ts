import { renderSvg } from '@signpost/qr';
import { renderPng } from '@signpost/qr/node';
import { AppError } from '../kernel/errors.ts';
import { etagOf, type Image } from './image.ts';

/** Draws images: each once for however many ask at the same time, and few at a time. */
export type Renderer = { render(image: Image): Promise<Uint8Array> };

export type Draw = (image: Image) => Promise<Uint8Array>;

type Options = {
  /** Memory for images that were drawn. */
  readonly cacheBytes: number;
  /** Images that may wait for their turn; more are turned away. */
  readonly maxWaiting: number;
  readonly onShed: () => void;
  readonly draw?: Draw;
};

/** Above this width an image takes so long to paint that only one at a time is drawn. */
const largePx = 1024;
const atOnce = 2;

type Job = { readonly large: boolean; start(): void };

export function createRenderer({ cacheBytes, maxWaiting, onShed, draw = drawImage }: Options): Renderer {
  const cache = createByteCache(cacheBytes);
  const underWay = new Map<string, Promise<Uint8Array>>();
  const waiting: Job[] = [];
  const running: Job[] = [];

  function startNext(): void {
    const fits = (job: Job) => !(job.large && running.some(one => one.large));
    while (running.length < atOnce) {
      const next = waiting.findIndex(fits);
      if (next < 0) return;
      const [job] = waiting.splice(next, 1);
      running.push(job!);
      job!.start();
    }
  }

  async function inTurn(image: Image): Promise<Uint8Array> {
    if (waiting.length >= maxWaiting) {
      onShed();
      throw new AppError('unavailable', 'Too many images are being drawn at the moment. Try again shortly.', {
        retryAfterSeconds: 1,
      });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const job: Job = { large: image.sizePx > largePx, start: resolve };
    waiting.push(job);
    startNext();
    await promise;
    try {
      return await draw(image);
    } finally {
      running.splice(running.indexOf(job), 1);
      startNext();
    }
  }

  return {
    async render(image) {
      const key = etagOf(image);
      const kept = cache.get(key) ?? underWay.get(key);
      if (kept) return kept;
      const drawing = inTurn(image).finally(() => underWay.delete(key));
      underWay.set(key, drawing);
      const bytes = await drawing;
      cache.set(key, bytes);
      return bytes;
    },
  };
}

async function drawImage({ shortUrl, style, format, sizePx }: Image): Promise<Uint8Array> {
  try {
    return format === 'svg'
      ? Buffer.from(renderSvg(shortUrl, style, sizePx))
      : await renderPng(shortUrl, style, sizePx);
  } catch (error) {
    // A long short link has more modules than a very small picture has pixels.
    if (error instanceof RangeError) {
      throw new AppError('invalid_request', `${error.message}. Ask for a larger size.`, {
        param: 'size',
        cause: error,
      });
    }
    throw error;
  }
}

/** Remembers by bytes, not by number; what was used longest ago goes first. */
function createByteCache(maxBytes: number) {
  const entries = new Map<string, Uint8Array>();
  let held = 0;
  return {
    get(key: string): Uint8Array | undefined {
      const bytes = entries.get(key);
      if (bytes) {
        entries.delete(key);
        entries.set(key, bytes);
      }
      return bytes;
    },
    set(key: string, bytes: Uint8Array): void {
      entries.set(key, bytes);
      held += bytes.byteLength;
      for (const [oldest, old] of entries) {
        if (held <= maxBytes) return;
        entries.delete(oldest);
        held -= old.byteLength;
      }
    },
  };
}
