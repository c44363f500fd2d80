import {
  type CreatePlacement,
  CreatePlacement as ItemSchema,
  maxPlacements,
  operations,
} from '@signpost/contract';
import Type from 'typebox';
import { listInTurns } from '../../http/list-in-turns.ts';
import type { Routes } from '../../http/routes.ts';
import { compileValidator } from '../../http/validation/validation.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { AppError } from '../../kernel/errors.ts';
import { mapInTurns } from '../../kernel/running/cpu-queue.ts';
import { presentPlacement } from '../present.ts';
import type { NewPlacement, Placed, Placements } from './placements.ts';

type Parts = { readonly placements: Placements; readonly linkNames: LinkNames };

/** The endpoints of placements. */
export function addPlacementRoutes(routes: Routes, { placements, linkNames }: Parts): void {
  const present = ({ code, placement }: Placed) => presentPlacement(placement, linkNames.toUrl(code));

  routes.add(operations.createPlacement, async ({ db, caller, params, body }) =>
    present(await placements.create(db, caller, params.id, { ...body, note: body.note ?? null })),
  );

  routes.add(
    operations.bulkCreatePlacements,
    async ({ db, caller, params, body }) => {
      const items = await mapInTurns(body.items, parseItem);
      const placed = await placements.createMany(db, caller, params.id, items);
      return { created: placed.length, data: listInTurns(placed, present) };
    },
    { body: BulkEnvelope },
  );

  routes.add(operations.updatePlacement, async ({ db, caller, params, body }) =>
    present(await placements.update(db, caller, params.id, params.key, body)),
  );

  routes.add(operations.deletePlacement, async ({ db, caller, params }) => ({
    deleted: true as const,
    key: await placements.delete(db, caller, params.id, params.key),
  }));
}

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
