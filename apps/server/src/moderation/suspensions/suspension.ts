import type { Role, suspensionStates } from '@signpost/contract';
import type { LinkName } from '../../kernel/addresses/link-key.ts';
import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CodeTargets } from '../targets.ts';

/** What caused it: the operator by hand, a blocked host, or an imported list. */
type SuspensionCause = 'operator' | 'host' | 'list';

export type Appeal = {
  readonly text: string;
  readonly at: Date;
  /** The operator has read the appeal and kept the suspension. The text may be empty. */
  readonly answer: { readonly text: string; readonly at: Date } | null;
};

/** The reason that the owner of a code sees: the operator's, or a default. */
export const blockedHostReason = (host: string, reason: string | null): string =>
  reason || `It leads to ${host}, which is blocked on this service.`;

/** A code, or an account with all its codes, that was stopped for safety. */
export type Suspension = {
  readonly id: Uuid;
  readonly account: AccountItem;
  /** Null: the whole account. */
  readonly code: SuspendedName | null;
  readonly cause: SuspensionCause;
  /** The blocked host, or the name of the list; otherwise empty. */
  readonly source: string;
  /** What the owner sees. */
  readonly reason: string;
  /** Where the code led when it was stopped: the URL on the blocked host or the list, or otherwise its destination. */
  readonly url: string | null;
  readonly suspendedAt: Date;
  readonly releasedAt: Date | null;
  /** When the code was deleted or the account closed. The evidence is kept for 90 days. */
  readonly deletedAt: Date | null;
  readonly appeal: Appeal | null;
};

/** The name and destination of a deleted code are empty, and its targets are those of the evidence. */
type SuspendedName = LinkName & {
  readonly id: Uuid;
  readonly name: string;
  readonly destinationUrl: string;
  readonly targets: CodeTargets;
};

/** What its owner sees. */
export type OwnSuspension = Pick<Suspension, 'reason' | 'suspendedAt' | 'appeal'>;

/** open: in force; appealed: open with an unanswered appeal; released: no longer in force, or of a deleted code or account. */
export type SuspensionState = (typeof suspensionStates)[number];

/** An account as an operator sees it in a list. */
export type AccountItem = {
  readonly id: Uuid;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
  readonly suspended: boolean;
  /** Its links wait for a confirmed e-mail address. */
  readonly held: boolean;
};

/** A code of any account, as an operator sees it. */
export type OperatorCode = LinkName & {
  readonly id: Uuid;
  readonly name: string;
  readonly mode: Mode;
  /** Empty if the code was deleted. */
  readonly destinationUrl: string;
  /** Of a deleted code, those of the evidence. */
  readonly targets: CodeTargets;
  readonly status: 'active' | 'paused' | 'draft' | 'deleted';
  readonly madeBy: 'api' | 'dashboard';
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly totalScans: number;
  /** The code itself; its account may be suspended as well. */
  readonly suspended: boolean;
  readonly account: AccountItem;
};

/** An account with what an operator should know before they act. */
export type OperatorAccount = {
  readonly account: AccountItem;
  readonly suspension: Suspension | null;
  readonly people: readonly {
    readonly name: string;
    readonly email: string;
    readonly emailVerified: boolean;
    readonly createdAt: Date;
    readonly role: Role;
  }[];
  readonly liveCodes: number;
  readonly testCodes: number;
  readonly suspendedCodes: number;
  /** Limits that the operator has set in place of the plan's; null: the plan's. */
  readonly ownLimits: {
    readonly requestsPerMinute: number | null;
    readonly codes: number | null;
    readonly creationsPerMinute: number | null;
  };
};

/** How much leads to a host or its subdomains, counted up to a bound: codes, domains by themselves, and whose they are. */
export type HostReach = { readonly codes: number; readonly domains: number; readonly accounts: number };

/** A domain for operators, with what it leads to by itself, or led to until that was blocked. */
export type OperatorDomain = {
  readonly host: string;
  readonly status: 'active' | 'released';
  readonly account: AccountItem;
  readonly targets: readonly {
    readonly kind: 'root' | 'not_found';
    readonly url: string;
    readonly clearedAt: Date | null;
  }[];
};

type CodeChange = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly reason: string;
};

/** A code that has just been suspended. */
export type SuspendedCode = CodeChange & { readonly suspendedAt: Date };
/** A code whose last suspension was released, with its reason. */
export type ReleasedCode = CodeChange & { readonly releasedAt: Date };

/** An account that has just been suspended or released, with the reason. */
export type AccountChange = { readonly accountId: Uuid; readonly reason: string; readonly at: Date };

/** Records the events for owners in the transaction that suspends or releases. */
export type SuspensionPublisher = {
  suspended(tx: Database, codes: readonly SuspendedCode[]): Promise<void>;
  released(tx: Database, codes: readonly ReleasedCode[]): Promise<void>;
  accountSuspended(tx: Database, account: AccountChange): Promise<void>;
  accountReleased(tx: Database, account: AccountChange): Promise<void>;
};

/** An account in the operator's list. */
export type ListedAccount = {
  readonly account: AccountItem;
  /** Its oldest people. */
  readonly people: readonly { readonly email: string; readonly role: Role }[];
  readonly peopleCount: number;
  /** Live codes that count against the quota. */
  readonly codesUsed: number;
  /** All of them, also those that count against no quota. */
  readonly liveCodes: number;
  readonly codeQuota: number | null;
  readonly testCodes: number;
};
