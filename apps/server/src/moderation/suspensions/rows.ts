import type { Uuid } from '../../kernel/ids.ts';
import type { AccountItem } from './suspension.ts';

/** The columns of an account `a`, with a prefix so that a code's columns can stand beside them. */
export const accountColumns = `a.id as account_id, a.name as account_name, a.plan as account_plan,
          a.created_at as account_created_at, a.closed_at as account_closed_at, a.held_at is not null as account_held,
          exists (select from suspensions o
                   where o.account_id = a.id and o.qr_code_id is null and o.released_at is null) as account_suspended`;

export type AccountRow = {
  account_id: Uuid;
  account_name: string;
  account_plan: string;
  account_created_at: Date;
  account_closed_at: Date | null;
  account_held: boolean;
  account_suspended: boolean;
};

export const toAccountItem = (row: AccountRow): AccountItem => ({
  id: row.account_id,
  name: row.account_name,
  plan: row.account_plan,
  createdAt: row.account_created_at,
  closedAt: row.account_closed_at,
  suspended: row.account_suspended,
  held: row.account_held,
});
