import { LRUCache } from 'lru-cache';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Share } from '../limits/shares/share.ts';
import { computeEtag, type Image, isLarge, isPlain } from './image.ts';
import { drawPlain } from './plain.ts';

/** Draws images, each in the turn of who requests it. Concurrent requests for the same image share one drawing. */
export type Renderer = { render(image: Image, requester: Requester): Promise<Uint8Array> };

/** Owners come first: however many public requests wait, an owner waits only for what is being drawn. */
export type Requester = {
  /** A drawing whose requesters have all gone leaves the queue. */
  readonly signal: AbortSignal;
} & (
  | {
      readonly kind: 'owner';
      readonly accountId: Uuid;
      /** For an image of a file that is being sent. */
      readonly isAdmitted?: boolean;
    }
  /** `count` is called before an image is drawn, and may refuse by throwing. Each network has its own turn. */
  | { readonly kind: 'public'; readonly network: string; count(): void }
);

export type Draw = (image: Image) => Promise<Uint8Array>;

type Options = {
  /** Memory for drawn images. */
  readonly cacheBytes: number;
  readonly turns: Share;
  readonly draw: Draw;
};

type Drawn = { readonly bytes: Promise<Uint8Array>; readonly unwanted: AbortController; requesters: number };

/** How much the turn of a large image counts beside that of a small one. */
const largeWeight = 8;

export function createRenderer({ cacheBytes, turns, draw }: Options): Renderer {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: cacheBytes,
    sizeCalculation: bytes => bytes.byteLength,
  });
  const underWay = new Map<string, Drawn>();

  async function drawInTurn(image: Image, etag: string, requester: Requester, signal: AbortSignal) {
    const weight = isLarge(image) ? largeWeight : 1;
    const turn =
      requester.kind === 'owner'
        ? await turns.take(requester.accountId, { weight, signal, isAdmitted: requester.isAdmitted ?? false })
        : await turns.take(`public ${requester.network}`, { weight, signal, isBackground: true });
    try {
      // An owner and somebody else may have waited for the same image.
      const bytes = cache.get(etag) ?? (await draw(image));
      // A file with hundreds of images would push out all others.
      const isPartOfFile = requester.kind === 'owner' && requester.isAdmitted;
      if (!isPartOfFile) cache.set(etag, bytes);
      return bytes;
    } finally {
      turn.release();
    }
  }

  function start(key: string, image: Image, etag: string, requester: Requester): Drawn {
    if (requester.kind === 'public') requester.count();
    const unwanted = new AbortController();
    const bytes = drawInTurn(image, etag, requester, unwanted.signal).finally(() => forget(key, drawn));
    const drawn: Drawn = { bytes, unwanted, requesters: 0 };
    underWay.set(key, drawn);
    return drawn;
  }

  function forget(key: string, drawn: Drawn): void {
    if (underWay.get(key) === drawn) underWay.delete(key);
  }

  return {
    async render(image, requester) {
      requester.signal.throwIfAborted();
      const etag = computeEtag(image);
      const cached = cache.get(etag);
      if (cached) return cached;
      // Apart, so that an owner does not wait in the queue of the public.
      const key = `${requester.kind} ${etag}`;
      const drawn = underWay.get(key) ?? start(key, image, etag, requester);
      drawn.requesters++;
      const leave = () => {
        if (--drawn.requesters > 0) return;
        forget(key, drawn);
        drawn.unwanted.abort(requester.signal.reason);
      };
      requester.signal.addEventListener('abort', leave);
      try {
        return await drawn.bytes;
      } finally {
        requester.signal.removeEventListener('abort', leave);
      }
    },
  };
}

/** Draws small plain images here, which takes milliseconds, and everything else where `elsewhere` does. */
export function drawImage(elsewhere: Draw): Draw {
  return async image => {
    try {
      if (!isPlain(image) || isLarge(image)) return await elsewhere(image);
      return await drawPlain(image);
    } catch (error) {
      throw toRefusal(error);
    }
  };
}

/** A long short link has more modules than a very small image has pixels, or than fit around a logo. */
function toRefusal(error: unknown): unknown {
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
