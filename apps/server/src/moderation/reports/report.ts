import type { reportKinds } from '@signpost/contract';
import type { Uuid } from '../../kernel/ids.ts';
import type { Page, Paged } from '../../kernel/page.ts';
import type { Database } from '../../platform/postgres/postgres.ts';

/** The reports of one short link: one record, however often it was reported. */
export type Report = {
  readonly id: Uuid;
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  /** How often it was reported. */
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly closedAt: Date | null;
  /** Newest first, at most 20. */
  readonly messages: readonly ReportMessage[];
};

/** Text of an unknown person: always shown as plain text. */
export type ReportMessage = { readonly kind: ReportKind; readonly text: string; readonly at: Date };

/** The code and account of a reported link. */
export type ReportedCode = { readonly qrCodeId: Uuid; readonly accountId: Uuid };

export type ReportKind = (typeof reportKinds)[number];

export type ReportState = 'open' | 'closed';

/** What an operator can do with reports. */
export type ReportQueue = {
  /** The most recently reported first. */
  list(db: Database, state: ReportState, page: Page): Promise<Paged<Report>>;
  /** Returns the closed report; null if there is none with this id. A report that is already closed stays unchanged. */
  close(db: Database, id: Uuid): Promise<Report | null>;
  /** Open reports about codes of this account. */
  countOpenForAccount(db: Database, accountId: Uuid): Promise<number>;
};
