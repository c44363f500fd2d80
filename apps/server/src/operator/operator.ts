import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { ReportQueue } from '../moderation/reports/report.ts';
import type {
  HostReach,
  OperatorAccount,
  OperatorCode,
  OperatorDomain,
  Suspension,
  SuspensionState,
} from '../moderation/suspensions/suspension.ts';
import type { Database } from '../platform/postgres/postgres.ts';

/** What the operator's routes use. Each part belongs to another feature; roles/ assembles them. */
export type OperatorService = {
  readonly linkNames: LinkNames;
  readonly suspensions: {
    suspendCode(db: Database, code: { readonly id: Uuid }, reason: string): Promise<Suspension>;
    suspendAccount(db: Database, accountId: Uuid, reason: string): Promise<Suspension>;
    release(db: Database, id: Uuid): Promise<Suspension>;
    list(db: Database, page: Page, state: SuspensionState): Promise<Paged<Suspension>>;
    /** Answers an appeal and keeps the suspension; null if there is none with this id. */
    answer(db: Database, id: Uuid, text: string | null): Promise<Suspension | null>;
  };
  readonly view: {
    findCodes(db: Database, link: string, linkNames: LinkNames): Promise<readonly OperatorCode[]>;
    findDomains(db: Database, link: string, linkNames: LinkNames): Promise<readonly OperatorDomain[]>;
    findCodesById(db: Database, ids: readonly Uuid[]): Promise<readonly OperatorCode[]>;
    findAccount(db: Database, id: Uuid): Promise<OperatorAccount | null>;
    listCodes(db: Database, accountId: Uuid, page: Page): Promise<Paged<OperatorCode>>;
    measureReach(db: Database, host: string): Promise<HostReach>;
  };
  readonly reports: ReportQueue;
  readonly hosts: {
    /** In the form in which destinations are compared; null if it is not a host. */
    parse(text: string): string | null;
    /** When it resolves, no redirect leads there. Returns the reason that owners see. */
    block(host: string, reason: string | null): Promise<string>;
    /** Marks the codes that lead there, which may take long. */
    suspendAll(host: string, reason: string): Promise<unknown>;
    unblock(host: string): Promise<{ readonly wasBlocked: boolean; readonly released: number }>;
    pageBlockedHosts(page: Page): Promise<Paged<BlockedHostItem>>;
    blockedHost(host: string): Promise<BlockedHostItem | null>;
  };
  readonly lists: { all(db: Database): Promise<readonly ListItem[]> };
  /** Runs work after the response, one at a time. Errors are logged under this message. */
  readonly runInBackground: (failureMessage: string, work: () => Promise<unknown>) => void;
};

export type BlockedHostItem = {
  readonly host: string;
  readonly reason: string;
  readonly createdAt: Date;
  /** Codes that are suspended because they lead there. */
  readonly suspendedCodes: number;
  /** More codes that lead there are still to be marked as suspended. */
  readonly marking: boolean;
};

export type ListItem = {
  readonly name: string;
  readonly hosts: number;
  readonly urls: number;
  readonly importedAt: Date;
  readonly expiresAt: Date | null;
};
