import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type LinkName, shortUrlOf } from '../kernel/link-key.ts';
import type { Chore } from '../platform/chores.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** Tells somebody by mail. The link is of the code; null: the whole account. */
export type SuspensionNotices = {
  suspended(to: Owner, link: string | null, at: Date): void;
  released(to: Owner, link: string | null, at: Date): void;
};

type Owner = { readonly id: Uuid; readonly email: string };

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly notices: SuspensionNotices;
  readonly shortBaseUrl: string;
};

const atOnce = 100;
const dayMs = 24 * 60 * 60_000;

/**
 * Mails owners what the operator has stopped by hand and released, be it by a command or in the dashboard: commands send no
 * mail themselves. What is a day old is not news any more, such as after mail was set up.
 */
export function mailsOwners({ db, clock, notices, shortBaseUrl }: Parts): Chore {
  const claim = async (statement: typeof claimSuspended, tell: SuspensionNotices['suspended']) => {
    const now = clock.now();
    const rows = await db.query<Row>(statement, [now, new Date(now.getTime() - dayMs), atOnce]);
    for (const { user_id: id, email, key_space: keySpace, short_code: shortCode, at } of rows) {
      const name: LinkName | null = keySpace === null || shortCode === null ? null : { keySpace, shortCode };
      tell({ id, email }, name && shortUrlOf(shortBaseUrl, name), at);
    }
    return rows.length > 0;
  };
  return {
    name: 'mail owners what was suspended',
    everyMs: 5000,
    async run() {
      const suspended = await claim(claimSuspended, notices.suspended);
      return (await claim(claimReleased, notices.released)) || suspended;
    },
  };
}

type Row = { user_id: Uuid; email: string; key_space: string | null; short_code: string | null; at: Date };

/**
 * Takes them before they are mailed: a mail that fails is not sent twice by another process. A short link may have been
 * chosen by somebody who signed up with an address of another person, so it goes to confirmed addresses alone.
 */
const claim = (
  column: 'mailed_at' | 'release_mailed_at',
  at: 'suspended_at' | 'released_at',
  which: string,
) =>
  `with claimed as (
     update suspensions set ${column} = $1 where id = any(array(
       select id from suspensions
        where cause = 'operator' and ${column} is null and ${at} > $2 and deleted_at is null and ${which}
        order by ${at} limit $3 for update skip locked))
     returning account_id, qr_code_id, ${at} as at)
   select u.id as user_id, u.email, c.key_space, c.short_code, claimed.at
     from claimed
     join members m on m.account_id = claimed.account_id and m.role = 'owner'
     join auth_users u on u.id = m.user_id
     left join qr_codes c on c.id = claimed.qr_code_id
    where claimed.qr_code_id is null or u.email_verified
    order by claimed.at, u.id`;

const claimSuspended = sql(
  'claim-unmailed-suspensions',
  claim('mailed_at', 'suspended_at', 'released_at is null'),
);
/** Who was not told of the suspension is not told of its end. */
const claimReleased = sql(
  'claim-unmailed-releases',
  claim('release_mailed_at', 'released_at', 'released_at is not null and mailed_at is not null'),
);
