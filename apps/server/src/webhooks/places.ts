import type { Uuid } from '../kernel/ids.ts';

/**
 * The tries that a process makes at once. One endpoint holds at most a tenth of the places, so that those which never
 * answer leave room for the rest. What comes out of PostgreSQL (retries, replays) holds at most half, of all places and
 * of each endpoint's: a new event finds room beside it.
 */
export type Places = {
  /** Takes a place, or says that there is none for this endpoint now. */
  take(endpointId: Uuid, kind: Kind): boolean;
  give(endpointId: Uuid, kind: Kind): void;
  /** How many more of a kind there is room for: at this endpoint, or at any. */
  free(kind: Kind, endpointId?: Uuid): number;
  inUse(): number;
  /** The most that one endpoint holds at this moment. */
  mostOfOne(): number;
};

export type Kind = 'live' | 'stored';

const share = 10;

export function createPlaces(total: number): Places {
  const each = Math.floor(total / share);
  const mostStored = Math.floor(total / 2);
  const mostStoredEach = Math.max(1, Math.floor(each / 2));
  const held = new Map<Uuid, { live: number; stored: number }>();
  let [live, stored] = [0, 0];

  function free(kind: Kind, endpointId?: Uuid): number {
    const own = endpointId === undefined ? undefined : held.get(endpointId);
    const room = total - live - stored;
    const roomOfOne = each - (own ? own.live + own.stored : 0);
    if (kind === 'live') return Math.min(room, roomOfOne);
    return Math.min(room, roomOfOne, mostStored - stored, mostStoredEach - (own?.stored ?? 0));
  }

  return {
    take(endpointId, kind) {
      if (free(kind, endpointId) <= 0) return false;
      const own = held.get(endpointId) ?? { live: 0, stored: 0 };
      own[kind]++;
      held.set(endpointId, own);
      if (kind === 'live') live++;
      else stored++;
      return true;
    },
    give(endpointId, kind) {
      const own = held.get(endpointId)!;
      own[kind]--;
      if (own.live + own.stored === 0) held.delete(endpointId);
      if (kind === 'live') live--;
      else stored--;
    },
    free,
    inUse: () => live + stored,
    mostOfOne: () => Math.max(0, ...[...held.values()].map(own => own.live + own.stored)),
  };
}
