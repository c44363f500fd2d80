import { renderSvg } from '@signpost/qr';
import { renderPng } from '@signpost/qr/node';
import { LRUCache } from 'lru-cache';
import { AppError } from '../kernel/errors.ts';
import { etagOf, type Image, isLarge, isPlain } from './image.ts';

/** Draws images, few at a time. Concurrent requests for the same image share one drawing. */
export type Renderer = { render(image: Image, requester: Requester): Promise<Uint8Array> };

/** Owners come first: however many public requests wait, an owner waits only for what is being drawn. */
export type Requester =
  | { readonly kind: 'owner' }
  /** `count` is called before an image is drawn, and may refuse by throwing. */
  | { readonly kind: 'public'; count(): void };

export type Draw = (image: Image) => Promise<Uint8Array>;

type Options = {
  /** Memory for drawn images. */
  readonly cacheBytes: number;
  /** Images that may wait, in the queue of owners and in the public queue each; more are refused. */
  readonly maxWaiting: number;
  readonly onShed: () => void;
  readonly draw: Draw;
};

const concurrency = 2;

type Job = { readonly large: boolean; start(): void };

export function createRenderer({ cacheBytes, maxWaiting, onShed, draw }: Options): Renderer {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: cacheBytes,
    sizeCalculation: bytes => bytes.byteLength,
  });
  const underWay = new Map<string, { readonly job: Job; readonly drawn: Promise<Uint8Array> }>();
  const queues: Readonly<Record<Requester['kind'], Job[]>> = { owner: [], public: [] };
  const running: Job[] = [];

  function startNext(): void {
    while (running.length < concurrency) {
      const job = takeNext(queues.owner) ?? takeNext(queues.public);
      if (!job) return;
      running.push(job);
      job.start();
    }
  }

  function takeNext(queue: Job[]): Job | undefined {
    const next = queue.findIndex(job => !(job.large && running.some(other => other.large)));
    return next < 0 ? undefined : queue.splice(next, 1)[0];
  }

  /** An image that an owner requests moves from the public queue to that of owners. */
  function promote(job: Job): void {
    const position = queues.public.indexOf(job);
    if (position >= 0) queues.owner.push(...queues.public.splice(position, 1));
  }

  async function drawInTurn(image: Image, job: Job, started: Promise<void>): Promise<Uint8Array> {
    await started;
    try {
      return await draw(image);
    } finally {
      running.splice(running.indexOf(job), 1);
      startNext();
    }
  }

  function enqueue(image: Image, requester: Requester): { job: Job; drawn: Promise<Uint8Array> } {
    if (queues[requester.kind].length >= maxWaiting) {
      onShed();
      throw new AppError('unavailable', 'Too many images are being drawn at the moment. Try again shortly.', {
        retryAfterSeconds: 1,
      });
    }
    if (requester.kind === 'public') requester.count();
    const { promise, resolve } = Promise.withResolvers<void>();
    const job: Job = { large: isLarge(image), start: resolve };
    queues[requester.kind].push(job);
    return { job, drawn: drawInTurn(image, job, promise) };
  }

  return {
    async render(image, requester) {
      const key = etagOf(image);
      const cached = cache.get(key);
      if (cached) return cached;
      const shared = underWay.get(key);
      if (shared) {
        if (requester.kind === 'owner') promote(shared.job);
        return shared.drawn;
      }
      const { job, drawn } = enqueue(image, requester);
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

/** Draws plain images here, and everything else where `elsewhere` does. */
export function drawImage(elsewhere: Draw): Draw {
  return async image => {
    try {
      if (!isPlain(image)) return await elsewhere(image);
      const { shortUrl, style, format, sizePx } = image;
      return format === 'svg'
        ? Buffer.from(renderSvg(shortUrl, style, sizePx))
        : await renderPng(shortUrl, style, sizePx);
    } catch (error) {
      throw refusalOf(error);
    }
  };
}

/** A long short link has more modules than a very small image has pixels, or than fit around a logo. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'RangeError') return error;
  if (error.message.includes('logo'))
    return new AppError('unscannable_style', `${error.message}. Choose a design with a smaller logo.`, {
      param: 'design',
      cause: error,
    });
  return new AppError('invalid_request', `${error.message}. Ask for a larger size.`, {
    param: 'size',
    cause: error,
  });
}
