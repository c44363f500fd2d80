import { runEvery } from '../../platform/background-jobs.ts';
import type { Nats } from '../../platform/nats/nats.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** Records the last acked position of the log, so that it is known how much a replaced log took with it. */
export type AckedPositions = {
  acked(position: number): void;
  stop(): Promise<void>;
};

type Parts = {
  readonly nats: Pick<Nats, 'onStatus'>;
  /** Reads the state of the log that takes appends now. */
  readonly readState: () => Promise<{ readonly createdAt: string; readonly lastPosition: number }>;
  /** `agoMs`: how long ago the position was acked. */
  readonly write: (createdAt: string, position: number, agoMs: number) => Promise<void>;
  readonly everyMs?: number;
};

const maxUnwritten = 16;

/**
 * A log is only ever replaced while NATS is disconnected, or when positions start over. At both moments the last position
 * that this process knows of the old log is written at once; otherwise it is written every `everyMs`.
 */
export function createAckedPositions({ nats, readState, write, everyMs = 5_000 }: Parts): AckedPositions {
  let log: { created: string | null; highest: number; written: number } = newLog();
  let unwritten: AckedPosition[] = [];
  let writing: Promise<void> = Promise.resolve();

  function enqueue(position = log.highest): void {
    const { created, written } = log;
    if (created === null || position <= written) return;
    log.written = position;
    unwritten = [...unwritten, { created, position, atMs: performance.now() }].slice(-maxUnwritten);
  }

  /** What PostgreSQL does not take now is retried at the next flush. */
  async function flush(): Promise<void> {
    for (let next = unwritten[0]; next; next = unwritten[0]) {
      await write(next.created, next.position, performance.now() - next.atMs);
      unwritten = unwritten.slice(1);
    }
  }

  const flushInOrder = () => {
    writing = writing.then(flush).catch(() => undefined);
    return writing;
  };

  function endLog(): void {
    enqueue();
    log = newLog();
    void flushInOrder();
  }

  async function tick(): Promise<void> {
    const current = log;
    const { highest } = current;
    const state = highest > current.written ? await readState().catch(() => null) : null;
    // The state belongs to the log that acked only if the log has not been replaced in the meantime.
    if (state !== null && current === log) {
      current.created ??= state.createdAt;
      const isReplaced = current.created !== state.createdAt;
      // If the new log reaches as far, the position may belong to either log.
      if (!isReplaced || highest > state.lastPosition) enqueue(highest);
      if (isReplaced) log = newLog();
    }
    await flushInOrder();
  }

  const stopListening = nats.onStatus(status => {
    if (status.kind === 'disconnected') endLog();
  });
  const stopTicking = runEvery(everyMs, () => void tick());
  return {
    acked(position) {
      if (position <= log.highest) endLog();
      const isFirst = log.highest === 0;
      log.highest = position;
      // Immediately, so that the creation time is known even if the log is lost soon after.
      if (isFirst) void tick();
    },
    async stop() {
      stopTicking();
      stopListening();
      enqueue();
      await flushInOrder();
    },
  };
}

type AckedPosition = { readonly created: string; readonly position: number; readonly atMs: number };

const newLog = () => ({ created: null, highest: 0, written: 0 });

/**
 * Several logs share a creation time if one was restored from an older copy. The position belongs to the log that was
 * being read when it was acked, however late it is written; or to the first, if ingest only learned of it later.
 */
const writeAcked = sql(
  'write-acked-position',
  `update scan_logs set acked = $3
    where shard = $1 and acked < $3
      and number = (
        select coalesce(max(number) filter (where begun_at <= now() - $4 * interval '1 millisecond'), min(number))
          from scan_logs where shard = $1 and created = $2)`,
);

export const ackedWriter =
  (db: Database, shard: number): Parts['write'] =>
  async (createdAt, position, agoMs) => {
    await db.query(writeAcked, [shard, createdAt, position, agoMs]);
  };
