import { accountOperations } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import { AppError } from '../kernel/errors.ts';
import { presentPage } from '../kernel/page.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { OperatorService } from './operator.ts';
import { presentHost, presentList } from './present.ts';

/** Blocked hosts and imported lists. */
export function addHostRoutes(
  routes: Routes,
  {
    hosts,
    lists,
    view,
    runInBackground,
  }: Pick<OperatorService, 'hosts' | 'lists' | 'view' | 'runInBackground'>,
): void {
  function requireHost(text: string, param?: string): string {
    const host = hosts.parse(text);
    if (host !== null) return host;
    throw new AppError(
      'invalid_request',
      'host must be the name of a host with a dot in it, such as evil.example, without https:// and path.',
      param === undefined ? {} : { param },
    );
  }

  routes.add(accountOperations.getHostReach, async ({ db, params }) => {
    const host = requireHost(params.id);
    return { host, ...(await view.measureReach(db, host)) };
  });

  routes.add(accountOperations.listBlockedHosts, async ({ query }) => {
    const found = await hosts.pageBlockedHosts({ page: query.page ?? 1, limit: query.limit ?? 20 });
    return { data: found.items.map(presentHost), pagination: presentPage(found) };
  });

  routes.add(accountOperations.blockHost, async ({ body }) => {
    const host = requireHost(body.host, 'host');
    const ownerReason = await hosts.block(host, body.reason ?? null);
    runInBackground('codes of a blocked host not marked', () => hosts.suspendAll(host, ownerReason));
    const found = await hosts.blockedHost(host);
    if (!found)
      throw new AppError('not_found', `${host} was unblocked by another operator at the same moment.`);
    return presentHost(found);
  });

  routes.add(accountOperations.unblockHost, async ({ params }) => {
    const host = hosts.parse(params.id);
    const result = host === null ? null : await hosts.unblock(host);
    // After an earlier call that was interrupted, the host is no longer blocked but codes are left to release.
    if (host === null || !result || (!result.wasBlocked && result.released === 0))
      throw new AppError('not_found', 'This host is not blocked.');
    return { host, released_codes: result.released };
  });

  routes.add(accountOperations.listBlockLists, async ({ db }) => {
    const counts = await countByList(db);
    return { data: (await lists.all(db)).map(list => presentList(list, counts.get(list.name) ?? 0)) };
  });
}

/** How many codes each list has suspended. */
async function countByList(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ source: string; count: number }>(suspendedByList);
  return new Map(rows.map(({ source, count }) => [source, count]));
}

const suspendedByList = sql(
  'suspended-by-list',
  `select source, count(*) from suspensions
    where cause = 'list' and released_at is null and deleted_at is null group by source`,
);
