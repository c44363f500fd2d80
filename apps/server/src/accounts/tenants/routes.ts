import { operations, type UpdateTenant, type Tenant as WireTenant } from '@signpost/contract';
import type { Routes } from '../../http/routes.ts';
import { getCreationLimit } from '../../kernel/caller.ts';
import { formatId, parseId } from '../../kernel/ids.ts';
import { presentPage } from '../../kernel/page.ts';
import type { OwnLimits } from '../account.ts';
import { openTerms } from '../key-terms.ts';
import { presentKey, toTerms } from '../present.ts';
import type { Tenants } from './service.ts';
import type { Tenant } from './tenant.ts';

/** The accounts of a platform, by operator keys. */
export function addTenantRoutes(routes: Routes, tenants: Tenants): void {
  routes.add(operations.createTenant, async ({ db, caller, body }) => {
    const { name, plan, external_id: externalId, owner_email: ownerEmail } = body;
    const { tenant, link } = await tenants.create(db, caller, { name, plan, externalId, ownerEmail });
    return { ...present(tenant), link };
  });

  routes.add(operations.listTenants, async ({ db, caller, query }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 20 };
    const found = await tenants.list(db, caller, query.external_id ?? null, page);
    return { data: found.items.map(present), pagination: presentPage(found) };
  });

  routes.add(operations.getTenant, async ({ db, caller, params }) =>
    present(await tenants.get(db, caller, parseId('acct', params.id))),
  );

  routes.add(operations.updateTenant, async ({ db, caller, params, body }) => {
    const { name, plan, external_id: externalId, suspension } = body;
    const change = { name, plan, externalId, suspension, limits: body.limits && toLimits(body.limits) };
    return present(await tenants.update(db, caller, parseId('acct', params.id), change));
  });

  routes.add(operations.createTenantKey, async ({ db, caller, params, body }) => {
    const { mode, name } = body;
    const terms = { ...openTerms, ...toTerms(body) };
    const made = await tenants.createKey(db, caller, parseId('acct', params.id), { mode, name, terms });
    return { ...presentKey({ ...made.stored, creatorName: null }), key: made.key.text };
  });
}

const toLimits = (limits: NonNullable<UpdateTenant['limits']>): OwnLimits => ({
  requestsPerMinute: limits.requests_per_minute,
  codes: limits.qr_codes,
  creationsPerMinute: limits.new_qr_codes_per_minute,
});

const present = ({ plan, suspension, ...tenant }: Tenant): WireTenant => ({
  id: formatId('acct', tenant.id),
  name: tenant.name,
  external_id: tenant.externalId,
  plan: plan.name,
  limits: {
    requests_per_minute: plan.requestsPerMinute,
    qr_codes: plan.codeQuota,
    new_qr_codes_per_minute: getCreationLimit(plan),
    members: tenant.memberLimit,
  },
  used: { qr_codes: tenant.codesUsed, members: tenant.members },
  suspension: suspension && {
    reason: suspension.reason,
    suspended_at: suspension.since.toISOString(),
    by_operator: !suspension.byPlatform,
  },
  created_at: tenant.createdAt.toISOString(),
});
