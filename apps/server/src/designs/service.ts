import type { Frame } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import { missingLetter } from '@signpost/qr/frames';
import { refuseReleased } from '../accounts/account.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { type Design, type DesignChange, designsPerAccount } from './design.ts';
import * as store from './store.ts';
import type { Styles } from './styles.ts';

type Parts = { readonly ids: Ids; readonly clock: Clock; readonly styles: Styles };

export type Designs = ReturnType<typeof createDesigns>;

export function createDesigns({ ids, clock, styles }: Parts) {
  return {
    /** Before anything is written: drawing and reading takes a moment. */
    async check(
      db: Database,
      caller: Caller,
      { style, frame }: { style?: Style; frame?: Frame | null },
    ): Promise<void> {
      if (frame) checkFrame(frame);
      if (style) await styles.check(db, caller, style);
    },

    async create(
      db: Database,
      caller: Caller,
      wanted: Pick<Design, 'name' | 'style' | 'frame' | 'isDefault'>,
    ): Promise<Design> {
      await refuseReleased(db, caller);
      const now = clock.now();
      const design = { ...wanted, id: ids.next(), createdAt: now, updatedAt: now };
      const used = await store.insertDesign(db, caller, design, designsPerAccount);
      if (used === null) return design;
      throw new AppError('quota_exceeded', `Your account already has ${used} designs. Delete one first.`, {
        limit: designsPerAccount,
        used,
      });
    },

    list: (db: Database, caller: Caller): Promise<Design[]> => store.listDesigns(db, caller),

    async get(db: Database, caller: Caller, id: Uuid | null): Promise<Design> {
      const [design] = id ? await store.findDesigns(db, caller, [id]) : [];
      return design ?? notFound();
    },

    async update(db: Database, caller: Caller, id: Uuid | null, wanted: DesignChange): Promise<Design> {
      await refuseReleased(db, caller);
      const change = (design: Design) => ({ ...design, ...wanted, updatedAt: clock.now() });
      return (id && (await store.updateDesign(db, caller, id, change))) || notFound();
    },

    async delete(db: Database, caller: Caller, id: Uuid | null): Promise<void> {
      if (!(id && (await store.deleteDesign(db, caller, id)))) notFound();
    },
  };
}

function checkFrame({ text }: Frame): void {
  const missing = missingLetter(text);
  if (missing !== null)
    throw new AppError('invalid_request', `There is no letter for "${missing}" in the font of frames.`, {
      param: 'frame.text',
    });
}

function notFound(): never {
  throw new AppError('not_found', 'No design has this id.');
}
