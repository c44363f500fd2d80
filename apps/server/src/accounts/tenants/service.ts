import type { Caller, Mode } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Page, Paged } from '../../kernel/page.ts';
import { type Database, violatedUniqueIndex } from '../../platform/postgres/postgres.ts';
import { addAccount, type OwnLimits } from '../account.ts';
import type { KeyTerms } from '../key-terms.ts';
import type { AccountsWithin } from '../service.ts';
import { changeTenant, findTenant, listTenants, lockTenant, platformSource } from './store.ts';
import type { Tenant } from './tenant.ts';

/** What other features do for it. */
type TenantPorts = {
  readonly suspensions: {
    suspendAccount(db: Database, accountId: Uuid, reason: string, source?: string): Promise<unknown>;
    releaseAccount(db: Database, accountId: Uuid): Promise<void>;
  };
  /** Invites the owner of an account that has no people yet; null where nobody can sign in. */
  readonly inviteOwner:
    | ((tx: Database, accountId: Uuid, email: string) => Promise<{ readonly link: string | null }>)
    | null;
};

type Parts = TenantPorts & {
  readonly accountsWithin: AccountsWithin;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly defaultPlan: string;
};

type Platform = Pick<Caller, 'accountId'>;

type NewTenant = {
  readonly name: string;
  readonly plan?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly ownerEmail?: string | undefined;
};

/** What is left out stays as it is. */
type TenantChange = Omit<NewTenant, 'name' | 'ownerEmail'> & {
  readonly name?: string | undefined;
  readonly limits?: OwnLimits | undefined;
  readonly suspension?: { readonly reason: string } | null | undefined;
};

export type Tenants = ReturnType<typeof createTenants>;

/** The accounts of a platform. It sees those that its own keys created: an operator key of another account finds none of them. */
export function createTenants(parts: Parts) {
  const { accountsWithin, ids, clock, defaultPlan, suspensions, inviteOwner } = parts;

  async function get(db: Database, { accountId }: Platform, id: Uuid | null): Promise<Tenant> {
    const found = id && (await findTenant(db, accountId, id));
    if (!found) throw noAccount();
    return found;
  }

  async function setSuspension(
    tx: Database,
    { id, suspension }: Tenant,
    wanted: { readonly reason: string } | null,
  ): Promise<void> {
    if (suspension && !suspension.byPlatform) throw byOperator();
    if (wanted && suspension?.reason === wanted.reason) return;
    if (suspension) await suspensions.releaseAccount(tx, id);
    if (wanted) await suspensions.suspendAccount(tx, id, wanted.reason, platformSource);
  }

  return {
    get,

    async create(
      db: Database,
      platform: Platform,
      { name, plan = defaultPlan, externalId = null, ownerEmail }: NewTenant,
    ): Promise<{ readonly tenant: Tenant; readonly link: string | null }> {
      const id = ids.next();
      const platformId = platform.accountId;
      return await takeExternalId(externalId, () =>
        db.transaction(async tx => {
          await accountsWithin(tx).requirePlan(plan);
          await addAccount(tx, { id, name, plan, createdAt: clock.now(), platformId, externalId });
          const invited = ownerEmail === undefined ? null : await invite(tx, id, ownerEmail);
          return { tenant: await get(tx, platform, id), link: invited?.link ?? null };
        }),
      );
    },

    list: (
      db: Database,
      { accountId }: Platform,
      externalId: string | null,
      page: Page,
    ): Promise<Paged<Tenant>> => listTenants(db, accountId, externalId, page),

    update(db: Database, platform: Platform, id: Uuid | null, change: TenantChange): Promise<Tenant> {
      const { name, plan, externalId, limits, suspension } = change;
      return takeExternalId(externalId ?? null, () =>
        db.transaction(async tx => {
          if (!id || !(await lockTenant(tx, platform.accountId, id))) throw noAccount();
          const before = await get(tx, platform, id);
          const accounts = accountsWithin(tx);
          if (name !== undefined || externalId !== undefined)
            await changeTenant(tx, id, { name, externalId });
          if (plan !== undefined && plan !== before.plan.name) await accounts.setPlan(id, plan);
          if (limits) await accounts.setLimits(id, limits);
          if (suspension !== undefined) await setSuspension(tx, before, suspension);
          return await get(tx, platform, id);
        }),
      );
    },

    async createKey(
      db: Database,
      platform: Platform,
      id: Uuid | null,
      { mode, name, terms }: { readonly mode: Mode; readonly name: string; readonly terms: KeyTerms },
    ) {
      const tenant = await get(db, platform, id);
      return await accountsWithin(db).createKey(tenant.id, mode, { name, terms });
    },
  };

  async function invite(tx: Database, id: Uuid, email: string) {
    if (inviteOwner) return await inviteOwner(tx, id, email);
    throw new AppError(
      'invalid_request',
      'Nobody can sign in to this installation, since AUTH_SECRET is not set. Leave owner_email out.',
      { param: 'owner_email' },
    );
  }
}

async function takeExternalId<Result>(
  externalId: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'accounts_external_id') throw error;
    throw new AppError(
      'external_id_taken',
      `Another of your accounts has the external id ${externalId}. Choose another, or update that account.`,
      { param: 'external_id' },
    );
  }
}

const noAccount = () => new AppError('not_found', 'No account of yours has this id.');

const byOperator = () =>
  new AppError(
    'forbidden',
    'The operator of this service suspended the account, and alone can release it. Ask the operator.',
  );
