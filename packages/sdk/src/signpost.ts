import { createMethod, type OperationId } from './method.ts';
import {
  type AccountMethods,
  type AccountsMethods,
  type AnalyticsMethods,
  type AssetsMethods,
  type AuditMethods,
  type DesignsMethods,
  type ImagesMethods,
  type OpenapiMethods,
  type QrcodesMethods,
  resources,
  type SheetsMethods,
  type TagsMethods,
  type WebhooksMethods,
} from './methods.ts';
import { createTransport, type Fetch, type OnRetry } from './transport.ts';
import { verify } from './webhooks.ts';

export type SignpostOptions = {
  /** `sk_live_…` or `sk_test_…`. It opens the account as far as its scopes allow: keep it on servers. */
  readonly apiKey: string;
  /** Where your Signpost answers, such as `https://qr.example.com`. */
  readonly baseUrl: string;
  /** The longest that one attempt may take. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again where that is safe. Default 2; 0 for never. */
  readonly maxRetries?: number | undefined;
  /** If the service asks for a longer wait than this, the call fails instead. Default 60,000. */
  readonly maxRetryDelayMs?: number | undefined;
  /** Called before each retry, for your logs. If it throws, the call ends with that error. */
  readonly onRetry?: OnRetry | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
};

/**
 * The client of a Signpost server.
 *
 * @example
 * ```ts
 * const signpost = new Signpost({
 *   apiKey: process.env.SIGNPOST_KEY!,
 *   baseUrl: 'https://qr.example.com',
 * });
 * const menu = await signpost.qrcodes.create({
 *   name: 'Spring menu',
 *   destination_url: 'https://example.com/menu/spring',
 * });
 * ```
 */
export class Signpost {
  readonly qrcodes: QrcodesMethods;
  readonly tags: TagsMethods;
  readonly analytics: AnalyticsMethods;
  readonly webhooks: WebhooksMethods & { readonly verify: typeof verify };
  readonly account: AccountMethods;
  /** Who changed what. */
  readonly audit: AuditMethods;
  /** Accounts of a platform, by an operator key. */
  readonly accounts: AccountsMethods;
  readonly assets: AssetsMethods;
  readonly designs: DesignsMethods;
  readonly sheets: SheetsMethods;
  readonly images: ImagesMethods;
  readonly openapi: OpenapiMethods;

  constructor(options: SignpostOptions) {
    const { apiKey, timeoutMs = 30_000, maxRetries = 2, maxRetryDelayMs = 60_000 } = options;
    if (!/^[\x21-\x7e]+$/.test(apiKey ?? ''))
      throw new TypeError(
        `apiKey must be an API key of your account, sk_live_… or sk_test_…${ifUnset(apiKey)}`,
      );
    const baseUrl = checkedBase(options.baseUrl);
    // Called as a function of its own: some platforms refuse a fetch that is called as a method.
    const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
    const transport = createTransport({
      ...{ apiKey, fetch: send, timeoutMs, maxRetries, maxRetryDelayMs },
      onRetry: options.onRetry,
    });
    const methodsOf = <Methods>(operations: Readonly<Record<string, OperationId>>) => {
      const methods = Object.entries(operations).map(([verb, id]) => [
        verb,
        createMethod(id, baseUrl, transport),
      ]);
      return Object.fromEntries(methods) as Methods;
    };
    this.qrcodes = methodsOf(resources.qrcodes);
    this.tags = methodsOf(resources.tags);
    this.analytics = methodsOf(resources.analytics);
    this.webhooks = { ...methodsOf<WebhooksMethods>(resources.webhooks), verify };
    this.account = methodsOf(resources.account);
    this.audit = methodsOf(resources.audit);
    this.accounts = methodsOf(resources.accounts);
    this.assets = methodsOf<AssetsMethods>(resources.assets);
    this.designs = methodsOf<DesignsMethods>(resources.designs);
    this.sheets = methodsOf<SheetsMethods>(resources.sheets);
    this.images = methodsOf<ImagesMethods>(resources.images);
    this.openapi = methodsOf(resources.openapi);
  }
}

const ifUnset = (value: string | undefined) =>
  value ? '' : '. It is empty: is the environment variable set?';

function checkedBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError(
      `baseUrl must be the http or https address of your Signpost, such as https://qr.example.com${ifUnset(baseUrl)}`,
    );
  }
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}
