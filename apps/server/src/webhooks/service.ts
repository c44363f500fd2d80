import { refuseReleased } from '../accounts/account.ts';
import { hasEmptyLabel } from '../kernel/addresses/hosts.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { HostRefused, type HostResolver } from './resolver.ts';
import { newSecret, type SecretCipher, showSecret } from './secret.ts';
import * as store from './store.ts';
import type { Endpoint, Webhook } from './webhook.ts';

export type NewWebhook = Pick<
  Webhook,
  'url' | 'description' | 'events' | 'includeCodeDetails' | 'qrIds' | 'tags' | 'enabled'
>;

export type WebhookChange = { readonly [Key in keyof NewWebhook]?: NewWebhook[Key] | undefined };

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly resolver: HostResolver;
  readonly cipher: SecretCipher;
  /** Webhooks that an account may have in each mode. */
  readonly limit: number;
};

/** A webhook with its secret, which only this answer shows. */
export type WebhookWithSecret = { readonly webhook: Webhook; readonly secret: string };

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks({ ids, clock, resolver, cipher, limit }: Parts) {
  /** A name without an address may get one later, so it is accepted. One with a private address is refused now. */
  async function checkUrl(url: string): Promise<void> {
    if (!URL.canParse(url)) throw badUrl('This is not a valid URL.');
    const parsed = new URL(url);
    if (hasEmptyLabel(parsed))
      throw badUrl('The host has an empty part: two dots in a row, or a dot at its beginning.');
    const { hostname } = parsed;
    await resolver.resolve(hostname).catch((error: unknown) => {
      if (!(error instanceof HostRefused)) throw error;
      if (error.reason === 'blocked_address') throw badUrl(`${error.message} ${wayOut}`);
      if (error.reason === 'dns_timeout')
        throw badUrl(
          `The host ${hostname} could not be looked up: no name server answered. Try again later.`,
        );
    });
  }

  async function get(db: Database, caller: Caller, id: Uuid | null): Promise<Webhook> {
    requirePlan(caller);
    return (id && (await store.findEndpoint(db, caller, id))) || notFound();
  }

  return {
    get,

    /** Checks a new webhook before it is created. Queries name servers, so it must not run inside a transaction. */
    async check(caller: Caller, { url }: Pick<NewWebhook, 'url'>): Promise<void> {
      requirePlan(caller);
      await checkUrl(url);
    },

    /** Its URL must have been checked. */
    async create(db: Database, caller: Caller, input: NewWebhook): Promise<WebhookWithSecret> {
      requirePlan(caller);
      await requireCodes(db, caller, input.qrIds);
      const secret = newSecret();
      const now = clock.now();
      const endpoint: Endpoint & { readonly createdBy: Uuid | null } = {
        ...input,
        id: ids.next(),
        accountId: caller.accountId,
        mode: caller.mode,
        disabledReason: input.enabled ? null : 'by_owner',
        secret: cipher.encrypt(secret),
        oldSecret: null,
        oldSecretUntil: null,
        failingSince: null,
        provenAt: null,
        createdBy: caller.via.kind === 'user' ? caller.via.id : null,
        createdAt: now,
        updatedAt: now,
      };
      const used = await store.insertEndpoint(db, endpoint, limit, refuseIfReleased(caller));
      if (used !== null) throw quotaExceeded(limit, used);
      return { webhook: endpoint, secret: showSecret(secret) };
    },

    async list(db: Database, caller: Caller): Promise<readonly Webhook[]> {
      requirePlan(caller);
      return await store.listEndpoints(db, caller);
    },

    /** Queries name servers for a new URL, so it must not run inside a transaction. */
    async checkChange(
      db: Database,
      caller: Caller,
      id: Uuid | null,
      change: Pick<WebhookChange, 'url'>,
    ): Promise<void> {
      const { url } = await get(db, caller, id);
      if (change.url !== undefined && change.url !== url) await checkUrl(change.url);
    },

    /** Its URL must have been checked. */
    async update(db: Database, caller: Caller, id: Uuid | null, change: WebhookChange): Promise<Webhook> {
      requirePlan(caller);
      await requireCodes(db, caller, change.qrIds ?? null);
      const apply = (endpoint: Endpoint) => applyChange(endpoint, change, clock.now());
      const updated = id && (await store.updateEndpoint(db, caller, id, apply, refuseIfReleased(caller)));
      return updated || notFound();
    },

    async delete(db: Database, caller: Caller, id: Uuid | null): Promise<void> {
      requirePlan(caller);
      if (!(id && (await store.deleteEndpoint(db, caller, id, clock.now())))) notFound();
    },

    /** The old secret also signs for this many seconds. One that is older still ends now. */
    async rotate(
      db: Database,
      caller: Caller,
      id: Uuid | null,
      oldSeconds: number,
    ): Promise<WebhookWithSecret> {
      requirePlan(caller);
      const secret = newSecret();
      const rotateSecret = (endpoint: Endpoint): Endpoint => {
        const now = clock.now();
        const until = oldSeconds > 0 ? new Date(now.getTime() + oldSeconds * 1000) : null;
        return {
          ...endpoint,
          secret: cipher.encrypt(secret),
          oldSecret: until && endpoint.secret,
          oldSecretUntil: until,
          updatedAt: now,
        };
      };
      const webhook =
        (id && (await store.updateEndpoint(db, caller, id, rotateSecret, refuseIfReleased(caller)))) ||
        notFound();
      return { webhook, secret: showSecret(secret) };
    },
  };
}

