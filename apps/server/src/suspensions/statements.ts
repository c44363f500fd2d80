import { linkKeySql } from '../kernel/link-key.ts';
import { sql } from '../platform/postgres.ts';
import { selectReleased } from './released.ts';
import { accountColumns, isHostOrBelow } from './rows.ts';

/** With its account and the name of its code, which a deleted test code may have left in the evidence alone. */
const whole = `select s.id, s.qr_code_id, s.cause, s.source, s.reason, s.url, s.suspended_at, s.released_at, s.deleted_at,
          s.appeal, s.appealed_at, s.answer, s.answered_at, coalesce(c.name, '') as code_name,
          coalesce(c.destination_url, '') as leads_to,
          coalesce(c.key_space, s.evidence->>'key_space', '') as key_space,
          coalesce(c.short_code, s.evidence->>'short_code', '') as short_code,
          ${accountColumns}`;
const joined = `join accounts a on a.id = s.account_id left join qr_codes c on c.id = s.qr_code_id`;

const isOpen = 's.released_at is null and s.deleted_at is null';
const inState = {
  open: isOpen,
  appealed: `${isOpen} and s.appealed_at is not null and s.answered_at is null`,
  released: '(s.released_at is not null or s.deleted_at is not null)',
} as const;

export const findSuspension = sql('find-suspension', `${whole} from suspensions s ${joined} where s.id = $1`);

export const findOpenOfAccount = sql(
  'find-open-suspension-of-account',
  `${whole} from suspensions s ${joined}
    where s.account_id = $1 and s.qr_code_id is null and s.released_at is null`,
);

/** Of one code, the newest first, those no longer in force included. */
export const findOfCode = sql(
  'find-suspensions-of-code',
  `${whole} from suspensions s ${joined}
    where s.account_id = (select account_id from qr_codes where id = $1) and s.qr_code_id = $1
    order by s.suspended_at desc, s.id desc limit 20`,
);

/** The page is cut before anything is joined. */
const list = (state: keyof typeof inState) =>
  `${whole} from (select * from suspensions s where ${inState[state]}
                   order by suspended_at desc, id desc offset $1 limit $2) s
   ${joined} order by s.suspended_at desc, s.id desc`;

export const listOpen = sql('list-open-suspensions', list('open'));
export const listAppealed = sql('list-appealed-suspensions', list('appealed'));
export const listReleased = sql('list-released-suspensions', list('released'));

const count = (state: keyof typeof inState) =>
  `select count(*) as total from suspensions s where ${inState[state]}`;

export const countOpen = sql('count-open-suspensions', count('open'));
export const countAppealed = sql('count-appealed-suspensions', count('appealed'));
export const countReleased = sql('count-released-suspensions', count('released'));

const code = 'select id, account_id, mode, status, destination_url from qr_codes';

/** Against its deletion: who deletes it waits, and finds the suspension then. */
export const lockCodeById = sql('lock-any-code', `${code} where id = $1 for no key update`);
export const lockCodeByKey = sql(
  'lock-any-code-by-key',
  `${code} where ${linkKeySql} = $1 for no key update`,
);

/** Writes down that redirects are to be told of the codes in `changed`, and returns their keys. */
const tellLinks = `insert into link_changes (key)
   select ${linkKeySql} from qr_codes where id in (select qr_code_id from changed) returning key`;

/** No row: it is suspended by the operator already. */
export const suspendCode = sql(
  'suspend-code',
  `with changed as (
     insert into suspensions (id, account_id, qr_code_id, cause, reason, url, suspended_at)
     select $1, account_id, id, 'operator', $3, destination_url, $4 from qr_codes where id = $2
     on conflict (qr_code_id, cause, source) where qr_code_id is not null and released_at is null do nothing
     returning qr_code_id)
   ${tellLinks}`,
);

export const tellAgain = sql(
  'tell-of-suspended-code',
  `insert into link_changes (key) select ${linkKeySql} from qr_codes where id = $1 returning key`,
);

export const findOpenByOperator = sql(
  'find-open-suspension-by-operator',
  `${whole} from suspensions s ${joined}
    where s.qr_code_id = $1 and s.cause = 'operator' and s.source = '' and s.released_at is null`,
);

export const releaseOne = sql(
  'release-suspension',
  `with changed as (
     update suspensions set released_at = $2 where id = $1 and released_at is null and deleted_at is null
     returning id, qr_code_id, reason
   ), told as (${tellLinks})
   ${selectReleased}`,
);

