import type { Style } from '@signpost/qr';
import type { LabelSheet } from '@signpost/qr/labels';
import type { StoredLogo } from '../designs/assets/asset.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Share } from '../limits/shares/share.ts';
import { threads } from '../limits/shares/share-sizes.ts';
import { createWorkerPool } from '../platform/worker-pool.ts';
import type { Image } from './image.ts';

/** What a thread draws. */
export type DrawJob =
  | { readonly kind: 'image'; readonly image: Image }
  | { readonly kind: 'proof'; readonly text: string; readonly style: Style; readonly logo: StoredLogo | null }
  | (LabelsJob & { readonly kind: 'labels'; readonly stop: Int32Array });

export type DrawResult = Uint8Array | boolean | DrawnLabels;

/** What is on a label. */
export type Label = {
  readonly shortUrl: string;
  readonly style: Style;
  readonly caption: string | null;
};

export type LabelsJob = {
  readonly sheet: LabelSheet;
  readonly labels: readonly Label[];
  /** The logos of their styles, by the ids that styles have. */
  readonly logos: ReadonlyMap<string, StoredLogo>;
  /** Keys of the shared objects that the file has already. */
  readonly known: ReadonlySet<string>;
};

/** The labels in order, and the CPU time that they took. Fewer than were asked for if the client has gone. */
export type DrawnLabels = { readonly labels: readonly DrawnLabel[]; readonly cpuMs: number };

/** A label as a form of a PDF: its compressed operators, and what they name. */
export type DrawnLabel = {
  readonly content: Uint8Array;
  readonly shadings: readonly string[];
  readonly shared: readonly SharedObject[];
};

/** A logo or a letter, which a file has once for all labels. */
type SharedObject = {
  /** What the operators of the label call it. */
  readonly name: string;
  readonly key: string;
  readonly entries: string;
  /** Compressed; null if the file has it already. */
  readonly bytes: Uint8Array | null;
};

type Parts = {
  readonly turns: Share;
  readonly onThreadError: (error: unknown) => void;
  readonly script?: URL;
};

/** How much a turn counts beside that of a small image. */
const weights = { proof: 2, perLabel: 0.5 } as const;

export type Drawing = ReturnType<typeof createDrawing>;

/** Draws what takes long in threads: the event loop goes on meanwhile. */
export function createDrawing(parts: Parts) {
  const { turns, onThreadError, script = new URL('drawing-worker.ts', import.meta.url) } = parts;
  const pool = createWorkerPool<DrawJob, DrawResult>({
    script,
    threads: threads.drawing,
    timeoutMs: 10_000,
    memoryMb: 256,
    onFailure: cause =>
      new AppError('unavailable', 'The image takes too long to draw. Try again shortly.', {
        retryAfterSeconds: 5,
        cause,
      }),
    onThreadError,
  });
  return {
    /** For a caller that has the turn already. */
    async draw(image: Image): Promise<Uint8Array> {
      return (await pool.run({ kind: 'image', image })) as Uint8Array;
    },

    async prove(accountId: Uuid, text: string, style: Style, logo: StoredLogo | null): Promise<boolean> {
      const turn = await turns.take(accountId, { weight: weights.proof });
      try {
        return (await pool.run({ kind: 'proof', text, style, logo })) as boolean;
      } finally {
        turn.release();
      }
    },

    /** A part of a sheet. If the client leaves, the thread stops after the label that it is drawing. */
    async labels(accountId: Uuid, job: LabelsJob, signal: AbortSignal): Promise<DrawnLabels> {
      const weight = Math.ceil(job.labels.length * weights.perLabel);
      const turn = await turns.take(accountId, { weight, signal, isAdmitted: true });
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const onGone = () => void Atomics.store(stop, 0, 1);
      signal.addEventListener('abort', onGone);
      try {
        const drawn = (await pool.run({ kind: 'labels', ...job, stop })) as DrawnLabels;
        signal.throwIfAborted();
        return drawn;
      } finally {
        signal.removeEventListener('abort', onGone);
        turn.release();
      }
    },

    close: () => pool.close(),
  };
}
