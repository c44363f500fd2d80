import { call } from '../../api/operations.ts';
import type { CodesFilters } from '../codes/codes-search.ts';
import { mostSelected, nothingSelected, type Selection, withCodes } from './selection.ts';

const codesPerCall = 100;

/** Reads every code that matches, up to the limit of a selection. Codes that come and go meanwhile shift nothing. */
export async function selectAll(
  filters: CodesFilters,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Selection> {
  let selection = nothingSelected;
  let after: string | undefined;
  while (selection.size < mostSelected) {
    const { tag, ...rest } = filters;
    const { data, pagination } = await call(
      'listQrCodes',
      {
        query: {
          ...rest,
          ...(tag ? { tag: [...tag] } : {}),
          limit: codesPerCall,
          include: 'tags',
          ...(after === undefined ? {} : { starting_after: after }),
        },
      },
      signal,
    );
    selection = withCodes(
      selection,
      data.map(({ tags = [], ...code }) => ({ ...code, tags })),
      true,
    );
    onProgress(selection.size);
    after = data.at(-1)?.id;
    if (!pagination.has_more) break;
  }
  return selection;
}