export const releaseCode = sql(
  'release-code',
  `with changed as (
     update suspensions set released_at = $2
      where qr_code_id = $1 and released_at is null and deleted_at is null
     returning id, qr_code_id, reason
   ), told as (${tellLinks})
   ${selectReleased}`,
);

export const anyBlocked = sql(
  'any-blocked-host',
  'select host from blocked_hosts where host = any($1::text[]) order by length(host) limit 1',
);

export const lockAccount = sql(
  'lock-account-to-suspend',
  'select closed_at from accounts where id = $1 for no key update',
);

export const operatorsOf = sql(
  'operators-of-account',
  `select u.email from members m
     join operators o on o.user_id = m.user_id
     join auth_users u on u.id = m.user_id
    where m.account_id = $1 order by u.email`,
);

/** No row: it is suspended already. */
export const suspendAccount = sql(
  'suspend-account',
  `insert into suspensions (id, account_id, cause, reason, suspended_at) values ($1, $2, 'operator', $3, $4)
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

/** Of a code that is stopped for several reasons the appeal is against all of them. */
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

/**
 * Codes that lead to a host and are not yet suspended for it, in the order of their ids. Nothing is locked: what has changed
 * meanwhile is seen when they are suspended.
 */
export const findLeadingTo = sql(
  'find-leading-to-host',
  `select t.qr_code_id as id from code_targets t
    where ${isHostOrBelow('t.host', '$1')} and t.qr_code_id > $2
      and not exists (select from suspensions s
                       where s.qr_code_id = t.qr_code_id and s.cause = 'host' and s.source = $1
                         and s.released_at is null)
    order by t.qr_code_id limit $3`,
);

/** Keeps the host blocked until the commit. No row: it is not. */
export const holdHost = sql(
  'hold-blocked-host',
  'select reason from blocked_hosts where host = $1 for key share',
);

/** Locked in one order: who deletes one of these codes waits, or this one does and finds it gone. */
export const lockTargets = sql(
  'lock-targets-of-host',
  `select qr_code_id as id from code_targets t
    where t.qr_code_id = any($2::uuid[]) and ${isHostOrBelow('t.host', '$1')}
    order by t.qr_code_id for no key update`,
);

export const suspendByHost = sql(
  'suspend-by-host',
  `with changed as (
     insert into suspensions (id, account_id, qr_code_id, cause, source, reason, url, suspended_at)
     select gen_random_uuid(), c.account_id, c.id, 'host', $1, $3, c.destination_url, $4
       from qr_codes c where c.id = any($2::uuid[]) and c.status <> 'deleted'
     on conflict (qr_code_id, cause, source) where qr_code_id is not null and released_at is null do nothing
     returning qr_code_id
   ), told as (
     insert into link_changes (key)
     select ${linkKeySql} from qr_codes where id in (select qr_code_id from changed))
   select c.id, c.account_id, c.mode, ${linkKeySql} as key
     from qr_codes c where c.id in (select qr_code_id from changed)`,
);

export const releaseByHost = sql(
  'release-by-host',
  `with changed as (
     update suspensions set released_at = $2
      where id = any(array(select id from suspensions
                            where source = $1 and cause = 'host' and released_at is null and deleted_at is null
                              and not exists (select from blocked_hosts where host = $1)
                            order by id limit $3 for update))
     returning id, qr_code_id, reason
   ), told as (${tellLinks})
   ${selectReleased}`,
);

/** Whether anything is suspended of an account, or was, that these codes are part of. */
export const concernsCodes = sql(
  'suspension-concerns-codes',
  `select from suspensions
    where account_id = $1 and (qr_code_id is null or qr_code_id = any($2::uuid[])) limit 1`,
);

/** Codes of an account that are suspended, or whose account is. */
export const evidenceDue = sql(
  'evidence-due-of-codes',
  `select id from unnest($2::uuid[]) as code (id)
    where exists (select from suspensions s
                   where s.account_id = $1 and s.qr_code_id is null and s.released_at is null)
       or exists (select from suspensions s where s.qr_code_id = code.id and s.released_at is null)`,
);

export const whichBlocked = sql(
  'which-hosts-are-blocked',
  'select host, owner_reason from blocked_hosts where host = any($1::text[])',
);

/** As marking would have done before the codes were deleted. */
export const markBlocked = sql(
  'mark-blocked-code-to-delete',
  `insert into suspensions (id, account_id, qr_code_id, cause, source, reason, url, suspended_at)
   select gen_random_uuid(), c.account_id, c.id, 'host', code.host, code.reason, c.destination_url, $4
     from unnest($1::uuid[], $2::text[], $3::text[]) as code (id, host, reason)
     join qr_codes c on c.id = code.id
   on conflict (qr_code_id, cause, source) where qr_code_id is not null and released_at is null do nothing`,
);

/** In the order in which releasing many locks them. */
export const lockOfCodes = sql(
  'lock-suspensions-of-codes',
  'select from suspensions where qr_code_id = any($1::uuid[]) and released_at is null order by id for update',
);

/** Codes of an account that are suspended, in order. */
export const openOfCodes = sql(
  'open-suspensions-of-codes',
  `select distinct qr_code_id from suspensions
    where account_id = $1 and qr_code_id > $2 and released_at is null order by qr_code_id limit $3`,
);

export const noteMakers = sql(
  'note-makers-of-codes',
  `with locked as materialized (
     select id, qr_code_id from suspensions
      where qr_code_id = any($1::uuid[]) and released_at is null order by id for update)
   update suspensions s set maker = u.email
     from locked
     join qr_codes c on c.id = locked.qr_code_id
     join auth_users u on c.made_by = 'dashboard' and u.id = c.made_by_id
    where s.id = locked.id`,
);

/**
 * Writes what is known of codes to the suspensions that are in force; a code that only its account is suspended with gets one
 * of its own. Maker: an e-mail address, or the end of a key.
 */
export const keepEvidence = sql(
  'keep-evidence',
  `with known as (
     select c.id, c.account_id, c.destination_url as url,
            jsonb_build_object(
              'key_space', c.key_space, 'short_code', c.short_code, 'mode', c.mode, 'status', c.status, 'name', c.name,
              'destination_url', c.destination_url,
              'earlier_destinations', (
                select coalesce(jsonb_agg(jsonb_build_object('url', e.before, 'until', e.at) order by e.id desc), '[]')
                  from (select id, before, at from code_edits
                         where qr_code_id = c.id and field = 'destination_url' order by id desc limit $4) e),
              'made_by', c.made_by,
              'maker', coalesce(u.email, '…' || k.hint,
                (select o.maker from suspensions o
                  where o.qr_code_id = c.id and o.released_at is null and o.maker is not null limit 1),
                (select p->>'email' from suspensions o, jsonb_array_elements(o.evidence->'people') p
                  where o.account_id = $1 and o.qr_code_id is null and o.released_at is null
                    and c.made_by = 'dashboard' and p->>'id' = c.made_by_id::text limit 1)),
              'created_at', c.created_at, 'updated_at', c.updated_at) as evidence
       from qr_codes c
       left join auth_users u on c.made_by = 'dashboard' and u.id = c.made_by_id
       left join api_keys k on c.made_by = 'api' and k.id = c.made_by_id
      where c.id = any($2::uuid[])
   ), by_account as (
     insert into suspensions (id, account_id, qr_code_id, cause, reason, url, suspended_at, deleted_at, evidence)
     select gen_random_uuid(), known.account_id, known.id, 'operator', s.reason, known.url, s.suspended_at, $3,
            known.evidence
       from known
       join suspensions s on s.account_id = $1 and s.qr_code_id is null and s.released_at is null
      where not exists (select from suspensions o where o.qr_code_id = known.id and o.released_at is null)
   )
   update suspensions s set deleted_at = $3, evidence = known.evidence
     from known
    where s.qr_code_id = known.id and s.released_at is null and s.deleted_at is null`,
);

/** What was lifted says nothing any more once the code is gone. */
export const forgetReleased = sql(
  'forget-released-suspensions',
  `delete from suspensions
    where account_id = $1 and qr_code_id = any($2::uuid[]) and released_at is not null`,
);

export const keepAccountEvidence = sql(
  'keep-account-evidence',
  `update suspensions s
      set deleted_at = $2,
          evidence = jsonb_build_object(
            'name', a.name, 'plan', a.plan, 'created_at', a.created_at,
            'people', (select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'email', u.email,
                                                                    'created_at', u.created_at)
                                                 order by u.email), '[]')
                         from members m join auth_users u on u.id = m.user_id where m.account_id = a.id))
     from accounts a
    where a.id = $1 and s.account_id = a.id and s.qr_code_id is null and s.released_at is null
      and s.deleted_at is null`,
);

export const forgetReleasedAccount = sql(
  'forget-released-account',
  'delete from suspensions where account_id = $1 and qr_code_id is null and released_at is not null',
);

export const removeEvidence = sql(
  'remove-old-evidence',
  `delete from suspensions where id = any(array(
     select id from suspensions where deleted_at < $1 limit $2)) returning 1`,
);

export const readEvidence = sql(
  'read-evidence',
  'select deleted_at, evidence from suspensions where qr_code_id = $1 and deleted_at is not null limit 1',
);
