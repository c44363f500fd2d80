import { testDeliveriesPerDay } from '@signpost/contract/values.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';

/*
 * On a plan without webhooks an account has test webhooks, with so many messages per day in UTC. They are counted in
 * PostgreSQL, so the limit holds over all processes.
 */

/** Whether what the caller sends is limited. */
export const isLimited = ({ mode, plan }: Pick<Caller, 'mode' | 'plan'>): boolean =>
  mode === 'test' && !plan.webhooks;

/** How much of a day is used. */
export type TestUsage = {
  readonly limit: number;
  readonly used: number;
  /** Messages that were not queued. */
  readonly refused: number;
  readonly resetsAt: Date;
};

/** Messages that are asked for, by account. */
type WantedMessages = ReadonlyMap<Uuid, number>;

/** Takes as many messages of each account's day as there are left, and resolves to how many. */
export async function takeMessages(tx: Database, wanted: WantedMessages): Promise<Map<Uuid, number>> {
  if (wanted.size === 0) return new Map();
  const columns = [[...wanted.keys()], [...wanted.values()]];
  await tx.query(addDays, [columns[0]]);
  const rows = await tx.query<{ account_id: Uuid; granted: number }>(takeOfDays, [
    ...columns,
    testDeliveriesPerDay,
  ]);
  return new Map(rows.map(({ account_id, granted }) => [account_id, granted]));
}

/** The same for the messages of a group of scans: a group that is repeated gets what it got before. */
export function takeForGroup(
  db: Database,
  token: string,
  wanted: WantedMessages,
): Promise<Map<Uuid, number>> {
  if (wanted.size === 0) return Promise.resolve(new Map());
  return db.transaction(async tx => {
    const rows = await tx.query<{ account_id: Uuid; granted: number }>(findGrants, [token]);
    const known = new Map(rows.map(({ account_id, granted }) => [account_id, granted]));
    const taken = await takeMessages(tx, new Map([...wanted].filter(([accountId]) => !known.has(accountId))));
    if (taken.size > 0) await tx.query(addGrants, [token, [...taken.keys()], [...taken.values()]]);
    return new Map([...known, ...taken]);
  });
}

export type MayBeLimited = { readonly isLimited: boolean };

/** The messages without those beyond the limit of their account: the first of each account stay. */
export async function withinLimits<Message extends MayBeLimited & { readonly accountId: Uuid }>(
  messages: readonly Message[],
  take: (wanted: WantedMessages) => Promise<ReadonlyMap<Uuid, number>>,
): Promise<Omit<Message, 'isLimited'>[]> {
  const wanted = new Map<Uuid, number>();
  for (const { accountId, isLimited } of messages)
    if (isLimited) wanted.set(accountId, (wanted.get(accountId) ?? 0) + 1);
  const left = new Map(wanted.size > 0 ? await take(wanted) : []);
  return messages.flatMap(({ isLimited, ...message }) => {
    if (!isLimited) return [message];
    const granted = left.get(message.accountId) ?? 0;
    left.set(message.accountId, granted - 1);
    return granted > 0 ? [message] : [];
  });
}

/** Takes one message for a test event, or throws. */
export async function takeTestEvent(tx: Database, caller: Caller): Promise<void> {
  if (!isLimited(caller)) return;
  const taken = await takeMessages(tx, new Map([[caller.accountId, 1]]));
  if (taken.get(caller.accountId) === 1) return;
  const { limit, used, resetsAt } = await readTestUsage(tx, caller);
  throw new AppError(
    'quota_exceeded',
    `The ${caller.plan.name} plan includes ${limit} test deliveries per day, and your account has used them. Try again after ${resetsAt.toISOString()}.`,
    { limit, used, resetsAt },
  );
}

export async function readTestUsage(
  db: Database,
  { accountId }: Pick<Caller, 'accountId'>,
): Promise<TestUsage> {
  const [row] = await db.query<{ queued: number; refused: number; resets_at: Date }>(findDay, [accountId]);
  const { queued, refused, resets_at: resetsAt } = row!;
  return { limit: testDeliveriesPerDay, used: queued, refused, resetsAt };
}

/** For an account that is closed. */
export async function deleteTestDays(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteDays, [accountId]);
  await db.query(deleteGrants, [accountId]);
}

/** Removes the days that have ended, by PostgreSQL's clock alone. */
export async function pruneTestDays(db: Database): Promise<void> {
  await db.query(pruneDays);
  await db.query(pruneGrants);
}

const today = `(now() at time zone 'UTC')::date`;

const addDays = sql(
  'webhook-add-test-days',
  `insert into webhook_test_days (account_id, day, queued, refused)
   select account_id, ${today}, 0, 0 from unnest($1::uuid[]) as wanted (account_id) order by account_id
   on conflict do nothing`,
);

/** Locks in one order, as every process does. */
const takeOfDays = sql(
  'webhook-take-of-test-days',
  `with wanted as (
     select * from unnest($1::uuid[], $2::integer[]) as wanted (account_id, messages)
   ), locked as materialized (
     select account_id, queued from webhook_test_days
      where day = ${today} and account_id = any($1::uuid[]) order by account_id for update
   )
   update webhook_test_days d
      set queued = least($3, l.queued + w.messages),
          refused = d.refused + greatest(0, l.queued + w.messages - $3)
     from locked l join wanted w on w.account_id = l.account_id
    where d.account_id = l.account_id and d.day = ${today}
   returning d.account_id, d.queued - l.queued as granted`,
);

const findGrants = sql(
  'webhook-find-test-grants',
  'select account_id, granted from webhook_test_grants where token = $1',
);

const addGrants = sql(
  'webhook-add-test-grants',
  `insert into webhook_test_grants (token, account_id, granted)
   select $1, account_id, granted from unnest($2::uuid[], $3::integer[]) as taken (account_id, granted)`,
);

const findDay = sql(
  'webhook-find-test-day',
  `select coalesce(d.queued, 0) as queued, coalesce(d.refused, 0) as refused,
          (today.day + 1)::timestamp at time zone 'UTC' as resets_at
     from (select ${today} as day) today
     left join webhook_test_days d on d.account_id = $1 and d.day = today.day`,
);

const deleteDays = sql('webhook-delete-test-days', 'delete from webhook_test_days where account_id = $1');
const deleteGrants = sql(
  'webhook-delete-test-grants',
  'delete from webhook_test_grants where account_id = $1',
);
const pruneDays = sql('webhook-prune-test-days', `delete from webhook_test_days where day < ${today} - 1`);
const pruneGrants = sql(
  'webhook-prune-test-grants',
  `delete from webhook_test_grants where at < now() - interval '1 day'`,
);
