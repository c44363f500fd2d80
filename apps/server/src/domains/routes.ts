import { operations, type Domain as WireDomain } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import { formatId } from '../kernel/ids.ts';
import type { Domain } from './domain.ts';
import type { Domains } from './service.ts';

/** The endpoints of domains. Wire names are mapped here and nowhere else. */
export function addDomainRoutes(routes: Routes, domains: Pick<Domains, 'list'>): void {
  routes.add(operations.listDomains, async ({ db, caller }) => ({
    data: (await domains.list(db, caller.accountId)).map(present),
  }));
}

const present = (domain: Domain): WireDomain => ({
  id: formatId('dom', domain.id),
  host: domain.host,
  status: domain.status,
  is_default: domain.isDefault,
  root_url: domain.rootUrl,
  not_found_url: domain.notFoundUrl,
  qr_codes: domain.codes,
  created_at: domain.createdAt.toISOString(),
  updated_at: domain.updatedAt.toISOString(),
});
