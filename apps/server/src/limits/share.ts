import type { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Place, Places } from './places.ts';
import { createWaitingLine, type Room } from './waiting-line.ts';

/**
 * Shares something scarce between accounts: each has some places over all processes, and a process has some in all, more
 * than one account can hold. Who finds none waits in a line of this process in which the accounts take turns.
 */
export type Share = {
  take(accountId: Uuid, wish?: Wish): Promise<Holding>;
  /** Whether somebody waits for a place of this account. */
  isWanted(accountId: Uuid): boolean;
  readonly inUse: number;
  readonly waiting: number;
  close(): void;
};

export type Wish = {
  /** More than one place where nobody else needs them; one is enough. */
  readonly most?: number;
  /** Who gives up waiting leaves the line. */
  readonly signal?: AbortSignal | undefined;
  /** false: refused at once where no place is free. */
  readonly waits?: boolean;
};

/** Places that somebody holds, at least one until all are given back. */
export type Holding = { readonly count: number; giveBackOne(): void; giveBack(): void };

/** Which places are all in use, where none was found: those of the account, or those of this process. */
export type Taken = 'account' | 'process';

type Options = {
  readonly places: Places;
  readonly inAll: number;
  readonly room: Room;
  /** The longest that somebody waits. */
  readonly waitMs: number;
  readonly refusal: (whose: Taken) => AppError;
  readonly onRefused: () => void;
};

/**
 * A place goes from hand to hand within a process for so long; then the other processes get their chance. They look for
 * places that became free at a moment of chance between these two.
 */
const passOnMs = 500;
const [lookMs, lookMsMost] = [25, 75];

type Waiter = { give(places: readonly Place[]): void; refuse(): void };

export function createShare({ places, inAll, room, waitMs, refusal, onRefused }: Options): Share {
  const line = createWaitingLine<Waiter>(room, waiter => waiter.refuse());
  /** Accounts that look for a place with the next look only. */
  const resting = new Set<Uuid>();
  let inUse = 0;
  let timer: NodeJS.Timeout | undefined;
  let serving = false;
  let serveAgain = false;

  /** Room in this process is set aside before Redis is asked, since others ask meanwhile. */
  async function find(accountId: Uuid, most: number): Promise<Place[]> {
    const wanted = Math.min(most, inAll - inUse, places.perAccount - places.heldBy(accountId));
    if (wanted <= 0) return [];
    inUse += wanted;
    const found = await places.take(accountId, wanted);
    inUse -= wanted - found.length;
    return found;
  }

  function holdingOf(accountId: Uuid, taken: readonly Place[]): Holding {
    const own = [...taken];
    const giveBackOne = () => {
      const place = own.pop();
      if (place) free(accountId, place);
    };
    return {
      get count() {
        return own.length;
      },
      giveBackOne,
      giveBack() {
        while (own.length > 0) giveBackOne();
      },
    };
  }

  function free(accountId: Uuid, place: Place): void {
    const wasFull = inUse >= inAll;
    const othersWait = line.turns().some(other => other !== accountId);
    const isYoung = performance.now() - place.takenAtMs < passOnMs;
    if (isYoung && !(wasFull && othersWait) && line.has(accountId)) {
      line.shift(accountId)!.give([place]);
      return;
    }
    inUse--;
    places.giveBack(accountId, place);
    if (line.has(accountId)) resting.add(accountId);
    void serve();
  }

  /** Gives what is free to those who wait, an account after the other, each asked for once until somebody comes or goes. */
  async function serve(): Promise<void> {
    serveAgain = serving;
    if (serving || line.length === 0) return;
    serving = true;
    do {
      serveAgain = false;
      const looked = new Set(resting);
      for (;;) {
        const next = line.turns().filter(accountId => !looked.has(accountId));
        const batch = next.slice(0, Math.max(0, inAll - inUse));
        if (batch.length === 0) break;
        await Promise.all(
          batch.map(async accountId => {
            line.pass(accountId);
            const [place] = await find(accountId, 1);
            if (!place) looked.add(accountId);
            else giveTo(accountId, place);
          }),
        );
      }
    } while (serveAgain);
    serving = false;
    lookLater();
  }

  function giveTo(accountId: Uuid, place: Place): void {
    const waiter = line.shift(accountId);
    if (waiter) waiter.give([place]);
    else free(accountId, place);
  }

  /** What becomes free in other processes is not announced. */
  function lookLater(): void {
    if (line.length === 0) return;
    timer ??= setTimeout(
      () => {
        timer = undefined;
        resting.clear();
        void serve();
      },
      lookMs + Math.random() * (lookMsMost - lookMs),
    );
  }

  /** A place is left for each account that waits: most of them wait for one of their own, not for room here. */
  const leftFor = (accountId: Uuid) =>
    inAll - inUse - line.turns().filter(other => other !== accountId).length;

  function refusalOf(accountId: Uuid): AppError {
    const hasOwnFree = places.heldBy(accountId) < places.perAccount;
    return refusal(hasOwnFree && leftFor(accountId) <= 0 ? 'process' : 'account');
  }

  function refused(accountId: Uuid): AppError {
    onRefused();
    return refusalOf(accountId);
  }

  function wait(accountId: Uuid, signal: AbortSignal | undefined): Promise<Holding> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        give(taken) {
          stop();
          resolve(holdingOf(accountId, taken));
        },
        refuse() {
          stop();
          reject(refused(accountId));
        },
      };
      const leave = (reason: () => unknown) => {
        if (!line.remove(accountId, waiter)) return;
        stop();
        reject(reason());
      };
      const hangUp = () => leave(() => signal?.reason);
      const limit = setTimeout(() => leave(() => refused(accountId)), waitMs);
      const stop = () => {
        clearTimeout(limit);
        signal?.removeEventListener('abort', hangUp);
      };
      if (!line.add(accountId, waiter)) {
        waiter.refuse();
        return;
      }
      signal?.addEventListener('abort', hangUp);
      lookLater();
    });
  }

  return {
    async take(accountId, { most = 1, signal, waits = true } = {}) {
      signal?.throwIfAborted();
      const left = leftFor(accountId);
      if (!line.has(accountId) && left > 0) {
        const found = await find(accountId, Math.min(most, left));
        const holding = holdingOf(accountId, found);
        if (signal?.aborted) holding.giveBack();
        signal?.throwIfAborted();
        if (holding.count > 0) return holding;
      }
      if (!waits) throw refusalOf(accountId);
      return wait(accountId, signal);
    },
    isWanted: accountId => line.has(accountId),
    get inUse() {
      return inUse;
    },
    get waiting() {
      return line.length;
    },
    close() {
      clearTimeout(timer);
      places.close();
    },
  };
}
