import { AppError } from '../../kernel/errors.ts';
import { parseId, type Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Owner } from '../qr-code.ts';
import { findIdByExternalId, findIdsByExternalIds } from '../store.ts';

const prefix = 'ext:';

/** The external id in a path such as `ext:order-1`; null where the path has an id of ours. */
export const parseExternalId = (id: string): string | null =>
  id.startsWith(prefix) ? id.slice(prefix.length) : null;

/** The code that a path names: by its id, or by `ext:` and its external id. Null where it can be no code of the owner. */
export async function resolveId(on: Database, owner: Owner, id: string): Promise<Uuid | null> {
  const externalId = parseExternalId(id);
  return externalId === null ? parseId('qr', id) : await findIdByExternalId(on, owner, externalId);
}

/** The same for each of a list. */
export async function resolveIds(
  on: Database,
  owner: Owner,
  ids: readonly string[],
): Promise<readonly (Uuid | null)[]> {
  const externalIds = ids.map(parseExternalId);
  const found = await findIdsByExternalIds(
    on,
    owner,
    externalIds.filter(externalId => externalId !== null),
  );
  return ids.map((id, at) => {
    const externalId = externalIds[at]!;
    return externalId === null ? parseId('qr', id) : (found.get(externalId) ?? null);
  });
}

/** The codes that a body lists, as `ids` or as `qr_ids`; null where it has neither. */
export function readIds({
  ids,
  qr_ids: qrIds,
}: {
  readonly ids?: readonly string[] | undefined;
  readonly qr_ids?: readonly string[] | undefined;
}): readonly string[] | null {
  if (ids && qrIds)
    throw new AppError('invalid_request', 'ids and qr_ids are the same. Leave one of them out.', {
      param: 'qr_ids',
    });
  return ids ?? qrIds ?? null;
}
