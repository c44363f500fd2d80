import { sql } from '../platform/postgres/postgres.ts';

const columns = `d.id, d.account_id, d.host, d.tag, d.status, d.is_default, d.created_at, d.updated_at,
  (select url from domain_targets where domain_id = d.id and kind = 'root' and cleared_at is null) as root_url,
  (select url from domain_targets where domain_id = d.id and kind = 'not_found' and cleared_at is null) as not_found_url,
  (select count(*) from qr_codes c
    where c.account_id = d.account_id and c.domain = d.host and c.status <> 'deleted') as codes`;

export const findByHost = sql('find-domain', `select ${columns} from domains d where d.host = $1`);

/** A concurrent create on it waits, and so does another change. */
export const lockByHost = sql('lock-domain', 'select from domains where host = $1 for update');

export const listOfAccount = sql(
  'list-domains-of-account',
  `select ${columns} from domains d where d.account_id = $1 order by d.host`,
);

/** A page of all domains, after a host. */
export const listAll = sql(
  'list-domains',
  `select ${columns} from domains d where d.host > $1 order by d.host limit $2`,
);

export const insertDomain = sql(
  'insert-domain',
  `insert into domains (id, account_id, host, tag, status, created_at, updated_at)
   values ($1, $2, $3, $4, 'active', $5, $5)
   on conflict (host) do nothing returning 1`,
);

export const assignDomain = sql(
  'assign-domain',
  `update domains set account_id = $2, status = 'active', updated_at = $3 where host = $1`,
);

export const releaseDomain = sql(
  'release-domain',
  `update domains set status = 'released', is_default = false, updated_at = $2 where host = $1`,
);

export const touchDomain = sql('touch-domain', 'update domains set updated_at = $2 where host = $1');

/** Before the domain itself is locked: of two defaults that are set at once, the second sees the first. */
export const lockDefault = sql(
  'lock-default-domain',
  'select from accounts where id = (select account_id from domains where host = $1) for no key update',
);

/** Two statements: an account has one default at any time. */
export const unsetDefault = sql(
  'unset-default-domain',
  'update domains set is_default = false, updated_at = $2 where account_id = $1 and is_default',
);
export const setDefault = sql(
  'set-default-domain',
  'update domains set is_default = true, updated_at = $2 where host = $1',
);

export const setTarget = sql(
  'set-domain-target',
  `insert into domain_targets (domain_id, kind, url, host, url_hash) values ($1, $2, $3, $4, $5)
   on conflict (domain_id, kind) where cleared_at is null do update
      set url = excluded.url, host = excluded.host, url_hash = excluded.url_hash`,
);

export const removeTargets = sql(
  'remove-domain-targets',
  'delete from domain_targets where domain_id = $1 and kind = any($2::text[]) and cleared_at is null',
);

export const openAccount = sql(
  'account-of-domain',
  'select from accounts where id = $1 and closed_at is null for key share',
);
