import type { RolePermission } from '@signpost/contract';
import { shellText } from '../../strings/shell.ts';
import type { Account } from './me.ts';

const words = shellText.refusal;

const reasons: Readonly<Partial<Record<RolePermission, string>>> = {
  'qrcodes:write': words.codes,
  'qrcodes:delete': words.deletion,
  'designs:write': words.designs,
  'webhooks:read': words.webhooks,
  'webhooks:write': words.webhooks,
  'account:manage': words.manage,
  'account:own': words.own,
};

/** Why the role of a person does not allow something, and whom to ask; undefined where it does. */
export function roleRefusal(
  { role, permissions }: Pick<Account, 'role' | 'permissions'>,
  needs: RolePermission,
): string | undefined {
  if (permissions.includes(needs)) return undefined;
  if (needs === 'qrcodes:delete' && role === 'editor') return words.editorDeletion;
  return reasons[needs] ?? words.other;
}
