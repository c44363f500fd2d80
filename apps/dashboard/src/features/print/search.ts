import { maxSheetCodes } from '@signpost/contract/values.ts';

/** What the page may be opened with: codes that were chosen elsewhere, and whether each of their placements gets a label. */
export type PrintSearch = { readonly ids?: readonly string[]; readonly placements?: true };

export function parsePrintSearch({ ids, placements }: Readonly<Record<string, unknown>>): PrintSearch {
  const given = Array.isArray(ids) ? ids.filter(id => typeof id === 'string' && id.startsWith('qr_')) : [];
  return {
    ...(given.length > 0 ? { ids: [...new Set<string>(given)].slice(0, maxSheetCodes) } : {}),
    ...(placements === true ? { placements } : {}),
  };
}