/** Refuses codes that the caller does not have. */
async function requireCodes(db: Database, caller: Caller, ids: readonly Uuid[] | null): Promise<void> {
  if (ids === null || (await store.ownsCodes(db, caller, ids))) return;
  throw new AppError('invalid_request', 'qr_ids names a code that does not exist.', { param: 'qr_ids' });
}

const refuseIfReleased = (caller: Caller) => (tx: Database) => refuseReleased(tx, caller);

function applyChange(endpoint: Endpoint, change: WebhookChange, now: Date): Endpoint {
  const enabled = change.enabled ?? endpoint.enabled;
  return {
    ...endpoint,
    url: change.url ?? endpoint.url,
    description: change.description ?? endpoint.description,
    events: change.events ?? endpoint.events,
    includeCodeDetails: change.includeCodeDetails ?? endpoint.includeCodeDetails,
    qrIds: change.qrIds === undefined ? endpoint.qrIds : change.qrIds,
    tags: change.tags === undefined ? endpoint.tags : change.tags,
    enabled,
    disabledReason: enabled ? null : change.enabled === false ? 'by_owner' : endpoint.disabledReason,
    // An owner who enables it again wants new attempts, and not that its past disables it at once.
    failingSince: change.enabled ? null : endpoint.failingSince,
    // A new URL has had no success yet.
    provenAt: change.url === undefined || change.url === endpoint.url ? endpoint.provenAt : null,
    updatedAt: now,
  };
}

/** Test webhooks are for every plan: `test-limit.ts` limits what is sent to them. */
export function requirePlan({ plan, mode }: Caller): void {
  if (!plan.webhooks && mode === 'live') {
    throw new AppError(
      'plan_required',
      `The ${plan.name} plan doesn't include webhooks in live mode. Ask the operator of this server for them, or try them in test mode.`,
    );
  }
}

/** For those who develop on their own machine, or run their own server. */
const wayOut =
  'Webhooks are sent to public addresses only. To receive them on your own machine use a tunnel, or poll GET /v1/analytics/scans?after= instead. On your own server, WEBHOOK_ALLOW_CIDRS allows private addresses.';

const badUrl = (message: string) => new AppError('invalid_url', message, { param: 'url' });

const quotaExceeded = (limit: number, used: number) =>
  new AppError('quota_exceeded', `You can have ${limit} webhooks, and you have ${used}. Delete one first.`, {
    limit,
    used,
  });

function notFound(): never {
  throw new AppError('not_found', 'No webhook has this id.');
}
