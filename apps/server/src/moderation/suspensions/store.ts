import type { Uuid } from '../../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import type { Database, Statement } from '../../platform/postgres/postgres.ts';
import { type CodeTargets, findTargets, noTargets } from '../targets.ts';
import { type AccountRow, toAccountItem } from './rows.ts';
import * as statements from './statements.ts';
import type { Appeal, OwnSuspension, Suspension, SuspensionState } from './suspension.ts';

export async function findSuspension(db: Database, id: Uuid): Promise<Suspension | null> {
  const [found] = await read(db, statements.findSuspension, [id]);
  return found ?? null;
}

export async function findOpenOfAccount(db: Database, accountId: Uuid): Promise<Suspension | null> {
  const [found] = await read(db, statements.findOpenOfAccount, [accountId]);
  return found ?? null;
}

/** The suspension of a code that the operator made by hand. */
export async function findOpenByOperator(db: Database, qrCodeId: Uuid): Promise<Suspension | null> {
  const [found] = await read(db, statements.findOpenByOperator, [qrCodeId]);
  return found ?? null;
}

/** Newest first, including those no longer in force. */
export function findOfCode(db: Database, qrCodeId: Uuid): Promise<readonly Suspension[]> {
  return read(db, statements.findOfCode, [qrCodeId]);
}

const lists = {
  open: [statements.listOpen, statements.countOpen],
  appealed: [statements.listAppealed, statements.countAppealed],
  released: [statements.listReleased, statements.countReleased],
} as const;

/** Newest first. */
export async function listSuspensions(
  db: Database,
  page: Page,
  state: SuspensionState,
): Promise<Paged<Suspension>> {
  const [select, count] = lists[state];
  const items = await read(db, select, [toOffset(page), page.limit]);
  const [counted] = await db.query<{ total: number }>(count);
  return { items, page, total: counted?.total ?? 0 };
}

/** Targets that a list shows of each code. */
const maxListedTargets = 20;

async function read(db: Database, statement: Statement, values: readonly unknown[]): Promise<Suspension[]> {
  const rows = await db.query<SuspensionRow>(statement, values);
  const ids = rows.flatMap(row => row.qr_code_id ?? []);
  const targets = await findTargets(db, ids, { limit: maxListedTargets });
  return rows.map(row => toSuspension(row, targets));
}

type OwnRow = {
  reason: string;
  suspended_at: Date;
  appeal: string | null;
  appealed_at: Date | null;
  answer: string | null;
  answered_at: Date | null;
};

const toOwn = (row: OwnRow): OwnSuspension => ({
  reason: row.reason,
  suspendedAt: row.suspended_at,
  appeal: toAppeal(row),
});

function toAppeal({ appeal, appealed_at: at, answer, answered_at: answeredAt }: OwnRow): Appeal | null {
  if (appeal === null || at === null) return null;
  return { text: appeal, at, answer: answeredAt && { text: answer ?? '', at: answeredAt } };
}

export async function findOwnOfCode(db: Database, qrCodeId: Uuid): Promise<OwnSuspension | null> {
  const [row] = await db.query<OwnRow>(statements.ownOfCode, [qrCodeId]);
  return row ? toOwn(row) : null;
}

export async function findOwnOfAccount(db: Database, accountId: Uuid): Promise<OwnSuspension | null> {
  const [row] = await db.query<OwnRow>(statements.ownOfAccount, [accountId]);
  return row ? toOwn(row) : null;
}

type SuspensionRow = AccountRow &
  OwnRow & {
    id: Uuid;
    qr_code_id: Uuid | null;
    cause: Suspension['cause'];
    source: string;
    url: string | null;
    released_at: Date | null;
    deleted_at: Date | null;
    code_name: string;
    leads_to: string;
    key_space: string;
    short_code: string;
    domain: string | null;
  };

const toSuspension = (row: SuspensionRow, targets: ReadonlyMap<Uuid, CodeTargets>): Suspension => ({
  ...toOwn(row),
  id: row.id,
  account: toAccountItem(row),
  code:
    row.qr_code_id === null
      ? null
      : {
          id: row.qr_code_id,
          name: row.code_name,
          keySpace: row.key_space,
          shortCode: row.short_code,
          domain: row.domain,
          destinationUrl: row.leads_to,
          targets: targets.get(row.qr_code_id) ?? noTargets,
        },
  cause: row.cause,
  source: row.source,
  url: row.url,
  releasedAt: row.released_at,
  deletedAt: row.deleted_at,
});
