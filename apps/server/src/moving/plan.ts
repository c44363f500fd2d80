import { AppError } from '../kernel/errors.ts';
import type { ImportedLink } from './imported-link.ts';

/** What becomes of each link of a file. */
export type Plan = {
  readonly make: readonly ImportedLink[];
  readonly leave: readonly { readonly link: ImportedLink; readonly why: string }[];
};

/** Refuses by the rules of the service, as text, or lets pass. */
export type Rule = (link: ImportedLink) => string | undefined;

/** What a create sends. */
export function toCreate({ name, destinationUrl, shortCode }: ImportedLink) {
  return { name, destination_url: destinationUrl, short_code: shortCode };
}

/**
 * Decides what can be taken over. A printed code keeps its last part or it is worth nothing, so a link whose short code cannot
 * be had is left out and said, never given another. Links of several hosts in one file must be told apart by the
 * caller, since two of them may have the same last part.
 */
export function planImport(
  links: readonly ImportedLink[],
  {
    host,
    taken,
    rule,
  }: { readonly host?: string | undefined; readonly taken: ReadonlySet<string>; readonly rule: Rule },
): Plan {
  const hosts = [...new Set(links.map(link => link.host).filter(name => name !== ''))];
  if (host === undefined && hosts.length > 1) {
    throw new AppError(
      'invalid_request',
      `The file has links of ${hosts.join(', ')}. Choose one with --host.`,
    );
  }
  const seen = new Map<string, number>();
  const make: ImportedLink[] = [];
  const leave: { link: ImportedLink; why: string }[] = [];
  for (const link of links) {
    const folded = link.shortCode.toLowerCase();
    const before = seen.get(folded);
    const why =
      host !== undefined && link.host !== '' && link.host !== host.toLowerCase()
        ? `it is of ${link.host}`
        : (link.refusal ??
          (link.shortCode === '' ? 'it has no short code' : undefined) ??
          rule(link) ??
          (before === undefined
            ? undefined
            : `row ${before} has the same short code; case does not tell codes apart`) ??
          (taken.has(folded) ? 'the account has this short code already' : undefined));
    if (why === undefined) {
      seen.set(folded, link.row);
      make.push(link);
    } else leave.push({ link, why });
  }
  return { make, leave };
}
