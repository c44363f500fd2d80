import { AppError } from '../../kernel/errors.ts';
import type { ImportedLink } from './imported-link.ts';

/** What an import does with each link of a file. */
export type ImportPlan = {
  readonly create: readonly ImportedLink[];
  readonly skip: readonly { readonly link: ImportedLink; readonly reason: string }[];
};

/** The reason why the service would refuse the link, or undefined. */
export type Rule = (link: ImportedLink) => string | undefined;

/** The body of the request that creates the code. */
export function toCreate({ name, destinationUrl, shortCode, tags, routing }: ImportedLink, reclaim: boolean) {
  const reclaimed = reclaim ? { reclaim } : {};
  return {
    ...reclaimed,
    name,
    destination_url: destinationUrl,
    short_code: shortCode,
    tags: [...tags],
    ...routing,
  };
}

/**
 * Decides what can be imported. A printed code only works with its own short code, so a link whose short code is not available
 * is skipped and reported, never given another one. If a file has links of several hosts, the caller must choose one,
 * since two of them may have the same short code.
 */
export function planImport(
  links: readonly ImportedLink[],
  {
    host,
    taken,
    rule,
  }: { readonly host?: string | undefined; readonly taken: ReadonlySet<string>; readonly rule: Rule },
): ImportPlan {
  const hosts = [...new Set(links.map(link => link.host).filter(name => name !== ''))];
  if (host === undefined && hosts.length > 1) {
    throw new AppError(
      'invalid_request',
      `The file has links of several hosts: ${hosts.join(', ')}. Choose one with --host.`,
    );
  }
  const seen = new Map<string, number>();
  const create: ImportedLink[] = [];
  const skip: { link: ImportedLink; reason: string }[] = [];
  for (const link of links) {
    const lowerCase = link.shortCode.toLowerCase();
    const earlierRow = seen.get(lowerCase);
    const reason =
      host !== undefined && link.host !== '' && link.host !== host.toLowerCase()
        ? `it belongs to ${link.host}`
        : (link.refusal ??
          (link.shortCode === '' ? 'it has no short code' : undefined) ??
          rule(link) ??
          (earlierRow === undefined
            ? undefined
            : `row ${earlierRow} has the same short code; short codes ignore case`) ??
          (taken.has(lowerCase) ? 'the account already has this short code' : undefined));
    if (reason === undefined) {
      seen.set(lowerCase, link.row);
      create.push(link);
    } else skip.push({ link, reason });
  }
  return { create, skip };
}
