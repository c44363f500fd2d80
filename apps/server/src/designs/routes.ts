import { operations, type Design as WireDesign } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import type { Design } from './design.ts';
import type { Designs } from './service.ts';

/** The endpoints of designs. Wire names are mapped here and nowhere else. */
export function addDesignRoutes(routes: Routes, designs: Designs): void {
  routes.add(
    operations.createDesign,
    async ({ db, caller, body }) => {
      const { name, style, frame = null, is_default: isDefault = false } = body;
      return present(await designs.create(db, caller, { name, style, frame, isDefault }));
    },
    { prepare: ({ db, caller, body }) => designs.check(db, caller, body) },
  );

  routes.add(operations.listDesigns, async ({ db, caller }) => ({
    data: (await designs.list(db, caller)).map(present),
  }));

  routes.add(operations.getDesign, async ({ db, caller, params }) =>
    present(await designs.get(db, caller, parseId('dsn', params.id))),
  );

  routes.add(
    operations.updateDesign,
    async ({ db, caller, params, body }) => {
      const { is_default: isDefault, ...fields } = body;
      const wanted = { ...fields, ...(isDefault === undefined ? {} : { isDefault }) };
      return present(await designs.update(db, caller, parseId('dsn', params.id), wanted));
    },
    {
      async prepare({ db, caller, params, body }) {
        await designs.get(db, caller, parseId('dsn', params.id));
        await designs.check(db, caller, body);
      },
    },
  );

  routes.add(operations.deleteDesign, async ({ db, caller, params }) => {
    await designs.delete(db, caller, parseId('dsn', params.id));
    return { deleted: true as const, id: params.id };
  });
}

const present = (design: Design): WireDesign => ({
  id: formatId('dsn', design.id),
  name: design.name,
  style: design.style,
  frame: design.frame,
  is_default: design.isDefault,
  created_at: design.createdAt.toISOString(),
  updated_at: design.updatedAt.toISOString(),
});
