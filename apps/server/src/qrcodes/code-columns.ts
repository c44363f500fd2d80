import { hostAndParentsSql, reversedHost } from '../kernel/addresses/hosts.ts';

/** What is read of every code `c`, with its row `s` of scan_counts. */
export const columns = `c.id, c.mode, c.number, c.status, c.made_by, c.key_space, c.short_code, c.domain, c.name, c.destination_url, c.style,
  c.created_at, c.updated_at, c.note, c.external_id, c.metadata, c.starts_at, c.expires_at, c.max_scans,
  c.used_up_at, c.revision, c.archived, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans`;

/** As JSON, in the order in which they were added. */
export const placementsColumn = (
  ...fields: readonly string[]
) => `case when c.placement_keys is not null then (
    select json_agg(json_build_object(${fields.map(field => `'${field}', ${field}`).join(', ')}) order by created_at, key)
      from placements where qr_code_id = c.id) end as placements`;

/**
 * The shortest blocked host that a code `c` leads to. Codes of a host are soon marked as suspended, and nothing is computed
 * once they all are. Each target costs one search in the index, however many hosts are blocked and however long its own is:
 * whatever blocks it is the nearest host in the order of the index, or a parent of that one.
 */
const blockedTarget = `select b.host, b.owner_reason, b.created_at
   from (select nearest.host, array_agg(t.host) as targets
           from code_targets t
          cross join lateral (select host from blocked_hosts
                               where marked_at is null and ${reversedHost('host')} <= ${reversedHost('t.host')}
                               order by ${reversedHost('host')} desc limit 1) nearest
          where t.qr_code_id = c.id and stopped.suspended_at is null
            and exists (select from blocked_hosts where marked_at is null)
          group by nearest.host) found
  cross join lateral unnest(${hostAndParentsSql('found.host')}) as above (host)
   join blocked_hosts b on b.host = above.host and b.marked_at is null
  where exists (select from unnest(found.targets) as target (host)
                 where starts_with(${reversedHost('target.host')}, ${reversedHost('b.host')}))
  order by length(b.host) limit 1`;

/**
 * What stops a code `c`. Of several suspensions the oldest is shown. Redirects stop a code by its host before it is marked as
 * suspended, so its host is checked as well.
 */
export const stopColumns = `stopped.reason as suspended_for, stopped.suspended_at,
        blocked.host as blocked_host, blocked.owner_reason as blocked_for, blocked.created_at as blocked_at`;
export const stopJoins = `left join lateral (select reason, suspended_at from suspensions
                       where qr_code_id = c.id and released_at is null
                       order by suspended_at, id limit 1) stopped on true
   left join lateral (${blockedTarget}) blocked on true`;
