import type { Domain } from '@signpost/contract';
import { shownPath, shownUrl } from '../../ui/format.ts';

type Choice = Pick<Domain, 'host' | 'status' | 'is_default'>;

/** What short links on a domain begin with; without a domain, what those of the service begin with. */
export function toShortBase(domain: string, serviceBase: string): string {
  if (domain === '') return serviceBase;
  const { protocol, port } = new URL(serviceBase);
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
}

/** The domain that new codes start with; empty for the host of the service. */
export const defaultDomain = (domains: readonly Choice[]): string =>
  domains.find(({ status, is_default }) => status === 'active' && is_default)?.host ?? '';

/** A short link in little room: the host is said only where it is not that of the service. */
export const shownLink = (url: string, serviceBase: string): string =>
  new URL(url).host === new URL(serviceBase).host ? shownPath(url) : shownUrl(url);
