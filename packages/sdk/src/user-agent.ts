import { version } from './generated.ts';

type Platform = {
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
  readonly navigator?: { readonly userAgent?: string };
  readonly document?: unknown;
};

/**
 * Names the SDK and its runtime to the service: `signpost-sdk/0.2.0 node/24.21.0`. In a browser it is undefined: the
 * browser has a User-Agent of its own, and a header that we add would need the service's permission by CORS.
 */
export function userAgentOf(platform: Platform): string | undefined {
  const name = `signpost-sdk/${version}`;
  // Bun and Deno say which Node they are compatible with, too.
  const versions = platform.process?.versions;
  const runtime = ['bun', 'deno', 'node'].find(one => versions?.[one] !== undefined);
  if (runtime && platform.document === undefined) return `${name} ${runtime}/${versions?.[runtime]}`;
  return platform.navigator?.userAgent === 'Cloudflare-Workers' ? `${name} workerd` : undefined;
}
