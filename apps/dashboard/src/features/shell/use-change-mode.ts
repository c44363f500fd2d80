import { useQueryClient } from '@tanstack/react-query';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { currentMode, type Mode, switchMode } from '../../api/mode.ts';
import { mayLeave } from '../../ui/unsaved-work.ts';

/** A code or an endpoint of one mode does not exist in the other, so their pages are left. Operators' pages have both. */
export function useChangeMode(): (mode: Mode) => Promise<void> {
  const navigate = useNavigate();
  const client = useQueryClient();
  const params = useMatches({ select: matches => matches.at(-1)?.params as { id?: string } | undefined });
  const path = useMatches({ select: matches => matches.at(-1)?.pathname ?? '' });
  return async mode => {
    if (mode === currentMode() || !(await mayLeave())) return;
    if (params?.id && !path.includes('/operator/'))
      await navigate({ to: path.includes('/webhooks/') ? '/settings/webhooks' : '/codes' });
    // A request that is tried again would ask about the new mode under the name of the old one.
    await client.cancelQueries({ predicate: ({ queryKey }) => queryKey[0] === currentMode() });
    switchMode(mode);
  };
}
