import type { Plan } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';

/** An account that a platform manages by an operator key. */
export type Tenant = {
  readonly id: Uuid;
  readonly name: string;
  readonly externalId: string | null;
  readonly plan: Plan;
  /** Null: no limit. */
  readonly memberLimit: number | null;
  readonly codesUsed: number;
  /** With pending invitations. */
  readonly members: number;
  readonly suspension: {
    readonly reason: string;
    readonly since: Date;
    /** Whether it was suspended by a key of the platform, and not by the operator of the service. */
    readonly byPlatform: boolean;
  } | null;
  readonly createdAt: Date;
};
