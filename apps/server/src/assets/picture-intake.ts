import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { createWorkerPool } from '../platform/worker-pool.ts';

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

const timeoutMs = 2000;
/** Pictures of one account that may wait for the one that is being decoded. */
const waitingPerAccount = 3;

/** Takes in pictures of strangers: in threads that are ended when they take too long, one at a time an account. */
export function createPictureIntake(script = new URL('asset-worker.ts', import.meta.url)) {
  const pool = createWorkerPool<SentPicture, AcceptedPicture>({
    script,
    threads: 2,
    timeoutMs,
    maxWaiting: 50,
    onTimeout: () => invalidAsset('The picture takes too long to decode. Send a simpler one.', 'image'),
  });
  const lines = new Map<Uuid, { last: Promise<unknown>; length: number }>();

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
    async accept(accountId: Uuid, picture: SentPicture): Promise<AcceptedPicture> {
      const line = lines.get(accountId) ?? { last: Promise.resolve(), length: 0 };
      if (line.length > waitingPerAccount) {
        throw new AppError(
          'rate_limit_exceeded',
          'Your account is sending pictures faster than they are decoded.',
          {
            retryAfterSeconds: 2,
          },
        );
      }
      lines.set(accountId, line);
      line.length++;
      const turn = line.last.then(() => decode(picture));
      line.last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        if (--line.length === 0) lines.delete(accountId);
      }
    },
    close: () => pool.close(),
  };
}

const invalidAsset = (message: string, param: string) => new AppError('invalid_asset', message, { param });
