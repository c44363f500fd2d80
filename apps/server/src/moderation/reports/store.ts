import type { Uuid } from '../../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Report, ReportedCode, ReportKind, ReportMessage, ReportState } from './report.ts';

/** Only codes that a scanner can find. To the public, a draft does not exist. */
const findReportedCode = sql(
  'find-reported-code',
  `select id as "qrCodeId", account_id as "accountId" from qr_codes
    where link_key = $1 and status in ('active', 'paused')`,
);

export async function findCode(db: Database, linkKey: string): Promise<ReportedCode | null> {
  const [code] = await db.query<ReportedCode>(findReportedCode, [linkKey]);
  return code ?? null;
}

const countReported = sql(
  'count-report',
  `insert into reports (id, qr_code_id, account_id, count, first_at, last_at) values ($1, $2, $3, 1, $4, $4)
   on conflict (qr_code_id) do update
      set count = reports.count + 1, last_at = greatest(reports.last_at, excluded.last_at), closed_at = null
   returning id`,
);

/** Counts a report of this code. Its row is locked until the end of the transaction. */
export async function countReport(
  db: Database,
  { id, qrCodeId, accountId, at }: ReportedCode & { readonly id: Uuid; readonly at: Date },
): Promise<Uuid> {
  const [row] = await db.query<{ id: Uuid }>(countReported, [id, qrCodeId, accountId, at]);
  return row!.id;
}

const insertMessage = sql(
  'add-report-message',
  'insert into report_messages (id, report_id, kind, text, at) values ($1, $2, $3, $4, $5)',
);

type NewMessage = {
  readonly id: Uuid;
  readonly reportId: Uuid;
  readonly kind: ReportKind;
  readonly text: string;
  readonly at: Date;
};

export async function addMessage(db: Database, { id, reportId, kind, text, at }: NewMessage): Promise<void> {
  await db.query(insertMessage, [id, reportId, kind, text, at]);
}

const trimMessages = sql(
  'trim-report-messages',
  `delete from report_messages where id in (
     select id from report_messages where report_id = $1 order by at desc, id desc offset $2
   )`,
);

export async function deleteOldestMessages(db: Database, reportId: Uuid, maxMessages: number): Promise<void> {
  await db.query(trimMessages, [reportId, maxMessages]);
}

type ReportRow = {
  id: Uuid;
  qr_code_id: Uuid;
  account_id: Uuid;
  count: number;
  first_at: Date;
  last_at: Date;
  closed_at: Date | null;
  messages: readonly { kind: ReportKind; text: string; at: string }[];
};

const maxShownMessages = 20;

const columns = `r.*, coalesce((
     select json_agg(json_build_object('kind', m.kind, 'text', m.text, 'at', m.at) order by m.at desc, m.id desc)
       from (select * from report_messages where report_id = r.id order by at desc, id desc limit ${maxShownMessages}) m
   ), '[]') as messages`;

const writeListStatements = (state: ReportState) => {
  const isState = `closed_at is ${state === 'open' ? 'null' : 'not null'}`;
  return {
    page: sql(
      `list-${state}-reports`,
      `select ${columns} from (
         select * from reports where ${isState} order by last_at desc, id desc offset $1 limit $2
       ) r order by r.last_at desc, r.id desc`,
    ),
    total: sql(`count-${state}-reports`, `select count(*) as total from reports where ${isState}`),
  };
};

const lists = { open: writeListStatements('open'), closed: writeListStatements('closed') };

export async function listReports(db: Database, state: ReportState, page: Page): Promise<Paged<Report>> {
  const rows = await db.query<ReportRow>(lists[state].page, [toOffset(page), page.limit]);
  const [counted] = await db.query<{ total: number }>(lists[state].total);
  return { items: rows.map(toReport), page, total: counted!.total };
}

const closeOne = sql(
  'close-report',
  `with r as (update reports set closed_at = coalesce(closed_at, $2) where id = $1 returning *)
   select ${columns} from r`,
);

export async function closeReport(db: Database, id: Uuid, at: Date): Promise<Report | null> {
  const [row] = await db.query<ReportRow>(closeOne, [id, at]);
  return row ? toReport(row) : null;
}

const countOpen = sql(
  'count-open-reports-of-account',
  'select count(*) as total from reports where account_id = $1 and closed_at is null',
);

export async function countOpenReports(db: Database, accountId: Uuid): Promise<number> {
  const [counted] = await db.query<{ total: number }>(countOpen, [accountId]);
  return counted!.total;
}

const removeMessages = sql(
  'remove-old-report-messages',
  `delete from report_messages where at < now() - $1 * interval '1 day'`,
);

const removeReports = sql(
  'remove-old-reports',
  `delete from reports where last_at < now() - $1 * interval '1 day' returning 1`,
);

/** At most 500 arrive a day, so no batches are needed. */
export async function removeOldReports(db: Database, days: number): Promise<number> {
  await db.query(removeMessages, [days]);
  return (await db.query(removeReports, [days])).length;
}

const toReport = (row: ReportRow): Report => ({
  id: row.id,
  qrCodeId: row.qr_code_id,
  accountId: row.account_id,
  count: row.count,
  firstAt: row.first_at,
  lastAt: row.last_at,
  closedAt: row.closed_at,
  messages: row.messages.map(
    (message): ReportMessage => ({ kind: message.kind, text: message.text, at: new Date(message.at) }),
  ),
});
