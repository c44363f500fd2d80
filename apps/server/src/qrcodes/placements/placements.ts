import { maxPlacements } from '@signpost/contract';
import { type LinkName, toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Precondition } from '../../kernel/precondition.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { invalidateLinks } from '../../redirect/changes/link-changes.ts';
import type { QrCode } from '../qr-code.ts';
import { bulkRefusal, refuseUnmet } from '../refusals.ts';
import { lockCodes } from '../store.ts';
import type { Placement } from './placement.ts';

type Parts = {
  /** Finds the code that a path names; throws where there is none. */
  readonly qrcodes: { find(on: Database, caller: Caller, id: string): Promise<QrCode> };
  readonly clock: Clock;
  readonly links: CacheInvalidator;
};

/** Placements after a change, with the code that they belong to and its revision. */
export type Placed<Placements = Placement> = {
  readonly code: LinkName & Pick<QrCode, 'revision'>;
  readonly placement: Placements;
};

/** A placement to add. Its key may have capital letters. */
export type NewPlacement = Pick<Placement, 'key' | 'name' | 'note'>;

export type Placements = ReturnType<typeof createPlacements>;

/** Proxies take a link that ends like this for a file. */
const fileTypes = new Set('php exe zip js css png jpg pdf html json xml txt ico'.split(' '));

/** A code by the name in its path, and the state in which the caller changes it. */
export type PlacementsOf = { readonly id: string; readonly required?: Precondition };

/** The places where a code is printed. Each change is made under the lock of the code, and raises its revision. */
export function createPlacements({ qrcodes, clock, links }: Parts) {
  async function change<Result>(
    on: Database,
    caller: Caller,
    { id, required = {} }: PlacementsOf,
    work: (tx: Database, code: QrCode) => Promise<Result>,
  ): Promise<Placed<Result>> {
    const { id: uuid } = await qrcodes.find(on, caller, id);
    return await on.transaction(async tx => {
      const code = (await lockCodes(tx, caller, [uuid])).get(uuid);
      if (!code) throw new AppError('not_found', 'No QR code has this id.');
      refuseUnmet(required, code);
      const placement = await work(tx, code);
      const [row] = await tx.query<{ revision: number }>(selectRevision, [code.id]);
      return { code: { ...code, revision: row!.revision }, placement };
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
    create(on: Database, caller: Caller, of: PlacementsOf, wanted: NewPlacement): Promise<Placed> {
      const refusal = checkKey(wanted);
      if (refusal) throw refusal;
      return change(on, caller, of, async (tx, code) => {
        const taken = refuseTaken(new Set(code.placements.map(({ key }) => key)), wanted);
        if (taken) throw taken;
        const [placement] = await insert(tx, code, [wanted]);
        return placement!;
      });
    },

    /** All or none: the refusal names every item that is wrong. Those that are no placements at all are refusals already. */
    createMany(
      on: Database,
      caller: Caller,
      of: PlacementsOf,
      items: readonly (NewPlacement | AppError)[],
    ): Promise<Placed<readonly Placement[]>> {
      return change(on, caller, of, async (tx, code) => {
        const taken = new Set(code.placements.map(({ key }) => key));
        const refusals = items.map(item => {
          if (item instanceof AppError) return item;
          const refusal = checkKey(item) ?? refuseTaken(taken, item);
          taken.add(toKey(item));
          return refusal;
        });
        if (refusals.some(refusal => refusal !== undefined)) throw bulkRefusal(refusals);
        return await insert(tx, code, items as readonly NewPlacement[]);
      });
    },

    update(
      on: Database,
      caller: Caller,
      of: PlacementsOf,
      key: string,
      wanted: { readonly name?: string | undefined; readonly note?: string | null | undefined },
    ): Promise<Placed> {
      return change(on, caller, of, async (tx, code) => {
        const before = requirePlacement(code, key);
        const { name = before.name, note = before.note } = wanted;
        if (name !== before.name || note !== before.note)
          await tx.query(updatePlacement, [code.id, before.key, name, note]);
        return { ...before, name, note };
      });
    },

    delete(on: Database, caller: Caller, of: PlacementsOf, key: string): Promise<Placed> {
      return change(on, caller, of, async (tx, code) => {
        const placement = requirePlacement(code, key);
        await tx.query(deletePlacement, [code.id, placement.key]);
        await keysChanged(tx, code);
        return placement;
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
  `with changed as (
     update placements set name = $3, note = $4 where qr_code_id = $1 and key = $2 returning qr_code_id
   )
   update qr_codes set revision = revision + 1 where id in (select qr_code_id from changed)`,
);
const selectRevision = sql('select-revision', 'select revision from qr_codes where id = $1');
const deletePlacement = sql('delete-placement', 'delete from placements where qr_code_id = $1 and key = $2');
const updateKeys = sql(
  'update-placement-keys',
  `update qr_codes
      set placement_keys = coalesce((select array_agg(key order by key) from placements where qr_code_id = $1), '{}'),
          revision = revision + 1
    where id = $1`,
);
