import { operations, type Tag as WireTag } from '@signpost/contract';
import type { Routes } from '../../http/routes.ts';
import type { Tag } from './tag.ts';
import { tags } from './tags.ts';

/** The endpoints of tags. */
export function addTagRoutes(routes: Routes): void {
  routes.add(operations.listTags, async ({ db, caller }) => ({
    data: (await tags.list(db, caller)).map(present),
  }));

  routes.add(operations.updateTag, async ({ db, caller, params, body }) =>
    present(await tags.update(db, caller, params.name, body)),
  );

  routes.add(operations.deleteTag, async ({ db, caller, params }) => {
    const { name } = await tags.delete(db, caller, params.name);
    return { deleted: true as const, name };
  });
}

const present = ({ name, color, codes }: Tag): WireTag => ({ name, color, qr_codes: codes });
