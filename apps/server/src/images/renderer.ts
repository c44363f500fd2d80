import { renderSvg } from '@signpost/qr';
import { renderPng } from '@signpost/qr/node';
import { AppError } from '../kernel/errors.ts';
import { etagOf, type Image, isLarge } from './image.ts';

/** Draws images: each once for however many ask at the same time, and few at a time. */
export type Renderer = { render(image: Image, asker: Asker): Promise<Uint8Array> };

/** Owners come first: however many strangers wait, an owner waits at most for what is being drawn. */
export type Asker =
  | { readonly is: 'owner' }
  /** `count` is called before anything is drawn for them, and may refuse by throwing. */
  | { readonly is: 'stranger'; count(): void };

export type Draw = (image: Image) => Promise<Uint8Array>;

type Options = {
  /** Memory for images that were drawn. */
  readonly cacheBytes: number;
  /** Images that may wait for their turn, of owners and of strangers each; more are turned away. */
  readonly maxWaiting: number;
  readonly onShed: () => void;
  readonly draw?: Draw;
};

const atOnce = 2;

type Job = { readonly large: boolean; start(): void };
type Line = Asker['is'];

export function createRenderer({ cacheBytes, maxWaiting, onShed, draw = drawImage }: Options): Renderer {
  const cache = createByteCache(cacheBytes);
  const underWay = new Map<string, { readonly job: Job; readonly drawn: Promise<Uint8Array> }>();
  const waiting: Readonly<Record<Line, Job[]>> = { owner: [], stranger: [] };
  const running: Job[] = [];

  function startNext(): void {
    while (running.length < atOnce) {
      const job = takeNext(waiting.owner) ?? takeNext(waiting.stranger);
      if (!job) return;
      running.push(job);
      job.start();
    }
  }

  function takeNext(line: Job[]): Job | undefined {
    const next = line.findIndex(job => !(job.large && running.some(one => one.large)));
    return next < 0 ? undefined : line.splice(next, 1)[0];
  }

  /** What an owner asks for no longer waits among the strangers. */
  function promote(job: Job): void {
    const place = waiting.stranger.indexOf(job);
    if (place >= 0) waiting.owner.push(...waiting.stranger.splice(place, 1));
  }

  async function inTurn(image: Image, job: Job, started: Promise<void>): Promise<Uint8Array> {
    await started;
    try {
      return await draw(image);
    } finally {
      running.splice(running.indexOf(job), 1);
      startNext();
    }
  }

  function queue(image: Image, asker: Asker): { job: Job; drawn: Promise<Uint8Array> } {
    if (waiting[asker.is].length >= maxWaiting) {
      onShed();
      throw new AppError('unavailable', 'Too many images are being drawn at the moment. Try again shortly.', {
        retryAfterSeconds: 1,
      });
    }
    if (asker.is === 'stranger') asker.count();
    const { promise, resolve } = Promise.withResolvers<void>();
    const job: Job = { large: isLarge(image), start: resolve };
    waiting[asker.is].push(job);
    return { job, drawn: inTurn(image, job, promise) };
  }

  return {
    async render(image, asker) {
      const key = etagOf(image);
      const kept = cache.get(key);
      if (kept) return kept;
      const known = underWay.get(key);
      if (known) {
        if (asker.is === 'owner') promote(known.job);
        return known.drawn;
      }
      const { job, drawn } = queue(image, asker);
      underWay.set(key, { job, drawn });
      startNext();
      try {
        const bytes = await drawn;
        cache.set(key, bytes);
        return bytes;
      } finally {
        underWay.delete(key);
      }
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
