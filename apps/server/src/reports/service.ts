import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import type { ReportedCode, ReportMessage, ReportQueue } from './report.ts';
import * as store from './store.ts';

/** Takes reports of short links, and shows them to operators. */
export type Reports = ReportQueue & {
  /** The code of a short link; null where a scanner would find none. */
  find(db: Database, linkKey: string): Promise<ReportedCode | null>;
  /** Adds to the line of this code, and opens it where it was closed. */
  add(db: Database, code: ReportedCode, message: Pick<ReportMessage, 'kind' | 'text'>): Promise<void>;
  /** Forgets what is older than 180 days, by the clock of PostgreSQL. */
  removeOld(db: Database): Promise<number>;
};

export const reportsKeptDays = 180;
/** Of one link. However many texts come, an operator needs no more than these to judge. */
export const textsKept = 100;

type Parts = { readonly ids: Ids; readonly clock: Clock };

export function createReports({ ids, clock }: Parts): Reports {
  return {
    find: store.findCode,
    async add(db, code, { kind, text }) {
      const at = clock.now();
      await db.transaction(async tx => {
        const reportId = await store.countReport(tx, { id: ids.next(), ...code, at });
        await store.addMessage(tx, { id: ids.next(), reportId, kind, text, at });
        await store.dropOldestMessages(tx, reportId, textsKept);
      });
    },
    list: store.listReports,
    close: (db, id) => store.closeReport(db, id, clock.now()),
    countOpenOf: store.countOpenReports,
    removeOld: db => store.removeOldReports(db, reportsKeptDays),
  };
}
