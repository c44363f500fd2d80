import { maxPlacements } from '@signpost/contract';
import { type LinkName, toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { invalidateLinks } from '../../redirect/changes/link-changes.ts';
import type { QrCode } from '../qr-code.ts';
import { bulkRefusal } from '../refusals.ts';
import { lockCodes } from '../store.ts';
import type { Placement } from './placement.ts';

type Parts = {
  /** Finds the code that a path names; throws where there is none. */
  readonly qrcodes: { find(on: Database, caller: Caller, id: string): Promise<QrCode> };
  readonly clock: Clock;
  readonly links: CacheInvalidator;
};

/** A placement with the code that it belongs to. */
export type Placed = { readonly code: LinkName; readonly placement: Placement };

/** A placement to add. Its key may have capital letters. */
export type NewPlacement = Pick<Placement, 'key' | 'name' | 'note'>;

export type Placements = ReturnType<typeof createPlacements>;

/** Proxies take a link that ends like this for a file. */
const fileTypes = new Set('php exe zip js css png jpg pdf html json xml txt ico'.split(' '));

/** The places where a code is printed. Each change is made under the lock of the code. */
export function createPlacements({ qrcodes, clock, links }: Parts) {
  async function change<Result>(
    on: Database,
    caller: Caller,
    id: string,
    work: (tx: Database, code: QrCode) => Promise<Result>,
  ): Promise<Result> {
    const { id: uuid } = await qrcodes.find(on, caller, id);
    return await on.transaction(async tx => {
      const code = (await lockCodes(tx, caller, [uuid])).get(uuid);
      if (!code) throw new AppError('not_found', 'No QR code has this id.');
      return await work(tx, code);
    });
  }

  /** Redirects know the keys: they are told of each that comes or goes. */
  async function keysChanged(tx: Database, code: QrCode): Promise<void> {
    await tx.query(updateKeys, [code.id]);
    await invalidateLinks(tx, links, [{ key: toLinkKey(code) }]);
  }

  async function insert(
    tx: Database,
    code: QrCode,
    wanted: readonly NewPlacement[],
  ): Promise<readonly Placement[]> {
    const used = code.placements.length;
    if (used + wanted.length > maxPlacements)
      throw new AppError('quota_exceeded', `A code has at most ${maxPlacements} placements.`, {
        limit: maxPlacements,
        used,
      });
    const createdAt = clock.now();
    const placements = wanted.map(item => ({ ...item, key: toKey(item), createdAt }));
    await tx.query(insertPlacements, [
      code.id,
      placements.map(({ key }) => key),
      placements.map(({ name }) => name),
      placements.map(({ note }) => note),
      createdAt,
    ]);
    await keysChanged(tx, code);
    return placements;
  }

  return {
    create(on: Database, caller: Caller, id: string, wanted: NewPlacement): Promise<Placed> {
      const refusal = checkKey(wanted);
      if (refusal) throw refusal;
      return change(on, caller, id, async (tx, code) => {
        const taken = refuseTaken(new Set(code.placements.map(({ key }) => key)), wanted);
        if (taken) throw taken;
        const [placement] = await insert(tx, code, [wanted]);
        return { code, placement: placement! };
      });
    },

    /** All or none: the refusal names every item that is wrong. Those that are no placements at all are refusals already. */
    createMany(
      on: Database,
      caller: Caller,
      id: string,
      items: readonly (NewPlacement | AppError)[],
    ): Promise<readonly Placed[]> {
      return change(on, caller, id, async (tx, code) => {
        const taken = new Set(code.placements.map(({ key }) => key));
        const refusals = items.map(item => {
          if (item instanceof AppError) return item;
          const refusal = checkKey(item) ?? refuseTaken(taken, item);
          taken.add(toKey(item));
          return refusal;
        });
        if (refusals.some(refusal => refusal !== undefined)) throw bulkRefusal(refusals);
        const placements = await insert(tx, code, items as readonly NewPlacement[]);
        return placements.map(placement => ({ code, placement }));
      });
    },

    update(
      on: Database,
      caller: Caller,
      id: string,
      key: string,
      wanted: { readonly name?: string | undefined; readonly note?: string | null | undefined },
    ): Promise<Placed> {
      return change(on, caller, id, async (tx, code) => {
        const before = requirePlacement(code, key);
        const note = wanted.note === undefined ? before.note : wanted.note;
        const placement = { ...before, name: wanted.name ?? before.name, note };
        await tx.query(updatePlacement, [code.id, placement.key, placement.name, placement.note]);
        return { code, placement };
      });
    },

    delete(on: Database, caller: Caller, id: string, key: string): Promise<string> {
      return change(on, caller, id, async (tx, code) => {
        const placement = requirePlacement(code, key);
        await tx.query(deletePlacement, [code.id, placement.key]);
        await keysChanged(tx, code);
        return placement.key;
      });
    },
  };
}

const toKey = ({ key }: NewPlacement): string => key.toLowerCase();

function checkKey(wanted: NewPlacement): AppError | undefined {
  const key = toKey(wanted);
  if (!fileTypes.has(key)) return undefined;
  const message = `${key} is a file type, and proxies would take the link for a file.`;
  return new AppError('invalid_request', message, { param: 'key' });
}

function refuseTaken(taken: ReadonlySet<string>, wanted: NewPlacement): AppError | undefined {
  const key = toKey(wanted);
  if (!taken.has(key)) return undefined;
  return new AppError('placement_taken', `The code has a placement ${key} already.`, { param: 'key' });
}

function requirePlacement({ placements }: QrCode, key: string): Placement {
  const found = placements.find(placement => placement.key === key.toLowerCase());
  if (!found) throw new AppError('not_found', 'The code has no placement with this key.');
  return found;
}

/** Those of one call are listed in its order. */
const insertPlacements = sql(
  'insert-placements',
  `insert into placements (qr_code_id, key, name, note, created_at)
   select $1, key, name, note, $5::timestamptz + n * interval '1 microsecond'
     from unnest($2::text[], $3::text[], $4::text[]) with ordinality as wanted (key, name, note, n)`,
);
const updatePlacement = sql(
  'update-placement',
  'update placements set name = $3, note = $4 where qr_code_id = $1 and key = $2',
);
const deletePlacement = sql('delete-placement', 'delete from placements where qr_code_id = $1 and key = $2');
const updateKeys = sql(
  'update-placement-keys',
  `update qr_codes
      set placement_keys = coalesce((select array_agg(key order by key) from placements where qr_code_id = $1), '{}')
    where id = $1`,
);
