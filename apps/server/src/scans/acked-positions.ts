import type { Nats } from '../platform/nats.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** Writes down how far the log has acked, so that it is known how much is lost with a log that is replaced. */
export type AckedPositions = {
  acked(position: number): void;
  stop(): Promise<void>;
};

type Parts = {
  readonly nats: Pick<Nats, 'onStatus'>;
  /** When the log was created that takes appends now. */
  readonly createdAt: () => Promise<string>;
  readonly write: (createdAt: string, position: number) => Promise<void>;
  readonly everyMs?: number;
};

const mostWaiting = 16;

/**
 * A log can only be replaced while NATS is away, or by positions that begin again. At both moments the last position that
 * this process knows of the old log is written down at once; between them, now and then.
 */
export function createAckedPositions({ nats, createdAt, write, everyMs = 5_000 }: Parts): AckedPositions {
  let log: { created: string | null; highest: number; written: number } = newLog();
  let waiting: { readonly created: string; readonly position: number }[] = [];
  let writing: Promise<void> = Promise.resolve();

  function note(): void {
    const { created, highest, written } = log;
    if (created === null || highest <= written) return;
    log.written = highest;
    waiting = [...waiting, { created, position: highest }].slice(-mostWaiting);
  }

  /** What PostgreSQL does not take now, it gets the next time. */
  async function flush(): Promise<void> {
    for (let next = waiting[0]; next; next = waiting[0]) {
      await write(next.created, next.position);
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
    // The answer is of the log that acked only if neither moment has come meanwhile.
    if (current.created === null && current.highest > 0)
      current.created = await createdAt().catch(() => null);
    if (current === log) note();
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

const newLog = () => ({ created: null, highest: 0, written: 0 });

/** Of the logs that were created at this moment the last: the others are copies of it, from before. */
export const writeAcked = sql(
  'write-acked',
  `update scan_logs set acked = $3
    where shard = $1 and acked < $3
      and number = (select max(number) from scan_logs where shard = $1 and created = $2)`,
);

export const ackedWriter =
  (db: Database, shard: number): Parts['write'] =>
  async (createdAt, position) => {
    await db.query(writeAcked, [shard, createdAt, position]);
  };
