import {
  type CreatePlacement,
  CreatePlacement as ItemSchema,
  maxPlacements,
  operations,
} from '@signpost/contract';
import Type from 'typebox';
import { listInTurns } from '../../http/list-in-turns.ts';
import type { Call, Routes } from '../../http/routes.ts';
import { compileValidator } from '../../http/validation/validation.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { AppError } from '../../kernel/errors.ts';
import { parsePrecondition } from '../../kernel/precondition.ts';
import { mapInTurns } from '../../kernel/running/cpu-queue.ts';
import { presentPlacement, withEtag } from '../present.ts';
import type { NewPlacement, Placements, PlacementsOf } from './placements.ts';

type Parts = { readonly placements: Placements; readonly linkNames: LinkNames };

/** The endpoints of placements. */
export function addPlacementRoutes(routes: Routes, { placements, linkNames }: Parts): void {
  routes.add(operations.createPlacement, async call => {
    const { db, caller, body } = call;
    const placed = await placements.create(db, caller, toCode(call), { ...body, note: body.note ?? null });
    return presentPlacement(placed.placement, linkNames.toUrl(withEtag(call, placed.code)));
  });

  routes.add(
    operations.bulkCreatePlacements,
    async call => {
      const items = await mapInTurns(call.body.items, parseItem);
      const { code, placement } = await placements.createMany(call.db, call.caller, toCode(call), items);
      const shortUrl = linkNames.toUrl(withEtag(call, code));
      return {
        created: placement.length,
        data: listInTurns(placement, one => presentPlacement(one, shortUrl)),
      };
    },
    { body: BulkEnvelope },
  );

  routes.add(operations.updatePlacement, async call => {
    const { db, caller, params, body } = call;
    const placed = await placements.update(db, caller, toCode(call), params.key, body);
    return presentPlacement(placed.placement, linkNames.toUrl(withEtag(call, placed.code)));
  });

  routes.add(operations.deletePlacement, async call => {
    const { db, caller, params } = call;
    const { code, placement } = await placements.delete(db, caller, toCode(call), params.key);
    withEtag(call, code);
    return { deleted: true as const, key: placement.key };
  });
}

const toCode = ({
  params,
  raw,
}: Pick<Call<typeof operations.createPlacement>, 'params' | 'raw'>): PlacementsOf => ({
  id: params.id,
  required: parsePrecondition(raw.request.headers),
});

/** The body without the schema of its items: each is validated by itself, so that every invalid one is named. */
const BulkEnvelope = Type.Object(
  { items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxPlacements }) },
  { additionalProperties: false },
);

const validateItem = compileValidator(ItemSchema, 'The item');

function parseItem(item: unknown): NewPlacement | AppError {
  const result = validateItem(item);
  if ('error' in result) return result.error;
  const { key, name, note = null } = result.value as CreatePlacement;
  return { key, name, note };
}
