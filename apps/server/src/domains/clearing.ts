import { isHostOrBelow } from '../kernel/addresses/hosts.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { BackgroundJob } from '../platform/background-jobs.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { StopNotifier } from '../redirect/changes/stops/stop.ts';
import type { TargetKind } from './domain.ts';
import { lockDomain, publishDomain } from './store.ts';

/** Why a domain may no longer lead to a URL: its host is blocked, or it is on a list. */
type ClearCause = { readonly blockedHost: string } | { readonly list: string };

/** A URL that a domain leads to, or led to until it was cleared. */
export type DomainTarget = {
  readonly host: string;
  readonly accountId: Uuid;
  readonly kind: TargetKind;
  readonly url: string;
  readonly clearedAt: Date | null;
};

type Parts = { readonly db: Database; readonly redirects: StopNotifier };

type Target = { readonly id: Uuid; readonly domain: string };

/** Clears URLs of the domains of any account. When it resolves, no redirect leads there. Returns how many. */
async function clear(
  { db, redirects }: Parts,
  targets: readonly Target[],
  cause: ClearCause,
  now: Date,
): Promise<number> {
  let cleared = 0;
  for (const { id, domain } of targets) {
    const changes = await db.transaction(async tx => {
      await lockDomain(tx, domain);
      const reason = 'list' in cause ? `list ${cause.list}` : `host ${cause.blockedHost}`;
      if ((await tx.query(clearTarget, [id, now, reason])).length === 0) return null;
      return publishDomain(tx, domain, now);
    });
    if (changes === null) continue;
    cleared++;
    await redirects.notify(changes);
  }
  return cleared;
}

/** A host that is blocked takes its subdomains with it. Redirects stopped leading there when it was blocked. */
export const clearBlockedTargets = async (parts: Parts, host: string, now: Date): Promise<number> =>
  clear(parts, await parts.db.query<Target>(onHost, [host]), { blockedHost: host }, now);

/** All of them in one go: an account has few domains, and each leads to two URLs at most. */
export async function clearListedTargets(
  parts: Parts,
  /** The lists that have a host or a URL, given as SQL expressions. */
  listsWith: (host: string, hash: string) => string,
  now: Date,
): Promise<number> {
  const rows = await parts.db.query<Target & { readonly list: string }>(onLists(listsWith));
  let cleared = 0;
  for (const { list, ...target } of rows) cleared += await clear(parts, [target], { list }, now);
  return cleared;
}

/** Domains of any account that lead to a host or its subdomains, or led there. */
export async function findTargetsOn(db: Database, host: string, limit: number): Promise<DomainTarget[]> {
  const rows = await db.query<{
    host: string;
    account_id: Uuid;
    kind: TargetKind;
    url: string;
    cleared_at: Date | null;
  }>(targetsOn, [host, limit]);
  return rows.map(({ account_id: accountId, cleared_at: clearedAt, ...target }) => ({
    ...target,
    accountId,
    clearedAt,
  }));
}

/** Mails the owner of a domain. */
export type ClearedNotifications = {
  domainTargetCleared(to: { readonly id: Uuid; readonly email: string }, host: string): void;
};

export const clearedMailJob = (db: Database, notifications: ClearedNotifications): BackgroundJob => ({
  name: 'mail owners about cleared URLs of domains',
  everyMs: 5000,
  async run() {
    const rows = await db.query<{ id: Uuid; email: string; host: string }>(claimUnmailed, [mailsPerStep]);
    for (const { host, ...owner } of rows) notifications.domainTargetCleared(owner, host);
    return rows.length > 0;
  },
});

/** What was cleared is evidence for 90 days, as that of deleted codes is. */
export const pruneClearedJob = (db: Database): BackgroundJob => ({
  name: 'prune cleared URLs of domains',
  everyMs: 3_600_000,
  async run() {
    return (await db.query(prune, [1000])).length === 1000;
  },
});

const mailsPerStep = 100;

const onHost = sql(
  'domain-targets-on-host',
  `select t.id, d.host as domain from domain_targets t join domains d on d.id = t.domain_id
    where ${isHostOrBelow('t.host', '$1')} and t.cleared_at is null order by d.host`,
);

const targetsOn = sql(
  'domains-that-lead-to-host',
  `select d.host, d.account_id, t.kind, t.url, t.cleared_at
     from domain_targets t join domains d on d.id = t.domain_id
    where ${isHostOrBelow('t.host', '$1')} order by t.cleared_at is not null, d.host, t.kind limit $2`,
);

const onLists = (listsWith: (host: string, hash: string) => string) =>
  sql(
    'domain-targets-on-lists',
    `select distinct on (t.id) t.id, d.host as domain, listed.name as list
       from domain_targets t join domains d on d.id = t.domain_id
      cross join lateral (${listsWith('t.host', 't.url_hash')}) listed
      where t.cleared_at is null order by t.id, listed.name`,
  );

const clearTarget = sql(
  'clear-domain-target',
  'update domain_targets set cleared_at = $2, cleared_for = $3 where id = $1 and cleared_at is null returning 1',
);

const claimUnmailed = sql(
  'claim-unmailed-domain-targets',
  `with claimed as (
     update domain_targets set mailed_at = now() where id = any(array(
       select id from domain_targets
        where cleared_at > now() - interval '1 day' and mailed_at is null limit $1 for update skip locked))
     returning domain_id)
   select distinct u.id, u.email, d.host
     from claimed
     join domains d on d.id = claimed.domain_id
     join members m on m.account_id = d.account_id and m.role = 'owner'
     join auth_users u on u.id = m.user_id and u.email_verified`,
);

const prune = sql(
  'prune-cleared-domain-targets',
  `delete from domain_targets where id = any(array(
     select id from domain_targets where cleared_at < now() - interval '90 days' limit $1)) returning 1`,
);
