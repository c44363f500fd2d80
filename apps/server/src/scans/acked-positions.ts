import type { Nats } from '../platform/nats.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** Writes down how far the log has acked, so that it is known how much is lost with a log that is replaced. */
export type AckedPositions = {
  acked(position: number): void;
  stop(): Promise<void>;
};

type Parts = {
  readonly nats: Pick<Nats, 'onStatus'>;
  /** Looks at the log that takes appends now. */
  readonly look: () => Promise<{ readonly createdAt: string; readonly lastPosition: number }>;
  /** `agoMs`: when the position was noted. */
  readonly write: (createdAt: string, position: number, agoMs: number) => Promise<void>;
  readonly everyMs?: number;
};

const mostWaiting = 16;

/**
 * A log can only be replaced while NATS is away, or by positions that begin again. At both moments the last position that
 * this process knows of the old log is written down at once; between them, now and then.
 */
export function createAckedPositions({ nats, look, write, everyMs = 5_000 }: Parts): AckedPositions {
  let log: { created: string | null; highest: number; written: number } = newLog();
  let waiting: Noted[] = [];
  let writing: Promise<void> = Promise.resolve();

  function note(position = log.highest): void {
    const { created, written } = log;
    if (created === null || position <= written) return;
    log.written = position;
    waiting = [...waiting, { created, position, atMs: performance.now() }].slice(-mostWaiting);
  }

  /** What PostgreSQL does not take now, it gets the next time. */
  async function flush(): Promise<void> {
    for (let next = waiting[0]; next; next = waiting[0]) {
      await write(next.created, next.position, performance.now() - next.atMs);
      waiting = waiting.slice(1);
    }
  }

  const flushAfterOthers = () => {
    writing = writing.then(flush).catch(() => undefined);
    return writing;
  };

  function endLog(): void {
    note();
    log = newLog();
    void flushAfterOthers();
  }

  async function tick(): Promise<void> {
    const current = log;
    const { highest } = current;
    const state = highest > current.written ? await look().catch(() => null) : null;
    // The answer is of the log that acked only if neither moment has come meanwhile.
    if (state !== null && current === log) {
      current.created ??= state.createdAt;
      const isOther = current.created !== state.createdAt;
      // In a new log that reaches as far, the position may be of either.
      if (!isOther || highest > state.lastPosition) note(highest);
      if (isOther) log = newLog();
    }
    await flushAfterOthers();
  }

  const stopListening = nats.onStatus(status => {
    if (status.kind === 'disconnected') endLog();
  });
  const timer = setInterval(() => void tick(), everyMs).unref();
  return {
    acked(position) {
      if (position <= log.highest) endLog();
      const isFirst = log.highest === 0;
      log.highest = position;
      // At once, so that a log that is soon lost is known by its creation.
      if (isFirst) void tick();
    },
    async stop() {
      clearInterval(timer);
      stopListening();
      note();
      await flushAfterOthers();
    },
  };
}

type Noted = { readonly created: string; readonly position: number; readonly atMs: number };

const newLog = () => ({ created: null, highest: 0, written: 0 });

/**
 * Several logs have the same creation where one was put back to an older copy. The position is of the one that was read
 * when it was noted, however late it arrives; or of the first, which may be known to ingest only since.
 */
export const writeAcked = sql(
  'write-acked',
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
