import type { Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { Database } from '../platform/postgres.ts';
import type { ReportQueue } from '../reports/report.ts';
import type {
  HostReach,
  OperatorAccount,
  OperatorCode,
  Suspension,
  SuspensionState,
} from '../suspensions/suspension.ts';

/** What an operator works with: each is the business of another feature, and put together in roles/. */
export type OperatorDesk = {
  readonly shortBaseUrl: string;
  readonly suspensions: {
    suspendCode(db: Database, code: { readonly id: Uuid }, reason: string): Promise<Suspension>;
    suspendAccount(db: Database, accountId: Uuid, reason: string): Promise<Suspension>;
    release(db: Database, id: Uuid): Promise<Suspension>;
    list(db: Database, page: Page, state: SuspensionState): Promise<Paged<Suspension>>;
    /** Answers an appeal, and keeps the suspension; null where there is none of this id. */
    answer(db: Database, id: Uuid, text: string | null): Promise<Suspension | null>;
  };
  readonly view: {
    findCodes(db: Database, link: string, shortBaseUrl: string): Promise<readonly OperatorCode[]>;
    findCodesById(db: Database, ids: readonly Uuid[]): Promise<readonly OperatorCode[]>;
    findAccount(db: Database, id: Uuid): Promise<OperatorAccount | null>;
    listCodes(db: Database, accountId: Uuid, page: Page): Promise<Paged<OperatorCode>>;
    reachOf(db: Database, host: string): Promise<HostReach>;
  };
  readonly reports: ReportQueue;
  readonly hosts: {
    /** In the form that destinations are compared in; null where it is no host. */
    parse(text: string): string | null;
    /** When it resolves, no redirect sends anybody there. Returns what owners are told. */
    block(host: string, reason: string | null): Promise<string>;
    /** Marks the codes that lead there. It may take long. */
    suspendAll(host: string, reason: string): Promise<unknown>;
    unblock(host: string): Promise<{ readonly was: boolean; readonly released: number }>;
    pageBlockedHosts(page: Page): Promise<Paged<BlockedHostItem>>;
    blockedHost(host: string): Promise<BlockedHostItem | null>;
  };
  readonly lists: { all(db: Database): Promise<readonly ListItem[]> };
  /** Does something after the answer, one at a time; what goes wrong is logged. */
  readonly later: (what: string, work: () => Promise<unknown>) => void;
};

export type BlockedHostItem = {
  readonly host: string;
  readonly reason: string;
  readonly createdAt: Date;
  /** Codes that are suspended because they lead there. */
  readonly suspendedCodes: number;
  /** Others that lead there are not marked as suspended yet. */
  readonly marking: boolean;
};

/** A list of hosts and URLs that was imported. */
export type ListItem = {
  readonly name: string;
  readonly hosts: number;
  readonly urls: number;
  readonly importedAt: Date;
  readonly expiresAt: Date | null;
};
