import type { LinkName } from '../../kernel/addresses/link-key.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { BackgroundJob } from '../../platform/background-jobs.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** Mails an owner. `link` is the code's; null for the whole account. */
export type SuspensionNotifications = {
  suspended(to: Owner, link: string | null, at: Date): void;
  released(to: Owner, link: string | null, at: Date): void;
};

type Owner = { readonly id: Uuid; readonly email: string };

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly notifications: SuspensionNotifications;
  readonly linkNames: LinkNames;
};

const mailsPerStep = 100;
const maxAgeMs = 24 * 60 * 60_000;

/**
 * Mails owners what the operator has suspended or released by hand, by a command or in the dashboard: commands send no mail
 * themselves. Changes older than a day are skipped, such as after SMTP was set up.
 */
export function createOwnerMailJob({ db, clock, notifications, linkNames }: Parts): BackgroundJob {
  const mailClaimed = async (
    statement: typeof claimSuspended,
    send: SuspensionNotifications['suspended'],
  ) => {
    const now = clock.now();
    const rows = await db.query<Row>(statement, [now, new Date(now.getTime() - maxAgeMs), mailsPerStep]);
    for (const { user_id: id, email, key_space: keySpace, short_code: shortCode, domain, at } of rows) {
      const name: LinkName | null =
        keySpace === null || shortCode === null ? null : { keySpace, shortCode, domain };
      send({ id, email }, name && linkNames.toUrl(name), at);
    }
    return rows.length > 0;
  };
  return {
    name: 'mail owners about suspensions',
    everyMs: 5000,
    async run() {
      const suspended = await mailClaimed(claimSuspended, notifications.suspended);
      return (await mailClaimed(claimReleased, notifications.released)) || suspended;
    },
  };
}

type Row = {
  user_id: Uuid;
  email: string;
  key_space: string | null;
  short_code: string | null;
  domain: string | null;
  at: Date;
};

/**
 * Marks rows before they are mailed, so that no mail is sent twice. A short link may have been chosen by a person who signed up
 * with another person's address, so it is mailed only to confirmed addresses.
 */
const claim = (
  column: 'mailed_at' | 'release_mailed_at',
  at: 'suspended_at' | 'released_at',
  condition: string,
) =>
  `with claimed as (
     update suspensions set ${column} = $1 where id = any(array(
       select id from suspensions
        where cause = 'operator' and ${column} is null and ${at} > $2 and deleted_at is null and ${condition}
        order by ${at} limit $3 for update skip locked))
     returning account_id, qr_code_id, ${at} as at)
   select u.id as user_id, u.email, c.key_space, c.short_code, c.domain, claimed.at
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
/** Only owners who were mailed about the suspension are mailed about its end. */
const claimReleased = sql(
  'claim-unmailed-releases',
  claim('release_mailed_at', 'released_at', 'released_at is not null and mailed_at is not null'),
);
