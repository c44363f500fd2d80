import { AppError } from '../../kernel/errors.ts';
import type { QueryShare } from '../../limits/shares/query-share.ts';
import type { ShareRequest } from '../../limits/shares/share.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type Cursor, furthest, hasReached, readUpTo } from '../../scans/log/log-cursor.ts';
import type { LoggedScan, ScanQueries } from '../../scans/stores/scan-queries.ts';
import { findHorizon, spansBetween, type Watched } from '../horizon.ts';
import type { Viewer } from './viewer.ts';

type Parts = {
  readonly db: Database;
  readonly queries: QueryShare;
  readonly scans: Pick<ScanQueries, 'readLog'>;
  /** Those of these viewers whose session still opens the account. */
  readonly stillOpen: (viewers: readonly Viewer[]) => Promise<readonly Viewer[]>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
};

/** An account in one mode, and its viewers. */
type Group = Watched & { cursor: Cursor; readonly viewers: Set<Viewer> };

const rowsPerQuery = 500;
const timeoutMs = 5_000;
/** A viewer that has missed more than this is sent a `gap` event instead, and reloads. */
const maxMissed = 5000;
const [viewersPerUser, viewersPerProcess] = [10, 2000];

/**
 * Sends new scans to live viewers. However many view an account, it is queried once per poll; while nothing new is
 * stored, the store is not queried at all.
 */
export class Feed {
  readonly #db: Database;
  readonly #queries: QueryShare;
  readonly #scans: Parts['scans'];
  readonly #stillOpen: Parts['stillOpen'];
  readonly #logger: Parts['logger'];
  readonly #pollMs: number;
  readonly #heartbeatMs: number;
  readonly #groups = new Map<string, Group>();
  /** Each viewer with the controller that is aborted when it leaves. */
  readonly #viewers = new Map<Viewer, AbortController>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #heartbeatAtMs = performance.now();

  constructor(parts: Parts) {
    this.#db = parts.db;
    this.#queries = parts.queries;
    this.#scans = parts.scans;
    this.#stillOpen = parts.stillOpen;
    this.#logger = parts.logger;
    this.#pollMs = parts.pollMs ?? 700;
    this.#heartbeatMs = parts.heartbeatMs ?? 15_000;
  }

