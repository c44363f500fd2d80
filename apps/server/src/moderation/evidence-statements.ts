import { sql } from '../platform/postgres/postgres.ts';

/** Whether the account or one of these codes is suspended, or was. */
export const concernsCodes = sql(
  'suspension-concerns-codes',
  `select from suspensions
    where account_id = $1 and (qr_code_id is null or qr_code_id = any($2::uuid[])) limit 1`,
);

export const whichBlocked = sql(
  'which-hosts-are-blocked',
  'select host, owner_reason from blocked_hosts where host = any($1::text[])',
);

/** As the marking of a blocked host would have done before the codes were deleted. */
export const markBlocked = sql(
  'mark-blocked-code-to-delete',
  `insert into suspensions (id, account_id, qr_code_id, cause, source, reason, url, suspended_at)
   select gen_random_uuid(), $1, code.id, 'host', code.host, code.reason, code.url, $6
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as code (id, host, reason, url)
   on conflict (qr_code_id, cause, source) where qr_code_id is not null and released_at is null do nothing`,
);

/** In the same order as the release of many, to avoid deadlocks. */
export const lockOfCodes = sql(
  'lock-suspensions-of-codes',
  'select from suspensions where qr_code_id = any($1::uuid[]) and released_at is null order by id for update',
);

/** Suspended codes of an account, ordered by id. */
export const openOfCodes = sql(
  'open-suspensions-of-codes',
  `select distinct qr_code_id from suspensions
    where account_id = $1 and qr_code_id > $2 and released_at is null order by qr_code_id limit $3`,
);

export const saveMakers = sql(
  'save-makers-of-codes',
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
 * Copies what is known of codes to their open suspensions, with their targets as JSON. A code that is suspended only with its
 * account gets a suspension of its own. The maker is an e-mail address, or the end of an API key.
 */
export const keepEvidence = sql(
  'keep-evidence',
  `with known as (
     select c.id, c.account_id, c.destination_url as url,
            jsonb_build_object(
              'key_space', c.key_space, 'short_code', c.short_code, 'domain', c.domain, 'mode', c.mode, 'status', c.status, 'name', c.name,
              'destination_url', c.destination_url, 'targets', code.targets::jsonb, 'made_by', c.made_by,
              'maker', coalesce(u.email, '…' || k.hint,
                (select o.maker from suspensions o
                  where o.qr_code_id = c.id and o.released_at is null and o.maker is not null limit 1),
                (select p->>'email' from suspensions o, jsonb_array_elements(o.evidence->'people') p
                  where o.account_id = $1 and o.qr_code_id is null and o.released_at is null
                    and c.made_by = 'dashboard' and p->>'id' = c.made_by_id::text limit 1)),
              'created_at', c.created_at, 'updated_at', c.updated_at) as evidence
       from unnest($2::uuid[], $4::text[]) as code (id, targets)
       join qr_codes c on c.id = code.id
       left join auth_users u on c.made_by = 'dashboard' and u.id = c.made_by_id
       left join api_keys k on c.made_by = 'api' and k.id = c.made_by_id
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

/** Released suspensions are of no use once the code is deleted. */
export const deleteReleasedOfCodes = sql(
  'delete-released-suspensions-of-codes',
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

export const deleteReleasedOfAccount = sql(
  'delete-released-suspensions-of-account',
  'delete from suspensions where account_id = $1 and qr_code_id is null and released_at is not null',
);

export const removeEvidence = sql(
  'remove-old-evidence',
  `delete from suspensions where id = any(array(
     select id from suspensions where deleted_at < $1 limit $2)) returning 1`,
);

export const readEvidence = sql(
  'read-evidence',
  `select deleted_at, evidence from suspensions
    where qr_code_id = $1 and released_at is null and deleted_at is not null limit 1`,
);
