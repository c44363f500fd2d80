import type { reportKinds } from '@signpost/contract';
import type { Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { Database } from '../platform/postgres.ts';

/** A short link that people have reported: one, however often that was. */
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

/** The words of a stranger: shown as text alone. */
export type ReportMessage = { readonly kind: ReportKind; readonly text: string; readonly at: Date };

/** What a reported link belongs to. */
export type ReportedCode = { readonly qrCodeId: Uuid; readonly accountId: Uuid };

export type ReportKind = (typeof reportKinds)[number];

export type ReportState = 'open' | 'closed';

/** What an operator does with reports. */
export type ReportQueue = {
  /** The last one reported first. */
  list(db: Database, state: ReportState, page: Page): Promise<Paged<Report>>;
  /** The report, closed; null where there is none of this id. One that is closed already stays as it is. */
  close(db: Database, id: Uuid): Promise<Report | null>;
  /** Open reports about codes of this account. */
  countOpenOf(db: Database, accountId: Uuid): Promise<number>;
};
