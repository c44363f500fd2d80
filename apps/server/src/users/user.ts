import type { Role } from '@signpost/contract';
import type { Uuid } from '../kernel/ids.ts';

/** A person who signs in to the dashboard. */
export type User = {
  readonly id: Uuid;
  readonly email: string;
  readonly name: string;
  /** Whether they have confirmed that the address is theirs. */
  readonly emailVerified: boolean;
  readonly isOperator: boolean;
};

/** A person as an operator meets them. */
export type ListedPerson = User & {
  readonly createdAt: Date;
  /** Where they are signed in at present. */
  readonly sessions: number;
  /** The oldest membership first, a few of them. */
  readonly accounts: readonly { readonly id: Uuid; readonly name: string; readonly role: Role }[];
};

/** A browser in which a user is signed in. */
export type Session = {
  readonly id: Uuid;
  readonly device: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};
