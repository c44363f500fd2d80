import { createMethod, type Method, type OperationId } from './method.ts';
import { resources } from './resources.ts';
import { createTransport, type Fetch } from './transport.ts';
import { verify } from './webhooks.ts';

export type SignpostOptions = {
  /** `sk_live_…` or `sk_test_…`. It opens the whole account: keep it on servers. */
  readonly apiKey: string;
  /** Where your Signpost answers, such as `https://qr.example.com`. */
  readonly baseUrl: string;
  /** The longest that one try may take. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again where that is safe. Default 2; 0 for never. */
  readonly maxRetries?: number | undefined;
  /** A wait that the service asks for and that is longer is left to you. Default 60,000. */
  readonly maxRetryDelayMs?: number | undefined;
  /** In the place of the platform's own. */
  readonly fetch?: Fetch | undefined;
};

type Resources = typeof resources;
type Methods = {
  readonly [Name in keyof Resources]: {
    readonly [Verb in keyof Resources[Name]]: Resources[Name][Verb] extends OperationId
      ? Method<Resources[Name][Verb]>
      : never;
  };
};

/** The client: `signpost.qrcodes.create(params, options)`. */
export class Signpost implements Methods {
  readonly qrcodes: Methods['qrcodes'];
  readonly analytics: Methods['analytics'];
  readonly webhooks: Methods['webhooks'] & { readonly verify: typeof verify };
  readonly openapi: Methods['openapi'];

  constructor(options: SignpostOptions) {
    const { apiKey, timeoutMs = 30_000, maxRetries = 2, maxRetryDelayMs = 60_000 } = options;
    if (!/^[\x21-\x7e]+$/.test(apiKey ?? ''))
      throw new TypeError('apiKey must be an API key of your account');
    const baseUrl = checkedBase(options.baseUrl);
    // Called as a function of its own: some platforms refuse a fetch that is called as a method.
    const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
    const transport = createTransport({ apiKey, fetch: send, timeoutMs, maxRetries, maxRetryDelayMs });
    const methodsOf = <Name extends keyof Resources>(name: Name) =>
      Object.fromEntries(
        Object.entries<OperationId>(resources[name]).map(([verb, id]) => [
          verb,
          createMethod(id, baseUrl, transport),
        ]),
      ) as unknown as Methods[Name];
    this.qrcodes = methodsOf('qrcodes');
    this.analytics = methodsOf('analytics');
    this.webhooks = { ...methodsOf('webhooks'), verify };
    this.openapi = methodsOf('openapi');
  }
}

function checkedBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError('baseUrl must be the http or https address of your Signpost');
  }
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}
