import { refuseReleased } from '../accounts/account.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { HostRefused, type HostResolver } from './resolver.ts';
import { newSecret, type SecretBox, showSecret } from './secret.ts';
import * as store from './store.ts';
import type { Endpoint, Webhook } from './webhook.ts';

export type NewWebhook = Pick<Webhook, 'url' | 'description' | 'events' | 'enabled'>;

export type WebhookChange = { readonly [Key in keyof NewWebhook]?: NewWebhook[Key] | undefined };

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly resolver: HostResolver;
  readonly box: SecretBox;
  /** Webhooks that an account may have in each mode. */
  readonly limit: number;
};

/** A webhook with its secret, which is shown in this one answer. */
export type Shown = { readonly webhook: Webhook; readonly secret: string };

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks({ ids, clock, resolver, box, limit }: Parts) {
  /** A name that leads nowhere today may lead somewhere tomorrow; one that leads inside is refused now. */
  async function checkUrl(url: string): Promise<void> {
    if (!URL.canParse(url)) throw badUrl('url is not a URL.');
    const { hostname } = new URL(url);
    await resolver.resolve(hostname).catch((error: unknown) => {
      if (!(error instanceof HostRefused)) throw error;
      if (error.reason === 'blocked_address')
        throw badUrl(`${error.message} Webhooks are sent to public addresses only.`);
      if (error.reason === 'dns_timeout')
        throw badUrl(
          `The host ${hostname} could not be looked up: no name server answered. Try again later.`,
        );
    });
  }

  async function get(on: Database, caller: Caller, id: Uuid | null): Promise<Webhook> {
    requirePlan(caller);
    return (id && (await store.findEndpoint(on, caller, id))) || notFound();
  }

  return {
    get,

    /** What a new webhook must pass before it is made. It asks name servers, so it is no part of a transaction. */
    async check(caller: Caller, { url }: Pick<NewWebhook, 'url'>): Promise<void> {
      requirePlan(caller);
      await checkUrl(url);
    },

    /** Makes one whose URL was checked. */
    async create(on: Database, caller: Caller, wanted: NewWebhook): Promise<Shown> {
      requirePlan(caller);
      const secret = newSecret();
      const now = clock.now();
      const endpoint: Endpoint = {
        ...wanted,
        id: ids.next(),
        accountId: caller.accountId,
        mode: caller.mode,
        disabledReason: wanted.enabled ? null : 'by_owner',
        secret: box.seal(secret),
        oldSecret: null,
        oldSecretUntil: null,
        failingSince: null,
        provenAt: null,
        createdAt: now,
        updatedAt: now,
      };
      const used = await store.insertEndpoint(on, endpoint, limit, mayStill(caller));
      if (used !== null) throw full(limit, used);
      return { webhook: endpoint, secret: showSecret(secret) };
    },

    async list(on: Database, caller: Caller): Promise<readonly Webhook[]> {
      requirePlan(caller);
      return await store.listEndpoints(on, caller);
    },

    /** Asks name servers where the URL is another: no part of a transaction. */
    async update(on: Database, caller: Caller, id: Uuid | null, wanted: WebhookChange): Promise<Webhook> {
      const { url: before } = await get(on, caller, id);
      if (wanted.url !== undefined && wanted.url !== before) await checkUrl(wanted.url);
      const change = (endpoint: Endpoint) => changed(endpoint, wanted, clock.now());
      return (await store.updateEndpoint(on, caller, id!, change, mayStill(caller))) ?? notFound();
    },

    async delete(on: Database, caller: Caller, id: Uuid | null): Promise<void> {
      requirePlan(caller);
      if (!(id && (await store.deleteEndpoint(on, caller, id, clock.now())))) notFound();
    },

    /** The old secret signs too for as long as is given; one that was older still ends now. */
    async rotate(on: Database, caller: Caller, id: Uuid | null, oldSeconds: number): Promise<Shown> {
      requirePlan(caller);
      const secret = newSecret();
      const change = (endpoint: Endpoint): Endpoint => {
        const now = clock.now();
        const until = oldSeconds > 0 ? new Date(now.getTime() + oldSeconds * 1000) : null;
        return {
          ...endpoint,
          secret: box.seal(secret),
          oldSecret: until && endpoint.secret,
          oldSecretUntil: until,
          updatedAt: now,
        };
      };
      const webhook =
        (id && (await store.updateEndpoint(on, caller, id, change, mayStill(caller)))) || notFound();
      return { webhook, secret: showSecret(secret) };
    },
  };
}

const mayStill = (caller: Caller) => (tx: Database) => refuseReleased(tx, caller);

function changed(endpoint: Endpoint, wanted: WebhookChange, now: Date): Endpoint {
  const enabled = wanted.enabled ?? endpoint.enabled;
  return {
    ...endpoint,
    url: wanted.url ?? endpoint.url,
    description: wanted.description ?? endpoint.description,
    events: wanted.events ?? endpoint.events,
    enabled,
    disabledReason: enabled ? null : wanted.enabled === false ? 'by_owner' : endpoint.disabledReason,
    // Whoever switches it on again wants it to be tried anew, not to be disabled by its past.
    failingSince: wanted.enabled ? null : endpoint.failingSince,
    // Another address has proven nothing yet.
    provenAt: wanted.url === undefined || wanted.url === endpoint.url ? endpoint.provenAt : null,
    updatedAt: now,
  };
}

export function requirePlan({ plan }: Caller): void {
  if (!plan.webhooks) {
    throw new AppError('plan_required', `The ${plan.name} plan has no webhooks. Move to a paid plan.`);
  }
}

const badUrl = (message: string) => new AppError('invalid_url', message, { param: 'url' });

const full = (limit: number, used: number) =>
  new AppError('quota_exceeded', `There may be ${limit} webhooks and there are ${used}. Delete one first.`, {
    limit,
    used,
  });

function notFound(): never {
  throw new AppError('not_found', 'No webhook has this id.');
}
