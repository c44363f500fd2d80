import { hostAndParentsSql } from '../kernel/addresses/hosts.ts';

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

/** Nothing is computed where no host is blocked. */
const blockedTarget = `select b.host, b.owner_reason, b.created_at from code_targets t
   join blocked_hosts b on b.host = any(${hostAndParentsSql('t.host')})
  where t.qr_code_id = c.id and stopped.suspended_at is null and exists (select from blocked_hosts)
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
