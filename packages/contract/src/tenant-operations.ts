import Type from 'typebox';
import { CreateTenantKey, NewApiKey } from './account.ts';
import type { Operation } from './operation.ts';
import { operatorPermission } from './permissions.ts';
import { CreatedTenant, CreateTenant, Tenant, TenantList, TenantsQuery, UpdateTenant } from './tenants.ts';

const params = Type.Object({ id: Type.String({ description: 'Id of the account, `acct_…`.' }) });

/** For operator keys alone. What shows a secret is not stored for a repeated request: `external_id` keeps a retry from creating twice. */
const common = {
  authScheme: 'apiKey',
  permission: operatorPermission,
  tag: 'Accounts',
  noReplay: true,
} as const;

/** What a platform does with the accounts of its customers. */
export const tenantOperations = {
  createTenant: {
    ...common,
    id: 'createTenant',
    method: 'POST',
    path: '/v1/accounts',
    summary: 'Create an account',
    description:
      'Creates an account for a customer of yours. It needs an operator key, which `signpost admin create-key --operator` creates; an operator key sees and changes the accounts that keys of its own account created, and no others. With `owner_email` that person is invited as the owner; without, the account has no people. To be safe against creating twice when you retry, send an `external_id`.',
    body: CreateTenant,
    showsSecret: true,
    success: { status: 201, description: 'The account.', schema: CreatedTenant },
    errors: ['forbidden', 'external_id_taken'],
  },
  listTenants: {
    ...common,
    id: 'listTenants',
    method: 'GET',
    path: '/v1/accounts',
    summary: 'List accounts',
    description:
      'Returns the accounts that keys of your account created, with their limits and what they use, newest first. Closed accounts are left out.',
    query: TenantsQuery,
    success: { status: 200, description: 'One page of accounts.', schema: TenantList },
    errors: ['forbidden'],
  },
  getTenant: {
    ...common,
    id: 'getTenant',
    method: 'GET',
    path: '/v1/accounts/{id}',
    summary: 'Get an account',
    description: 'Returns one of your accounts with its limits, what it uses, and whether it is suspended.',
    params,
    success: { status: 200, description: 'The account.', schema: Tenant },
    errors: ['forbidden', 'not_found'],
  },
  updateTenant: {
    ...common,
    id: 'updateTenant',
    method: 'PATCH',
    path: '/v1/accounts/{id}',
    summary: 'Update an account',
    description:
      'Changes the name, plan, limits or external id, or suspends and releases the account. By the time of the response, every process applies it. Existing codes are not changed by another plan.',
    params,
    body: UpdateTenant,
    success: { status: 200, description: 'The account.', schema: Tenant },
    errors: ['forbidden', 'not_found', 'external_id_taken', 'invalid_transition'],
  },
  createTenantKey: {
    ...common,
    id: 'createTenantKey',
    method: 'POST',
    path: '/v1/accounts/{id}/keys',
    summary: 'Create an API key of an account',
    description:
      'Creates a key of one of your accounts, which is shown only once. `scopes` limit what it may do, `allowed_cidrs` from where, and `expires_at` until when. An account can have at most 100 keys.',
    params,
    body: CreateTenantKey,
    showsSecret: true,
    success: { status: 201, description: 'The new key.', schema: NewApiKey },
    errors: ['forbidden', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
