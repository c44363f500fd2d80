import { hostAndParentsSql } from '../../kernel/addresses/hosts.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import { selectReleased } from './released.ts';
import { accountColumns } from './rows.ts';

/** With the account and the name of the code. Of a deleted test code, only the evidence may have the name. */
const columns = `select s.id, s.qr_code_id, s.cause, s.source, s.reason, s.url, s.suspended_at, s.released_at, s.deleted_at,
          s.appeal, s.appealed_at, s.answer, s.answered_at, coalesce(c.name, '') as code_name,
          coalesce(c.destination_url, '') as leads_to,
          coalesce(c.key_space, s.evidence->>'key_space', '') as key_space,
          coalesce(c.short_code, s.evidence->>'short_code', '') as short_code,
          coalesce(c.domain, s.evidence->>'domain') as domain,
          ${accountColumns}`;
const joins = `join accounts a on a.id = s.account_id left join qr_codes c on c.id = s.qr_code_id`;

const isOpen = 's.released_at is null and s.deleted_at is null';
const inState = {
  open: isOpen,
  appealed: `${isOpen} and s.appealed_at is not null and s.answered_at is null`,
  released: '(s.released_at is not null or s.deleted_at is not null)',
} as const;

export const findSuspension = sql(
  'find-suspension',
  `${columns} from suspensions s ${joins} where s.id = $1`,
);

export const findOpenOfAccount = sql(
  'find-open-suspension-of-account',
  `${columns} from suspensions s ${joins}
    where s.account_id = $1 and s.qr_code_id is null and s.released_at is null`,
);

/** Of one code, newest first, including those no longer in force. */
export const findOfCode = sql(
  'find-suspensions-of-code',
  `${columns} from suspensions s ${joins}
    where s.account_id = (select account_id from qr_codes where id = $1) and s.qr_code_id = $1
    order by s.suspended_at desc, s.id desc limit 20`,
);

/** Selects the page before the joins. */
const list = (state: keyof typeof inState) =>
  `${columns} from (select * from suspensions s where ${inState[state]}
                   order by suspended_at desc, id desc offset $1 limit $2) s
   ${joins} order by s.suspended_at desc, s.id desc`;

export const listOpen = sql('list-open-suspensions', list('open'));
export const listAppealed = sql('list-appealed-suspensions', list('appealed'));
export const listReleased = sql('list-released-suspensions', list('released'));

const count = (state: keyof typeof inState) =>
  `select count(*) as total from suspensions s where ${inState[state]}`;

export const countOpen = sql('count-open-suspensions', count('open'));
export const countAppealed = sql('count-appealed-suspensions', count('appealed'));
export const countReleased = sql('count-released-suspensions', count('released'));

const code = 'select id, account_id, mode, status from qr_codes';

/** A concurrent deletion waits, and then finds the suspension. */
export const lockCodeById = sql('lock-any-code', `${code} where id = $1 for no key update`);
export const lockCodeByKey = sql('lock-any-code-by-key', `${code} where link_key = $1 for no key update`);

/** Returns no row if the operator has already suspended it. */
export const suspendCode = sql(
  'suspend-code',
  `with changed as (
     insert into suspensions (id, account_id, qr_code_id, cause, reason, url, suspended_at)
     select $1, account_id, id, 'operator', $3, destination_url, $4 from qr_codes where id = $2
     on conflict (qr_code_id, cause, source) where qr_code_id is not null and released_at is null do nothing
     returning qr_code_id)
   select link_key as key from qr_codes where id in (select qr_code_id from changed)`,
);

export const keyOfCode = sql('key-of-suspended-code', `select link_key as key from qr_codes where id = $1`);

export const findOpenByOperator = sql(
  'find-open-suspension-by-operator',
  `${columns} from suspensions s ${joins}
    where s.qr_code_id = $1 and s.cause = 'operator' and s.source = '' and s.released_at is null`,
);

export const releaseOne = sql(
  'release-suspension',
  `with changed as (
     update suspensions set released_at = $2 where id = $1 and released_at is null and deleted_at is null
     returning id, qr_code_id, reason)
   ${selectReleased}`,
);

export const releaseCode = sql(
  'release-code',
  `with changed as (
     update suspensions set released_at = $2
      where qr_code_id = $1 and released_at is null and deleted_at is null
     returning id, qr_code_id, reason)
   ${selectReleased}`,
);

/** The same lock as for writing a destination, and before any other: no host can be blocked until the release is committed. */
export const lockBlockedHosts = sql(
  'lock-blocked-hosts-to-release',
  'lock table blocked_hosts in row share mode',
);

/** A target of a code on a blocked host, with that host. */
export const blockedTarget = sql(
  'blocked-target-of-code',
  `select b.host, t.url from code_targets t join blocked_hosts b on b.host = any(${hostAndParentsSql('t.host')})
    where t.qr_code_id = $1 order by length(b.host), t.kind <> 'default', t.id limit 1`,
);

export const lockAccount = sql(
  'lock-account-to-suspend',
  'select closed_at from accounts where id = $1 for no key update',
);

export const selectOperators = sql(
  'operators-of-account',
  `select u.email from members m
     join operators o on o.user_id = m.user_id
     join auth_users u on u.id = m.user_id
    where m.account_id = $1 order by u.email`,
);

/** Returns no row if it is already suspended. */
export const suspendAccount = sql(
  'suspend-account',
  `insert into suspensions (id, account_id, cause, reason, suspended_at, source) values ($1, $2, 'operator', $3, $4, $5)
   on conflict (account_id) where qr_code_id is null and released_at is null do nothing returning id`,
);

export const releaseAccount = sql(
  'release-account',
  `update suspensions set released_at = $2
    where account_id = $1 and qr_code_id is null and released_at is null and deleted_at is null
   returning id, reason`,
);

export const findOwnCode = sql(
  'find-own-code-to-appeal',
  `select id from qr_codes where id = $1 and account_id = $2 and mode = $3 and status <> 'deleted'`,
);

const own = 'select reason, suspended_at, appeal, appealed_at, answer, answered_at from suspensions';

export const ownOfCode = sql(
  'own-suspension-of-code',
  `${own} where qr_code_id = $1 and released_at is null order by suspended_at desc, id desc limit 1`,
);
export const ownOfAccount = sql(
  'own-suspension-of-account',
  `${own} where account_id = $1 and qr_code_id is null and released_at is null`,
);

/** The appeal is against every suspension of the code. */
export const appealCode = sql(
  'appeal-code',
  `update suspensions set appeal = $2, appealed_at = $3, answer = null, answered_at = null
    where qr_code_id = $1 and released_at is null`,
);
export const appealAccount = sql(
  'appeal-account',
  `update suspensions set appeal = $2, appealed_at = $3, answer = null, answered_at = null
    where account_id = $1 and qr_code_id is null and released_at is null`,
);
