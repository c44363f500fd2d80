import { randomBytes } from 'node:crypto';
import { type Role, rolePermissions } from '@signpost/contract';
import type { Uuid } from '../../kernel/ids.ts';

/** A link with which the person who has this address joins an account. */
export type Invitation = {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly accountName: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** Null: the operator of the service, by a key. */
  readonly invitedBy: Uuid | null;
  readonly inviterEmail: string | null;
  /** What the person who invited is in the account now; null if they have left it. */
  readonly inviterRole: Role | null;
  /** Sent to the address, so that its token proves that the person can read mail there. */
  readonly mailed: boolean;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly expired: boolean;
};

export const lifetimeMs = 7 * 24 * 60 * 60_000;

/** 160 bits, as text for a link. */
export const createToken = (): string => randomBytes(20).toString('base64url');

/** Whether a person with this role may invite somebody to be this. Asked again when the invitation is accepted. */
export const mayInvite = (own: Role | null, role: Role): boolean =>
  own !== null && rolePermissions[own].has('account:manage') && (role !== 'owner' || own === 'owner');

/** Whether the one who invited could do so now. */
export const isValidOffer = ({
  invitedBy,
  inviterRole,
  role,
}: Pick<Invitation, 'invitedBy' | 'inviterRole' | 'role'>): boolean =>
  invitedBy === null || mayInvite(inviterRole, role);

/** `ada@example.com` → `a•••@example.com`: enough for the person to recognise it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}•••${email.slice(at)}`;
}
