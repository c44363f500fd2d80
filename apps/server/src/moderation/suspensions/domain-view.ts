import { maxFoundCodes } from '@signpost/contract';
import { isHostOrBelow } from '../../kernel/addresses/hosts.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { parseCodeQuery } from './code-query.ts';
import { type AccountRow, accountColumns, toAccountItem } from './rows.ts';
import type { OperatorDomain } from './suspension.ts';

/** The domain of this name, and domains that lead to this host or its subdomains by themselves, or led there; by name. */
export async function findDomains(
  db: Database,
  link: string,
  linkNames: LinkNames,
): Promise<readonly OperatorDomain[]> {
  const query = parseCodeQuery(link, linkNames);
  if (query === null || 'key' in query) return [];
  const rows = await db.query<DomainRow>(domainsAt, [query.host, maxFoundCodes]);
  return rows.map(row => ({
    host: row.host,
    status: row.status,
    account: toAccountItem(row),
    targets: row.targets.map(({ kind, url, cleared_at: clearedAt }) => ({
      kind,
      url,
      clearedAt: clearedAt === null ? null : new Date(clearedAt),
    })),
  }));
}

type DomainRow = AccountRow & {
  host: string;
  status: OperatorDomain['status'];
  targets: { kind: 'root' | 'not_found'; url: string; cleared_at: string | null }[];
};

const domainsAt = sql(
  'operator-domains-at-host',
  `select d.host, d.status, ${accountColumns},
          coalesce((select json_agg(json_build_object('kind', t.kind, 'url', t.url, 'cleared_at', t.cleared_at)
                                    order by t.cleared_at desc nulls first, t.kind desc)
                      from domain_targets t where t.domain_id = d.id), '[]') as targets
     from (select id from domains where host = $1
           union
           (select distinct domain_id from domain_targets where ${isHostOrBelow('host', '$1')} limit $2)) found
     join domains d on d.id = found.id
     join accounts a on a.id = d.account_id
    order by d.host`,
);
