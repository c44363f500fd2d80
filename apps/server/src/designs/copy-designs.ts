import { AppError } from '../kernel/errors.ts';
import { formatId, type Ids, parseId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { copyAsset } from './assets/store.ts';
import type { Design } from './design.ts';
import { insertDesign, listDesigns } from './store.ts';

/** Copies the live designs of an account, with their logos, to a new account of the same person. */
export const createCopyDesigns =
  ({ ids }: { readonly ids: Ids }) =>
  async (tx: Database, from: Uuid, to: Uuid): Promise<void> => {
    const designs = await listDesigns(tx, { accountId: from, mode: 'live' });
    const logos = new Map<string, string>();
    for (const id of new Set(designs.flatMap(({ style }) => style.logo?.asset_id ?? []))) {
      const copy = ids.next();
      if (
        !(await copyAsset(tx, { id: parseId('ast', id)!, accountId: from, mode: 'live' }, { id: copy, to }))
      )
        throw noRoom();
      logos.set(id, formatId('ast', copy));
    }
    const owner = { accountId: to, mode: 'live' } as const;
    for (const design of designs)
      await insertDesign(tx, owner, { ...design, id: ids.next(), style: withLogo(design, logos) }, Infinity);
  };

const withLogo = ({ style }: Design, logos: ReadonlyMap<string, string>): Design['style'] =>
  style.logo ? { ...style, logo: { ...style.logo, asset_id: logos.get(style.logo.asset_id)! } } : style;

const noRoom = () =>
  new AppError(
    'quota_exceeded',
    'The logos of these designs take more room than the plan of the new account has. Create it without designs, and upload the logos that you need.',
  );
