import type { Uuid } from '../kernel/ids.ts';

/** A person who signs in to the dashboard. */
export type User = {
  readonly id: Uuid;
  readonly email: string;
  readonly name: string;
  /** Whether they have shown that the address is theirs. */
  readonly emailVerified: boolean;
  readonly isOperator: boolean;
};

/** Where a user is signed in. */
export type Session = {
  readonly id: Uuid;
  readonly device: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};
