import type { AccountsQuery, PeopleQuery } from '@signpost/contract';
import type { ListedPlan } from '../accounts/account.ts';
import type { WriteEvent } from '../http/audited.ts';
import type { Person } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { ListedAccount } from '../moderation/suspensions/suspension.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { ListedPerson } from '../users/user.ts';
import type { ScanTotals } from './scan-totals.ts';

/** What the operator's routes for people, accounts, plans and the installation use. roles/ assembles them. */
export type AdminService = {
  readonly people: {
    /** Refuses an id that nobody has. */
    find(db: Database, id: Uuid | null): Promise<ListedPerson>;
    list(
      db: Database,
      filter: Pick<PeopleQuery, 'search' | 'state'>,
      page: Page,
    ): Promise<Paged<ListedPerson>>;
    endSessions(db: Database, id: Uuid | null, exceptSession: Uuid): Promise<number>;
    setOperator(
      db: Database,
      id: Uuid,
      change: { readonly isOperator: boolean; readonly evenUnconfirmed: boolean },
    ): Promise<ListedPerson>;
    /** The link to pass on, or null where it was mailed. */
    resetLink(db: Database, id: Uuid): Promise<string | null>;
  };
  readonly confirmPassword: (person: Person, password: string, headers: Headers) => Promise<void>;
  readonly accounts: {
    list(
      db: Database,
      filter: Pick<AccountsQuery, 'search' | 'state' | 'plan'>,
      page: Page,
    ): Promise<Paged<ListedAccount>>;
    find(db: Database, id: Uuid): Promise<ListedAccount | null>;
    setPlan(id: Uuid, plan: string, writeEvent: WriteEvent): Promise<void>;
  };
  readonly plans: (db: Database) => Promise<readonly ListedPlan[]>;
  readonly defaultPlan: string;
  readonly scanTotals: ScanTotals;
  readonly checkSetup: () => Promise<SetupReport>;
};

/** What the checks of the installation found. */
export type SetupReport = {
  readonly checkedAt: Date;
  readonly findings: readonly {
    readonly check: string;
    readonly state: 'ok' | 'warning' | 'problem';
    readonly found: string;
    readonly next?: string | undefined;
  }[];
};
