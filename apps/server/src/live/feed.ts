import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Questions } from '../limits/questions.ts';
import type { Wish } from '../limits/share.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { type Cursor, furthest, hasReached } from './cursor.ts';
import { findHorizon, scansBetween, type Watched } from './store.ts';
import type { Viewer } from './viewer.ts';

/**
 * Shows new scans to whoever looks on. However many look at an account, it is asked about once a round; while nothing
 * new is stored, nothing is asked of ClickHouse at all.
 */
export type Feed = {
  /** Where to start for somebody who has seen nothing. */
  now(): Promise<Cursor>;
  /** Sends what the viewer has missed and then all that comes, until it is removed. */
  add(viewer: Viewer): Promise<void>;
  remove(viewer: Viewer): void;
  close(): void;
};

type Parts = {
  readonly db: Database;
  readonly questions: Questions;
  /** Those of these sessions that are still good. */
  readonly livingSessions: (ids: readonly Uuid[]) => Promise<ReadonlySet<Uuid>>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly pollMs?: number;
  readonly beatMs?: number;
};

/** An account in one mode, and who looks at it. */
type Group = Watched & { cursor: Cursor; readonly viewers: Set<Viewer> };

const rowsAtOnce = 500;
/** Who has missed more than this reads anew, instead of being sent it all. */
const mostMissed = 5000;
const [viewersPerUser, viewersPerProcess] = [10, 2000];

export function createFeed(parts: Parts): Feed {
  const { db, questions, livingSessions, logger, pollMs = 1000, beatMs = 15_000 } = parts;
  const groups = new Map<string, Group>();
  /** Who looks on, and what tells that they have left. */
  const viewers = new Map<Viewer, AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let beatAtMs = performance.now();

  async function round(): Promise<void> {
    try {
      await endSessions();
      const horizon = await findHorizon(db);
      await Promise.all([...groups.values()].map(group => advanceIfFree(group, horizon)));
    } catch (error) {
      // The next round asks for the same again: nothing is lost.
      logger.warn({ err: error }, 'live scans not read');
    }
    if (performance.now() - beatAtMs >= beatMs) {
      beatAtMs = performance.now();
      for (const viewer of viewers.keys()) viewer.beat();
    }
    timer = viewers.size > 0 && !closed ? setTimeout(round, pollMs) : undefined;
  }

  async function endSessions(): Promise<void> {
    const living = await livingSessions([...new Set([...viewers.keys()].map(({ sessionId }) => sessionId))]);
    for (const viewer of viewers.keys()) if (!living.has(viewer.sessionId)) drop(viewer);
  }

  const read = (watched: Watched, after: Cursor, upTo: Cursor, wish: Wish) =>
    questions.by(watched.accountId, wish, clickhouse =>
      scansBetween(clickhouse, watched, after, upTo, rowsAtOnce),
    );

  /** An account that has no place free is looked at again in the next round: the others do not wait for it. */
  async function advanceIfFree(group: Group, horizon: Cursor): Promise<void> {
    try {
      await advance(group, horizon);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  async function advance(group: Group, horizon: Cursor): Promise<void> {
    while (group.viewers.size > 0 && !hasReached(group.cursor, horizon)) {
      const scans = await read(group, group.cursor, horizon, { waits: false });
      const last = scans.length === rowsAtOnce ? scans.at(-1) : undefined;
      group.cursor = furthest(group.cursor, last ? new Map([[last.shard, last]]) : horizon);
      for (const viewer of group.viewers) {
        viewer.show(scans);
        if (!last) viewer.pass(group.cursor);
      }
    }
  }

  /** Brings a viewer to where its group is, which goes on meanwhile. */
  async function catchUp(viewer: Viewer, group: Group, signal: AbortSignal): Promise<void> {
    let missed = 0;
    while (!hasReached(viewer.cursor(), group.cursor)) {
      const target = group.cursor;
      const scans = await read(viewer, viewer.cursor(), target, { signal });
      missed += scans.length;
      if (missed > mostMissed) {
        viewer.pass(group.cursor);
        viewer.tell('gap');
        return;
      }
      viewer.show(scans);
      if (scans.length < rowsAtOnce) viewer.pass(target);
    }
  }

  async function newGroup({ accountId, mode }: Viewer): Promise<Group> {
    const cursor = await findHorizon(db);
    return { accountId, mode, cursor, viewers: new Set() };
  }

  function drop(viewer: Viewer): void {
    const leaving = viewers.get(viewer);
    if (!leaving) return;
    viewers.delete(viewer);
    leaving.abort();
    const group = groups.get(keyOf(viewer));
    group?.viewers.delete(viewer);
    if (group?.viewers.size === 0) groups.delete(keyOf(viewer));
    viewer.end();
  }

  return {
    now: () => findHorizon(db),

    async add(viewer) {
      const sameUser = [...viewers.keys()].filter(({ userId }) => userId === viewer.userId).length;
      if (closed || viewers.size >= viewersPerProcess) throw full();
      if (sameUser >= viewersPerUser) throw tooMany();
      const leaving = new AbortController();
      viewers.set(viewer, leaving);
      timer ??= setTimeout(round, pollMs);
      try {
        viewer.tell('ready');
        for (;;) {
          const group = groups.get(keyOf(viewer)) ?? (await newGroup(viewer));
          await catchUp(viewer, group, leaving.signal);
          if (!viewers.has(viewer)) return;
          const current = groups.get(keyOf(viewer)) ?? group;
          // Meanwhile all others may have left, and somebody else have come: then there is another group to join.
          if (current !== group) continue;
          // Since the last look at the group's cursor nothing else has run: nothing lies between.
          groups.set(keyOf(viewer), group);
          group.viewers.add(viewer);
          return;
        }
      } catch (error) {
        if (!leaving.signal.aborted && !isBusy(error)) logger.warn({ err: error }, 'live scans not read');
        // The browser comes again, with the id of the last that it was sent.
        drop(viewer);
      }
    },

    remove: drop,

    close() {
      closed = true;
      clearTimeout(timer);
      for (const viewer of viewers.keys()) drop(viewer);
    },
  };
}

const keyOf = ({ accountId, mode }: Watched) => `${accountId}:${mode}`;

/** The account has other things under way: nothing is wrong. */
const isBusy = (error: unknown) => error instanceof AppError && error.code === 'rate_limit_exceeded';

const full = () =>
  new AppError('unavailable', 'Too many live views are open right now. Try again shortly.', {
    retryAfterSeconds: 5,
  });

const tooMany = () =>
  new AppError('rate_limit_exceeded', `At most ${viewersPerUser} live views a user. Close one of them.`, {
    retryAfterSeconds: 10,
  });
