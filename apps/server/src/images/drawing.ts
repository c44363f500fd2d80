import type { Style } from '@signpost/qr';
import type { StoredLogo } from '../assets/asset.ts';
import { AppError } from '../kernel/errors.ts';
import { createWorkerPool } from '../platform/worker-pool.ts';
import type { Image } from './image.ts';

/** What a thread draws. */
export type DrawJob =
  | { readonly kind: 'image'; readonly image: Image }
  | { readonly kind: 'proof'; readonly text: string; readonly style: Style; readonly logo: StoredLogo | null }
  /** The pixels of a logo, no more than so many wide and high. */
  | { readonly kind: 'pixels'; readonly logo: StoredLogo; readonly mostPx: number };

export type DrawResult = Uint8Array | boolean | DecodedLogo;

export type DecodedLogo = { readonly width: number; readonly height: number; readonly data: Uint8Array };

export type Drawing = ReturnType<typeof createDrawing>;

/** Draws what takes long, pictures with logos, gradients or frames, in threads: the event loop goes on meanwhile. */
export function createDrawing(script = new URL('drawing-worker.ts', import.meta.url)) {
  const pool = createWorkerPool<DrawJob, DrawResult>({
    script,
    threads: 4,
    timeoutMs: 10_000,
    maxWaiting: 200,
    onTimeout: () =>
      new AppError('unavailable', 'The image takes too long to draw. Try again shortly.', {
        retryAfterSeconds: 5,
      }),
  });
  return {
    async draw(image: Image): Promise<Uint8Array> {
      return (await pool.run({ kind: 'image', image })) as Uint8Array;
    },
    async prove(text: string, style: Style, logo: StoredLogo | null): Promise<boolean> {
      return (await pool.run({ kind: 'proof', text, style, logo })) as boolean;
    },
    async pixelsOf(logo: StoredLogo, mostPx: number): Promise<DecodedLogo> {
      return (await pool.run({ kind: 'pixels', logo, mostPx })) as DecodedLogo;
    },
    close: () => pool.close(),
  };
}
