import type { Mode } from '../kernel/caller.ts';
import { type Uuid, zeroId } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import type { ClickHouse, Table } from '../platform/clickhouse.ts';
import type { Database } from '../platform/postgres.ts';
import * as statements from './statements.ts';
import type { Owner } from './store.ts';
import type { AttemptError, Delivery, DeliveryStatus, EventKind, LoggedAttempt } from './webhook.ts';

/** An attempt as it is stored: first in PostgreSQL, then for thirty days in ClickHouse. Times are seconds with three decimals. */
export type AttemptRow = {
  readonly account_id: Uuid;
  readonly endpoint_id: Uuid;
  readonly created_at: string;
  readonly message_id: Uuid;
  readonly at: string;
  readonly id: Uuid;
  readonly mode: Mode;
  readonly qr_code_id: Uuid;
  readonly attempt: number;
  readonly duration_ms: number;
  readonly response_status: number;
  readonly error: string;
  readonly response: string;
  readonly status: DeliveryStatus;
  readonly body: string;
  readonly event: EventKind;
};

export const noCode = zeroId;

const columns = [
  'account_id',
  'endpoint_id',
  'created_at',
  'message_id',
  'at',
  'id',
  'mode',
  'qr_code_id',
  'attempt',
  'duration_ms',
  'response_status',
  'error',
  'response',
  'status',
  'body',
  'event',
] as const satisfies readonly (keyof AttemptRow)[];

export const attemptsTable: Table = { table: 'webhook_attempts', columns };

export const toColumns = (row: AttemptRow) => columns.map(column => row[column]);

/** A row that was inserted twice has the same id. */
const deduplicated = `select * from webhook_attempts
  where account_id = {account: UUID} and mode = {mode: String} and %s limit 1 by id`;

const asDelivery = `select message_id, any(endpoint_id) as endpoint, any(qr_code_id) as code,
    toUnixTimestamp64Milli(any(created_at)) as created, toUInt32(count()) as attempts,
    toUnixTimestamp64Milli(max(at)) as last, argMax(status, (at, attempt)) as state,
    argMax(response_status, (at, attempt)) as answer, argMax(error, (at, attempt)) as fault, any(body) as text, any(event) as kind`;

type DeliveryRow = {
  message_id: Uuid;
  endpoint: Uuid;
  code: Uuid;
  created: number;
  attempts: number;
  last: number;
  state: DeliveryStatus;
  answer: number;
  fault: string;
  text: string;
  kind: EventKind;
};

/** Deliveries of an endpoint according to the log, newest event first. */
export async function listLogged(
  clickhouse: Pick<ClickHouse, 'query'>,
  owner: Owner,
  endpointId: Uuid,
  status: DeliveryStatus | null,
  page: Page,
): Promise<Paged<Delivery>> {
  const params = {
    account: owner.accountId,
    mode: owner.mode,
    endpoint: endpointId,
    status: status ?? '',
    offset: offsetOf(page),
    limit: page.limit,
  };
  const grouped = `${asDelivery} from (${deduplicated.replace('%s', 'endpoint_id = {endpoint: UUID}')})
    group by message_id ${status === null ? '' : 'having state = {status: String}'}`;
  const [rows, [count]] = await Promise.all([
    clickhouse.query<DeliveryRow>(
      `${grouped} order by created desc, message_id desc limit {limit: UInt32} offset {offset: UInt64}`,
      params,
    ),
    clickhouse.query<{ total: number }>(`select count() as total from (${grouped})`, params),
  ]);
  return { items: rows.map(row => toDelivery(row, owner)), page, total: count?.total ?? 0 };
}

/** All attempts of a message, oldest first, in ClickHouse or still in PostgreSQL. */
export async function findAttempts(
  db: Database,
  clickhouse: Pick<ClickHouse, 'query'>,
  owner: Owner,
  id: Uuid,
): Promise<AttemptRow[]> {
  // PostgreSQL first: an attempt that is moved meanwhile is found twice, not missed.
  const fresh = await findFresh(db, id);
  const moved = await clickhouse.query<AttemptRow>(
    `select * replace (toString(toUnixTimestamp64Milli(at) / 1000) as at,
                       toString(toUnixTimestamp64Milli(created_at) / 1000) as created_at)
       from (${deduplicated.replace('%s', 'message_id = {message: UUID}')})`,
    { account: owner.accountId, mode: owner.mode, message: id },
  );
  const byId = new Map([...moved, ...fresh].map(row => [row.id, row]));
  return [...byId.values()].sort((a, b) => Number(a.at) - Number(b.at) || a.attempt - b.attempt);
}

async function findFresh(db: Database, id: Uuid): Promise<AttemptRow[]> {
  return (await db.query<{ attempt: AttemptRow }>(statements.findAttempts, [id])).map(row => row.attempt);
}

/** The delivery after its last attempt. */
export function deliveryOf(rows: readonly AttemptRow[], owner: Owner): Delivery | null {
  const last = rows.at(-1);
  if (!last) return null;
  return {
    ...owner,
    id: last.message_id,
    endpointId: last.endpoint_id,
    qrCodeId: last.qr_code_id === noCode ? null : last.qr_code_id,
    event: last.event,
    body: last.body,
    createdAt: dateOf(last.created_at),
    status: last.status,
    attempts: rows.length,
    responseStatus: last.response_status || null,
    error: (last.error || null) as AttemptError | null,
    lastAt: dateOf(last.at),
    nextAt: null,
    waitingFor: null,
  };
}

export const toLogged = (row: AttemptRow): LoggedAttempt => ({
  id: row.id,
  at: dateOf(row.at),
  durationMs: row.duration_ms,
  responseStatus: row.response_status || null,
  error: (row.error || null) as AttemptError | null,
  response: row.response,
});

const dateOf = (seconds: string) => new Date(Math.round(Number(seconds) * 1000));

const toDelivery = (row: DeliveryRow, { accountId, mode }: Owner): Delivery => ({
  id: row.message_id,
  endpointId: row.endpoint,
  accountId,
  mode,
  qrCodeId: row.code === noCode ? null : row.code,
  event: row.kind,
  body: row.text,
  createdAt: new Date(row.created),
  status: row.state,
  attempts: row.attempts,
  responseStatus: row.answer || null,
  error: (row.fault || null) as AttemptError | null,
  lastAt: new Date(row.last),
  nextAt: null,
  waitingFor: null,
});
