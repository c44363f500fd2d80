import type { Mode } from '../../kernel/caller.ts';
import { type Uuid, zeroId } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Month } from '../stores/month.ts';
import type { MonthSum, SumKind } from '../stores/month-storage.ts';

/** Removes what an interrupted run has written of a month. */
export async function clearSums(tx: Database, month: Month): Promise<void> {
  await tx.query(deleteMonth, [month]);
}

export async function addSums(tx: Database, month: Month, sums: readonly MonthSum[]): Promise<void> {
  if (sums.length === 0) return;
  await tx.query(insertSums, [
    month,
    sums.map(sum => sum.accountId),
    sums.map(sum => sum.mode),
    sums.map(sum => sum.qrCodeId),
    sums.map(sum => sum.kind),
    sums.map(sum => sum.value),
    sums.map(sum => sum.scans),
    sums.map(sum => sum.visitors),
    sums.map(sum => sum.soleVisitors),
  ]);
}

/** Adds up the codes of each account. Its own visitors are there already. */
export async function addAccountSums(tx: Database, month: Month): Promise<void> {
  await tx.query(insertAccountSums, [month, zeroId]);
}

/** Removes the sums of codes, and takes them out of those of their accounts. Idempotent. */
export async function removeCodeSums(
  db: Database,
  accounts: readonly Uuid[],
  codes: readonly Uuid[],
): Promise<void> {
  await db.transaction(async tx => {
    await tx.query(deleteCodes, [accounts, codes, zeroId]);
    await tx.query(deleteEmptyAccountSums, [accounts, zeroId]);
  });
}

export type StoredSum = {
  readonly month: Month;
  readonly kind: SumKind;
  readonly value: string;
  readonly scans: number;
  readonly visitors: number;
};

/** Months, from the first up to, not including, the last. */
export type MonthRange = { readonly from: Month; readonly to: Month };

type Owner = { readonly accountId: Uuid; readonly mode: Mode };

/** The sums of a code. */
export const readCodeSums = (
  on: Database,
  { accountId, mode }: Owner,
  qrCodeId: Uuid,
  { from, to }: MonthRange,
): Promise<StoredSum[]> => on.query<StoredSum>(findCodeSums, [accountId, mode, qrCodeId, from, to]);

/** The sums of an account without some of its codes. */
export const readAccountSums = (
  on: Database,
  { accountId, mode }: Owner,
  excludedCodes: readonly Uuid[],
  { from, to }: MonthRange,
): Promise<StoredSum[]> =>
  on.query<StoredSum>(findAccountSums, [accountId, mode, zeroId, excludedCodes, from, to]);

export type CodeScans = { readonly qrCodeId: Uuid; readonly scans: number };

/** Codes with the most scans first; of chosen codes, if there are any. */
export const readTopCodes = (
  on: Database,
  { accountId, mode }: Owner,
  {
    excludedCodes,
    codes = null,
    limit,
  }: {
    readonly excludedCodes: readonly Uuid[];
    readonly codes?: readonly Uuid[] | null;
    readonly limit: number;
  },
  { from, to }: MonthRange,
): Promise<CodeScans[]> =>
  on.query<CodeScans>(findTopCodes, [accountId, mode, zeroId, excludedCodes, codes, from, to, limit]);

/** Deleted codes of which a month has sums. */
export const findDeletedCodes = (on: Database, month: Month) =>
  on.query<{ readonly accountId: Uuid; readonly qrCodeId: Uuid }>(deletedCodes, [month, zeroId]);

const deleteMonth = sql('scan-sums-clear', 'delete from scan_sums where month = $1');

const insertSums = sql(
  'scan-sums-add',
  `insert into scan_sums as stored (month, account_id, mode, qr_code_id, kind, value, scans, visitors, sole_visitors)
   select $1, * from unnest($2::uuid[], $3::mode[], $4::uuid[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[])
   on conflict (account_id, mode, qr_code_id, month, kind, value) do update
      set scans = stored.scans + excluded.scans, visitors = stored.visitors + excluded.visitors,
          sole_visitors = stored.sole_visitors + excluded.sole_visitors`,
);

