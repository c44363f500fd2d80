import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { QrCode } from '../qr-code.ts';
import { tagsOfCodes } from '../tags/tag-statements.ts';
import type { CodePage } from './list.ts';

/** Read only for the codes of the page. */
export const withTags = async (db: Database, found: CodePage): Promise<CodePage> => ({
  ...found,
  items: await tagged(db, found.items),
});

/** The same codes with their tags. */
export async function tagged(db: Database, codes: readonly QrCode[]): Promise<readonly QrCode[]> {
  if (codes.length === 0) return codes;
  const rows = await db.query<{ id: Uuid; tags: readonly string[] }>(tagsOfCodes, [
    codes.map(({ id }) => id),
  ]);
  const tags = new Map(rows.map(row => [row.id, row.tags]));
  return codes.map(code => ({ ...code, tags: tags.get(code.id) ?? [] }));
}
