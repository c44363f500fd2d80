import { hostname } from 'node:os';
import { within } from '../kernel/within.ts';
import type { Logger } from '../platform/logger.ts';
import type { SpoolStats } from '../scans/spool.ts';
import { spoolIdOf } from '../scans/spool-id.ts';
import type { SpoolsLeft } from '../scans/spools-left.ts';

/** What a process says about its spool: while it runs, that it looks after it; when it stops, what it leaves. */
export type SpoolNotes = {
  left(stats: SpoolStats): Promise<void>;
  stop(): Promise<void>;
};

type Parts = {
  readonly left: Pick<SpoolsLeft, 'note' | 'forget'>;
  readonly directory: string;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
  readonly everyMs?: number;
};

const noteTimeoutMs = 1_000;

/**
 * The row of an earlier process is removed now and again each minute: PostgreSQL may be away at the start, and one that
 * shares the directory may stop later. What that one leaves, this process takes over.
 */
export function noteSpoolLeft({ left, directory, logger, everyMs = 60_000 }: Parts): SpoolNotes {
  const forget = async () => {
    try {
      await left.forget(await spoolIdOf(directory));
    } catch (error) {
      logger.debug({ err: error }, 'spools left not looked at');
    }
  };
  let forgetting = forget();
  const timer = setInterval(() => {
    forgetting = forgetting.then(forget);
  }, everyMs).unref();
  return {
    async left({ scans, bytes, segments }) {
      if (segments === 0) return;
      const told = await within(noteTimeoutMs, note(scans, bytes)).then(
        () => true,
        error => {
          logger.debug({ err: error }, 'spool left not written down');
          return false;
        },
      );
      // `told`: false where PostgreSQL does not know of it, so that no alert will.
      logger.warn(
        { scans, bytes, directory, told, next: `signpost spool drain --dir ${directory}` },
        'scans are left on the disk',
      );
    },
    async stop() {
      clearInterval(timer);
      await within(noteTimeoutMs, forgetting).catch(() => undefined);
    },
  };

  async function note(scans: number, bytes: number): Promise<void> {
    await left.note({ spoolId: await spoolIdOf(directory), host: hostname(), directory, scans, bytes });
  }
}
