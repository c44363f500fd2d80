import type { RolePermission } from '@signpost/contract';
import { shellText } from '../../strings/shell.ts';
import { useAccount } from './me.ts';
import { roleRefusal } from './role-refusal.ts';

/** Why somebody cannot make or change something at present, in a sentence; undefined where they can. */
export function useRefusal(needs: RolePermission): string | undefined {
  const refused = useRoleRefusal(needs);
  const { suspension } = useAccount();
  return refused ?? (suspension ? shellText.suspended : undefined);
}

/** The same for what a suspended account may still do: whether the role allows it. */
export function useRoleRefusal(needs: RolePermission): string | undefined {
  return roleRefusal(useAccount(), needs);
}