const insertAccountSums = sql(
  'scan-sums-add-accounts',
  `insert into scan_sums as stored (account_id, mode, qr_code_id, month, kind, value, scans, visitors, code_visitors)
   select account_id, mode, $2, month, kind, value, sum(scans), 0, sum(visitors)
     from scan_sums
    where month = $1 and qr_code_id <> $2 and kind in ('total', 'device', 'browser', 'country')
    group by account_id, mode, month, kind, value
   on conflict (account_id, mode, qr_code_id, month, kind, value) do update
      set scans = excluded.scans, code_visitors = excluded.code_visitors`,
);

/** What remains of an account has at most the visitors of its remaining codes. */
const deleteCodes = sql(
  'scan-sums-delete-codes',
  `with gone as (
     delete from scan_sums
      where account_id = any($1::uuid[]) and mode in ('live', 'test') and qr_code_id = any($2::uuid[]) and qr_code_id <> $3
     returning account_id, mode, month, kind, value, scans, visitors, sole_visitors
   ), less as (
     select account_id, mode, month, kind, value,
            sum(scans) as scans, sum(visitors) as visitors, sum(sole_visitors) as sole_visitors
       from gone group by account_id, mode, month, kind, value
   )
   update scan_sums whole
      set scans = whole.scans - less.scans,
          visitors = least(whole.visitors - less.sole_visitors, whole.code_visitors - less.visitors),
          code_visitors = whole.code_visitors - less.visitors
     from less
    where whole.qr_code_id = $3 and whole.account_id = less.account_id and whole.mode = less.mode
      and whole.month = less.month and whole.kind = less.kind and whole.value = less.value`,
);

const deleteEmptyAccountSums = sql(
  'scan-sums-delete-empty',
  `delete from scan_sums
    where account_id = any($1::uuid[]) and mode in ('live', 'test') and qr_code_id = $2 and scans = 0`,
);

const findCodeSums = sql(
  'scan-sums-find-code',
  `select month, kind, value, scans, visitors from scan_sums
    where account_id = $1 and mode = $2 and qr_code_id = $3 and month >= $4 and month < $5`,
);

const findAccountSums = sql(
  'scan-sums-find-account',
  `with less as (
     select month, kind, value,
            sum(scans) as scans, sum(visitors) as visitors, sum(sole_visitors) as sole_visitors
       from scan_sums
      where account_id = $1 and mode = $2 and qr_code_id = any($4::uuid[]) and month >= $5 and month < $6
      group by month, kind, value
   )
   select month, kind, value, (whole.scans - coalesce(less.scans, 0))::bigint as scans,
          least(whole.visitors - coalesce(less.sole_visitors, 0),
                whole.code_visitors - coalesce(less.visitors, 0))::bigint as visitors
     from scan_sums whole left join less using (month, kind, value)
    where whole.account_id = $1 and whole.mode = $2 and whole.qr_code_id = $3 and month >= $5 and month < $6`,
);

const findTopCodes = sql(
  'scan-sums-top-codes',
  `select qr_code_id as "qrCodeId", sum(scans)::bigint as scans from scan_sums
    where account_id = $1 and mode = $2 and kind = 'total' and qr_code_id <> $3 and qr_code_id <> all($4::uuid[])
      and ($5::uuid[] is null or qr_code_id = any($5::uuid[])) and month >= $6 and month < $7
    group by qr_code_id order by scans desc, qr_code_id limit $8`,
);

const deletedCodes = sql(
  'scan-sums-deleted-codes',
  `select distinct s.account_id as "accountId", s.qr_code_id as "qrCodeId"
     from scan_sums s left join qr_codes c on c.id = s.qr_code_id
    where s.month = $1 and s.qr_code_id <> $2 and (c.id is null or c.status = 'deleted')`,
);
