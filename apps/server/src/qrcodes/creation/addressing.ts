import { parseId, type Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Owner } from '../qr-code.ts';
import { findIdByExternalId } from '../store.ts';

const prefix = 'ext:';

/** The external id in a path such as `ext:order-1`; null where the path has an id of ours. */
export const parseExternalId = (id: string): string | null =>
  id.startsWith(prefix) ? id.slice(prefix.length) : null;

/** The code that a path names: by its id, or by `ext:` and its external id. Null where it can be no code of the owner. */
export async function resolveId(on: Database, owner: Owner, id: string): Promise<Uuid | null> {
  const externalId = parseExternalId(id);
  return externalId === null ? parseId('qr', id) : await findIdByExternalId(on, owner, externalId);
}
