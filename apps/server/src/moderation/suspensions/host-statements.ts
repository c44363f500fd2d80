import { isHostOrBelow } from '../../kernel/addresses/hosts.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import { selectReleased } from './released.ts';

/**
 * Codes that lead to a host and are not yet suspended because of it, ordered by id, each once. Nothing is locked: concurrent
 * changes are seen when the codes are suspended.
 */
export const findLeadingTo = sql(
  'find-leading-to-host',
  `select distinct t.qr_code_id as id from code_targets t
    where ${isHostOrBelow('t.host', '$1')} and t.qr_code_id > $2
      and not exists (select from suspensions s
                       where s.qr_code_id = t.qr_code_id and s.cause = 'host' and s.source = $1
                         and s.released_at is null)
    order by t.qr_code_id limit $3`,
);

/** Keeps the host blocked until the commit. Returns no row if it is not blocked. */
export const lockBlockedHost = sql(
  'lock-blocked-host',
  'select reason from blocked_hosts where host = $1 for key share',
);

/** Locks in the order of all statements on targets. A concurrent deletion waits for this, or this waits for it and finds the code deleted. */
export const lockTargets = sql(
  'lock-targets-of-host',
  `select qr_code_id as id from code_targets t
    where t.qr_code_id = any($2::uuid[]) and ${isHostOrBelow('t.host', '$1')}
    order by t.qr_code_id, t.id for no key update`,
);

/** Each with its first URL on the host: of the destination if it is there, otherwise of a rule or the fallback. */
export const suspendByHost = sql(
  'suspend-by-host',
  `with changed as (
     insert into suspensions (id, account_id, qr_code_id, cause, source, reason, url, suspended_at)
     select gen_random_uuid(), c.account_id, c.id, 'host', $1, $3, target.url, $4
       from qr_codes c
      cross join lateral (
        select t.url from code_targets t where t.qr_code_id = c.id and ${isHostOrBelow('t.host', '$1')}
         order by t.kind <> 'default', t.id limit 1) target
      where c.id = any($2::uuid[]) and c.status <> 'deleted'
     on conflict (qr_code_id, cause, source) where qr_code_id is not null and released_at is null do nothing
     returning qr_code_id)
   select c.id, c.account_id, c.mode, link_key as key
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
     returning id, qr_code_id, reason)
   ${selectReleased}`,
);
