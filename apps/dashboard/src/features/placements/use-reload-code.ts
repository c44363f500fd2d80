import type { Placement } from '@signpost/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { subjectKey } from '../analytics/queries.ts';
import { codeQuery } from '../codes/queries.ts';

/** Reads a code and its figures again after a change of its placements. One that was added is known at once. */
export function useReloadCode(id: string): (added?: Placement) => Promise<void> {
  const mode = useMode();
  const client = useQueryClient();
  return async added => {
    const { queryKey } = codeQuery(mode, id);
    if (added)
      client.setQueryData(queryKey, code => code && { ...code, placements: [...code.placements, added] });
    // This also drops an answer from before the addition that is still under way.
    await client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: subjectKey({ mode, id }) });
  };
}
