import { parseHost } from '../../kernel/addresses/hosts.ts';
import { AppError } from '../../kernel/errors.ts';
import type { ImportedLink } from './imported-link.ts';

/** What an import does with each link of a file. */
export type ImportPlan = {
  readonly create: readonly ImportedLink[];
  readonly skip: readonly { readonly link: ImportedLink; readonly reason: string }[];
};

/** The reason why the service would refuse the link, or undefined. */
export type Rule = (link: ImportedLink) => string | undefined;

type PlanOptions = {
  readonly host?: string | undefined;
  /** The active domains of the account, where each link goes on that of its host. */
  readonly domains?: ReadonlySet<string> | undefined;
  /** What exists already, by `toPlaceKey`. */
  readonly taken: ReadonlySet<string>;
  readonly rule: Rule;
};

/** The body of the request that creates the code. */
export function toCreate(
  { name, destinationUrl, shortCode, domain, tags, routing }: ImportedLink,
  reclaim: boolean,
) {
  const reclaimed = reclaim ? { reclaim } : {};
  return {
    ...reclaimed,
    name,
    destination_url: destinationUrl,
    short_code: shortCode,
    ...(domain === undefined ? {} : { domain }),
    tags: [...tags],
    ...routing,
  };
}

/** What a short code is unique by. */
export const toPlaceKey = (shortCode: string, domain: string | null | undefined): string =>
  `${domain ?? ''}/${shortCode.toLowerCase()}`;

/**
 * Decides what can be imported. A printed code only works with its own short code, so a link whose short code is not available
 * is skipped and reported, never given another one. If a file has links of several hosts, the caller must choose one,
 * since two of them may have the same short code; or put each link on the domain of its host, where the caller names the
 * active domains of the account.
 */
export function planImport(
  links: readonly ImportedLink[],
  { host, domains, taken, rule }: PlanOptions,
): ImportPlan {
  const hosts = [...new Set(links.map(link => link.host).filter(name => name !== ''))];
  if (host === undefined && !domains && hosts.length > 1) {
    throw new AppError(
      'invalid_request',
      `The file has links of several hosts: ${hosts.join(', ')}. Choose one with --host, or put each on its domain with --domains.`,
    );
  }
  const seen = new Map<string, number>();
  const create: ImportedLink[] = [];
  const skip: { link: ImportedLink; reason: string }[] = [];
  for (const read of links) {
    const domain = domains && parseHost(read.host);
    const link = domain && domains.has(domain) ? { ...read, domain } : read;
    const place = toPlaceKey(link.shortCode, link.domain);
    const earlierRow = seen.get(place);
    const reason =
      host !== undefined && link.host !== '' && link.host !== host.toLowerCase()
        ? `it belongs to ${link.host}`
        : (link.refusal ??
          (domains && link.domain === undefined ? notOnDomain(link) : undefined) ??
          (link.shortCode === '' ? 'it has no short code' : undefined) ??
          rule(link) ??
          (earlierRow === undefined
            ? undefined
            : `row ${earlierRow} has the same short code; short codes ignore case`) ??
          (taken.has(place) ? 'the account already has this short code' : undefined));
    if (reason === undefined) {
      seen.set(place, link.row);
      create.push(link);
    } else skip.push({ link, reason });
  }
  return { create, skip };
}

const notOnDomain = ({ host }: ImportedLink): string =>
  host === '' ? 'the file does not say its host' : `${host} is not an active domain of the account`;
