import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { LinkName } from '../kernel/link-key.ts';
import type { Database } from '../platform/postgres.ts';

/** Who stopped it: the operator by hand, a host that is blocked, or an imported list. */
export type SuspensionCause = 'operator' | 'host' | 'list';

export type Appeal = {
  readonly text: string;
  readonly at: Date;
  /** The operator has read it, and it stays suspended. The text may be empty. */
  readonly answer: { readonly text: string; readonly at: Date } | null;
};

/** What the owner of a code that leads to a blocked host is told, in the operator's words where there are any. */
export const toldOfHost = (host: string, reason: string | null): string =>
  reason || `It leads to ${host}, which is blocked on this service.`;

/** Something that was stopped for safety: a code, or an account with all its codes. */
export type Suspension = {
  readonly id: Uuid;
  readonly account: AccountItem;
  /** Null: the whole account. */
  readonly code: SuspendedName | null;
  readonly cause: SuspensionCause;
  /** The host that is blocked, or the name of the list; else empty. */
  readonly source: string;
  /** What the owner is told. */
  readonly reason: string;
  /** Where the code led when it was stopped. */
  readonly url: string | null;
  readonly suspendedAt: Date;
  readonly releasedAt: Date | null;
  /** When the code was deleted, or the account closed. What is known of it stays for 90 days. */
  readonly deletedAt: Date | null;
  readonly appeal: Appeal | null;
};

/** A deleted code has no name any more, and leads nowhere. */
export type SuspendedName = LinkName & {
  readonly id: Uuid;
  readonly name: string;
  readonly destinationUrl: string;
};

/** What its owner is told. */
export type OwnSuspension = Pick<Suspension, 'reason' | 'suspendedAt' | 'appeal'>;

export const suspensionStates = ['open', 'appealed', 'released'] as const;

/** open: in force; appealed: those of them with an appeal that nobody has answered; released: no longer in force, or of what was deleted. */
export type SuspensionState = (typeof suspensionStates)[number];

/** An account as an operator meets it in a list. */
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

/** A code of anybody, as an operator sees it. */
export type OperatorCode = LinkName & {
  readonly id: Uuid;
  readonly name: string;
  readonly mode: Mode;
  /** Empty where the code was deleted. */
  readonly destinationUrl: string;
  readonly status: 'active' | 'paused' | 'draft' | 'deleted';
  readonly madeBy: 'api' | 'dashboard';
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly totalScans: number;
  /** The code itself; its account may be as well. */
  readonly suspended: boolean;
  readonly account: AccountItem;
};

/** An account with what an operator has to know before anything is done about it. */
export type OperatorAccount = {
  readonly account: AccountItem;
  readonly suspension: Suspension | null;
  readonly people: readonly {
    readonly name: string;
    readonly email: string;
    readonly emailVerified: boolean;
    readonly createdAt: Date;
  }[];
  readonly liveCodes: number;
  readonly testCodes: number;
  readonly suspendedCodes: number;
};

/** How much is behind a host and its subdomains, counted no further than there is a bound. */
export type HostReach = { readonly codes: number; readonly accounts: number };

type Announced = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly reason: string;
};

/** A code that has just been suspended. */
export type SuspendedCode = Announced & { readonly suspendedAt: Date };
/** A code that nothing stops any more, with what it was stopped for. */
export type ReleasedCode = Announced & { readonly releasedAt: Date };

/** An account that has just been suspended or released, with what it is or was stopped for. */
export type AnnouncedAccount = { readonly accountId: Uuid; readonly reason: string; readonly at: Date };

/** Writes down, in the transaction that suspends or releases something, what its owners are to be told. */
export type SuspensionAnnouncer = {
  suspended(tx: Database, codes: readonly SuspendedCode[]): Promise<void>;
  released(tx: Database, codes: readonly ReleasedCode[]): Promise<void>;
  accountSuspended(tx: Database, account: AnnouncedAccount): Promise<void>;
  accountReleased(tx: Database, account: AnnouncedAccount): Promise<void>;
};
