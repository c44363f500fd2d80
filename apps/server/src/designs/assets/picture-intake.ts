import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Share } from '../../limits/shares/share.ts';
import { threads } from '../../limits/shares/share-sizes.ts';
import { createWorkerPool } from '../../platform/worker-pool.ts';

/** A picture as somebody has sent it. */
export type SentPicture = {
  readonly image: Uint8Array;
  readonly vector: string | null;
  /** Put before the names in the SVG. */
  readonly prefix: string;
};

/** The same, decoded and encoded again. */
export type AcceptedPicture = {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly vector: string | null;
};

export type PictureIntake = ReturnType<typeof createPictureIntake>;

type Parts = {
  readonly turns: Share;
  readonly onThreadError: (error: unknown) => void;
  readonly script?: URL;
};

/** Takes in pictures of strangers: in threads that are ended when they take too long, one at a time per account. */
export function createPictureIntake(parts: Parts) {
  const { turns, onThreadError, script = new URL('asset-worker.ts', import.meta.url) } = parts;
  const pool = createWorkerPool<SentPicture, AcceptedPicture>({
    script,
    threads: threads.logos,
    timeoutMs: 5_000,
    memoryMb: 256,
    onFailure: cause =>
      new AppError('unavailable', 'The picture takes too long to decode. Send a simpler one, or try again.', {
        retryAfterSeconds: 5,
        cause,
      }),
    onThreadError,
  });

  async function decode(picture: SentPicture): Promise<AcceptedPicture> {
    try {
      return await pool.run(picture);
    } catch (error) {
      const { name, message } = error as Error;
      if (name === 'PictureRefusal') throw invalidAsset(message, 'image');
      if (name === 'SvgRefusal') throw invalidAsset(message, 'vector');
      throw error;
    }
  }

  return {
    /** A picture of a client that has gone leaves the queue. */
    async accept(accountId: Uuid, picture: SentPicture, signal?: AbortSignal): Promise<AcceptedPicture> {
      const turn = await turns.take(accountId, { signal });
      try {
        return await decode(picture);
      } finally {
        turn.release();
      }
    },
    close: () => pool.close(),
  };
}

const invalidAsset = (message: string, param: string) => new AppError('invalid_asset', message, { param });
