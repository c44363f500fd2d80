import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { ReportedCode, ReportMessage, ReportQueue } from './report.ts';
import * as store from './store.ts';

/** Accepts reports of short links, and lists them for operators. */
export type Reports = ReportQueue & {
  /** The code of a short link; null if a scanner would find none. */
  find(db: Database, linkKey: string): Promise<ReportedCode | null>;
  /** Adds to the report of this code, and reopens it if it was closed. */
  add(db: Database, code: ReportedCode, message: Pick<ReportMessage, 'kind' | 'text'>): Promise<void>;
  /** Deletes what is older than 180 days, by PostgreSQL's clock. */
  removeOld(db: Database): Promise<number>;
};

export const reportsKeptDays = 180;
/** Of one link: an operator needs no more texts to decide. */
const maxTexts = 100;

type Parts = { readonly ids: Ids; readonly clock: Clock };

export function createReports({ ids, clock }: Parts): Reports {
  return {
    find: store.findCode,
    async add(db, code, { kind, text }) {
      const at = clock.now();
      await db.transaction(async tx => {
        const reportId = await store.countReport(tx, { id: ids.next(), ...code, at });
        await store.addMessage(tx, { id: ids.next(), reportId, kind, text, at });
        await store.deleteOldestMessages(tx, reportId, maxTexts);
      });
    },
    list: store.listReports,
    close: (db, id) => store.closeReport(db, id, clock.now()),
    countOpenForAccount: store.countOpenReports,
    removeOld: db => store.removeOldReports(db, reportsKeptDays),
  };
}
