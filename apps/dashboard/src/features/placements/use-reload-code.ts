import { useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { subjectKey } from '../analytics/queries.ts';
import { codeQuery } from '../codes/queries.ts';

/** Reads a code and its figures again after a change of its placements. */
export function useReloadCode(id: string): () => Promise<void> {
  const mode = useMode();
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: codeQuery(mode, id).queryKey });
    await client.invalidateQueries({ queryKey: subjectKey({ mode, id }) });
  };
}
