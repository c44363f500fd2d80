import { randomInt } from 'node:crypto';
import { getHost } from '../kernel/addresses/hosts.ts';
import { listedUrlHash } from '../kernel/addresses/listed-url.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { StopNotifier } from '../redirect/changes/stops/stop.ts';
import { type Domain, type DomainChange, type TargetKind, targetKinds } from './domain.ts';
import * as statements from './statements.ts';
import { findDomain, listAllDomains, listDomains, lockDomain, publishDomain } from './store.ts';

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly redirects: StopNotifier;
};

/** Refuses URLs that a domain may not lead to. Runs in the transaction that writes them, before anything is locked. */
export type TargetCheck = (tx: Database, urls: readonly string[]) => Promise<void>;

export type Domains = ReturnType<typeof createDomains>;

/** Domains of accounts. When a change resolves, every redirect applies it. */
export function createDomains({ ids, clock, redirects }: Parts) {
  /** Runs one change and tells redirects; returns the domain as it is then. */
  async function change(
    db: Database,
    host: string,
    write: (tx: Database, now: Date) => Promise<void>,
  ): Promise<Domain> {
    const changes = await db.transaction(async tx => {
      const now = clock.now();
      await write(tx, now);
      return publishDomain(tx, host, now);
    });
    await db.afterCommit(() => redirects.notify(changes));
    return (await findDomain(db, host))!;
  }

  return {
    find: findDomain,
    list: listDomains,
    listAll: listAllDomains,

    /** A host that the account released returns with its codes. Another account gets a released host without codes only. */
    add: (db: Database, host: string, accountId: Uuid): Promise<Domain> =>
      change(db, host, async (tx, now) => {
        if ((await tx.query(statements.openAccount, [accountId])).length === 0)
          throw new AppError('not_found', 'No account has this id, or it is closed.', { param: 'account' });
        const inserted = await tx.query(statements.insertDomain, [
          ids.next(),
          accountId,
          host,
          createTag(),
          now,
        ]);
        if (inserted.length > 0) return;
        const existing = (await lockDomain(tx, host))!;
        if (existing.status === 'active' && existing.accountId === accountId) return;
        if (existing.status === 'active')
          throw new AppError(
            'invalid_transition',
            `${host} is a domain of another account. Remove it there first: signpost admin remove-domain ${host}`,
          );
        if (existing.accountId !== accountId) {
          if (existing.codes > 0) throw hasCodes(existing, 'They belong to the account that released it.');
          await tx.query(statements.removeTargets, [existing.id, targetKinds]);
        }
        await tx.query(statements.assignDomain, [host, accountId, now]);
      }),

    /** Sets where it leads by itself, and whether the dashboard preselects it. */
    set: (db: Database, host: string, wanted: DomainChange, check: TargetCheck): Promise<Domain> =>
      change(db, host, async (tx, now) => {
        const urls = { root: wanted.rootUrl, not_found: wanted.notFoundUrl };
        await check(
          tx,
          Object.values(urls).flatMap(url => url ?? []),
        );
        if (wanted.isDefault) await tx.query(statements.lockDefault, [host]);
        const domain = await requireActive(tx, host);
        for (const [kind, url] of Object.entries(urls) as [TargetKind, string | null | undefined][]) {
          if (url === null) await tx.query(statements.removeTargets, [domain.id, [kind]]);
          else if (url !== undefined)
            await tx.query(statements.setTarget, [
              domain.id,
              kind,
              url,
              getHost(new URL(url)),
              listedUrlHash(url),
            ]);
        }
        await tx.query(statements.touchDomain, [host, now]);
        if (!wanted.isDefault) return;
        await tx.query(statements.unsetDefault, [domain.accountId, now]);
        await tx.query(statements.setDefault, [host, now]);
      }),

    /** Its links answer 404 from then on. Codes stay, and a domain that has some is released only where the caller says so. */
    release: (db: Database, host: string, withCodes: boolean): Promise<Domain> =>
      change(db, host, async (tx, now) => {
        const domain = await requireActive(tx, host);
        if (domain.codes > 0 && !withCodes)
          throw hasCodes(
            domain,
            'Delete them first, or release the domain with --release: they stay, and stop.',
          );
        await tx.query(statements.releaseDomain, [host, now]);
      }),
  };
}

async function requireActive(tx: Database, host: string): Promise<Domain> {
  const domain = await lockDomain(tx, host);
  if (domain?.status === 'active') return domain;
  throw new AppError(
    'not_found',
    domain
      ? `${host} was released. Add it again first: signpost admin add-domain ${host} --account ACCOUNT`
      : `${host} is not a domain. signpost admin list-domains shows them.`,
  );
}

const hasCodes = ({ host, codes }: Domain, advice: string) =>
  new AppError(
    'invalid_transition',
    `${codes.toLocaleString('en')} ${codes === 1 ? 'code is' : 'codes are'} on ${host}. ${advice}`,
  );

/** Without vowels, so that it is no word, and without digits that look like letters: as the tags of accounts. */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const createTag = () => Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('');

/**
 * Releases every domain of a closed account, with what they lead to by themselves: an account without codes has no stop that
 * would hold. When it resolves, no redirect serves them.
 */
export async function releaseAllDomains(
  db: Database,
  redirects: StopNotifier,
  accountId: Uuid,
  now: Date,
): Promise<void> {
  for (const { id, host } of await listDomains(db, accountId)) {
    const changes = await db.transaction(async tx => {
      await lockDomain(tx, host);
      await tx.query(statements.removeTargets, [id, targetKinds]);
      await tx.query(statements.releaseDomain, [host, now]);
      return publishDomain(tx, host, now);
    });
    await redirects.notify(changes);
  }
}