  /** Where a viewer starts that has seen nothing yet. */
  now(): Promise<Cursor> {
    return findHorizon(this.#db);
  }

  /** Sends what the viewer has missed, and then every new scan until it is removed. */
  async add(viewer: Viewer): Promise<void> {
    const ofUser = [...this.#viewers.keys()].filter(({ userId }) => userId === viewer.userId).length;
    if (this.#isClosed || this.#viewers.size >= viewersPerProcess) throw tooManyViewers();
    if (ofUser >= viewersPerUser) throw tooManyOfUser();
    const leaving = new AbortController();
    this.#viewers.set(viewer, leaving);
    this.#timer ??= setTimeout(() => this.#poll(), this.#pollMs);
    try {
      viewer.sendEvent('ready');
      await this.#join(viewer, leaving.signal);
    } catch (error) {
      if (!leaving.signal.aborted && !isBusy(error)) this.#logger.warn({ err: error }, 'live scans not read');
      // The browser reconnects with the id of the last event that it was sent.
      this.remove(viewer);
    }
  }

  remove(viewer: Viewer): void {
    const leaving = this.#viewers.get(viewer);
    if (!leaving) return;
    this.#viewers.delete(viewer);
    leaving.abort();
    const group = this.#groups.get(toKey(viewer));
    group?.viewers.delete(viewer);
    if (group?.viewers.size === 0) this.#groups.delete(toKey(viewer));
    viewer.end();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const viewer of this.#viewers.keys()) this.remove(viewer);
  }

  async #poll(): Promise<void> {
    try {
      await this.#removeEnded();
      const horizon = await findHorizon(this.#db);
      await Promise.all([...this.#groups.values()].map(group => this.#advanceUnlessBusy(group, horizon)));
    } catch (error) {
      // The next poll reads from the same cursors: no scan is skipped.
      this.#logger.warn({ err: error }, 'live scans not read');
    }
    if (performance.now() - this.#heartbeatAtMs >= this.#heartbeatMs) {
      this.#heartbeatAtMs = performance.now();
      for (const viewer of this.#viewers.keys()) viewer.sendHeartbeat();
    }
    const isNeeded = this.#viewers.size > 0 && !this.#isClosed;
    this.#timer = isNeeded ? setTimeout(() => this.#poll(), this.#pollMs) : undefined;
  }

  /** Of people who signed out, or were removed from the account: within a second. */
  async #removeEnded(): Promise<void> {
    const viewers = [...this.#viewers.keys()];
    const open = new Set(await this.#stillOpen(viewers));
    for (const viewer of viewers) if (!open.has(viewer)) this.remove(viewer);
  }

  async #read(
    { accountId, mode }: Watched,
    after: Cursor,
    upTo: Cursor,
    request: ShareRequest,
  ): Promise<LoggedScan[]> {
    const spans = spansBetween(after, upTo);
    if (spans.length === 0) return [];
    const atMost = { perShard: rowsPerQuery, limit: rowsPerQuery };
    return await this.#queries.by(accountId, request, run =>
      run(limits => this.#scans.readLog({ accountId, mode }, spans, atMost, { ...limits, timeoutMs })),
    );
  }

  /** An account whose share of queries is in use is read again with the next poll: the others do not wait for it. */
  async #advanceUnlessBusy(group: Group, horizon: Cursor): Promise<void> {
    try {
      await this.#advance(group, horizon);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  async #advance(group: Group, horizon: Cursor): Promise<void> {
    while (group.viewers.size > 0 && !hasReached(group.cursor, horizon)) {
      const scans = await this.#read(group, group.cursor, horizon, { waits: false });
      const last = scans.length === rowsPerQuery ? scans.at(-1) : undefined;
      group.cursor = furthest(group.cursor, last ? readUpTo(last, horizon) : horizon);
      for (const viewer of group.viewers) {
        viewer.send(scans);
        if (!last) viewer.skipTo(group.cursor);
      }
    }
  }

  async #join(viewer: Viewer, signal: AbortSignal): Promise<void> {
    for (;;) {
      const group = this.#groups.get(toKey(viewer)) ?? (await this.#newGroup(viewer));
      await this.#catchUp(viewer, group, signal);
      if (!this.#viewers.has(viewer)) return;
      const current = this.#groups.get(toKey(viewer)) ?? group;
      // Meanwhile all others may have left and another viewer may have come: then there is another group to join.
      if (current !== group) continue;
      // Nothing else has run since the group's cursor was compared: no scan lies between.
      this.#groups.set(toKey(viewer), group);
      group.viewers.add(viewer);
      return;
    }
  }

  async #newGroup({ accountId, mode }: Viewer): Promise<Group> {
    const cursor = await findHorizon(this.#db);
    return { accountId, mode, cursor, viewers: new Set() };
  }

  /** Brings a viewer to the cursor of its group, which advances meanwhile. */
  async #catchUp(viewer: Viewer, group: Group, signal: AbortSignal): Promise<void> {
    let missed = 0;
    while (!hasReached(viewer.cursor(), group.cursor)) {
      const target = group.cursor;
      const scans = await this.#read(viewer, viewer.cursor(), target, { signal });
      missed += scans.length;
      if (missed > maxMissed) {
        viewer.skipTo(group.cursor);
        viewer.sendEvent('gap');
        return;
      }
      viewer.send(scans);
      if (scans.length < rowsPerQuery) viewer.skipTo(target);
    }
  }
}

const toKey = ({ accountId, mode }: Watched) => `${accountId}:${mode}`;

/** The account's share of queries is in use, which is no failure. */
const isBusy = (error: unknown) => error instanceof AppError && error.code === 'rate_limit_exceeded';

const tooManyViewers = () =>
  new AppError('unavailable', 'Too many live views are open right now. Try again shortly.', {
    retryAfterSeconds: 5,
  });

const tooManyOfUser = () =>
  new AppError(
    'rate_limit_exceeded',
    `A user can have at most ${viewersPerUser} live views open. Close one of them.`,
    { retryAfterSeconds: 10 },
  );
