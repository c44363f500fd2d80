import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { lockCounts } from '../code-counts.ts';
import type { Owner } from '../qr-code.ts';
import { distinctTags, foldTag, type Tag, type TagColor } from './tag.ts';
import * as statements from './tag-statements.ts';

/** Codes that one statement moves from a tag to another. */
const codesPerStep = 5000;

export type TagChange = { readonly name?: string | undefined; readonly color?: TagColor | undefined };

type Row = Tag & { readonly id: Uuid; readonly folded: string };

/** The tags of an account. Each change is one transaction under the lock that creates and edits of tags take too. */
export const tags = {
  async list(on: Database, { accountId, mode }: Owner): Promise<readonly Tag[]> {
    return on.query<Tag>(statements.listTags, [accountId, mode]);
  },

  async count(on: Database, { accountId, mode }: Owner): Promise<number> {
    const [row] = await on.query<{ count: number }>(statements.countTags, [accountId, mode]);
    return row?.count ?? 0;
  },

  find: findTag,

  /** The codes of a tag, up to one more than the limit. */
  async findCodes(on: Database, tagId: Uuid, limit: number): Promise<readonly Uuid[]> {
    const rows = await on.query<{ id: Uuid }>(statements.codesOfTag, [tagId, limit + 1]);
    return rows.map(({ id }) => id);
  },

  /** Where another tag has the new name already, it gets the codes of this one. */
  update(on: Database, owner: Owner, name: string, wanted: TagChange): Promise<Tag> {
    return on.transaction(async tx => {
      await lockCounts(tx, owner);
      const tag = (await findTag(tx, owner, name)) ?? notFound();
      const [newName = tag.name] = distinctTags(wanted.name === undefined ? [] : [wanted.name]);
      const other = foldTag(newName) === tag.folded ? null : await findTag(tx, owner, newName);
      if (!other) {
        const color = wanted.color ?? tag.color;
        await tx.query(statements.updateTag, [tag.id, foldTag(newName), newName, color]);
        return { ...tag, name: newName, color };
      }
      await inSteps(() => tx.query<Moved>(statements.moveSomeCodes, [tag.id, other.id, codesPerStep]));
      await tx.query(statements.deleteTag, [tag.id]);
      if (wanted.color !== undefined)
        await tx.query(statements.updateTag, [other.id, other.folded, other.name, wanted.color]);
      return (await findTag(tx, owner, newName)) ?? notFound();
    });
  },

  delete(on: Database, owner: Owner, name: string): Promise<Tag> {
    return on.transaction(async tx => {
      await lockCounts(tx, owner);
      const tag = (await findTag(tx, owner, name)) ?? notFound();
      await inSteps(() => tx.query<Moved>(statements.removeSomeCodes, [tag.id, codesPerStep]));
      await tx.query(statements.deleteTag, [tag.id]);
      return tag;
    });
  },
};

type Moved = { readonly moved: number };

/** Each statement has its own time limit, so that a tag of a million codes does not run into it. */
async function inSteps(moveSome: () => Promise<Moved[]>): Promise<void> {
  let moved = codesPerStep;
  while (moved === codesPerStep) moved = (await moveSome())[0]?.moved ?? 0;
}

async function findTag(on: Database, { accountId, mode }: Owner, name: string): Promise<Row | null> {
  // PostgreSQL holds no text with it.
  if (name.includes('\0')) return null;
  const [row] = await on.query<Row>(statements.findTags, [accountId, mode, [foldTag(name)]]);
  return row ?? null;
}

function notFound(): never {
  throw new AppError('not_found', 'No tag has this name.');
}
