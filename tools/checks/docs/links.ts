import { posix } from 'node:path';

/** Everything that a page can link to. Paths are relative to the root of the repository. */
export type Tree = {
  /** A file or a folder. */
  has(path: string): boolean;
  /** A path that Git ignores: a command creates it, so it may be missing. */
  isIgnored(path: string): boolean;
  /** The anchors of a Markdown page; undefined for any other file. */
  anchorsOf(path: string): ReadonlySet<string> | undefined;
};

/** Why a link on this page is broken, or undefined. */
export function linkFault(page: string, target: string, tree: Tree): string | undefined {
  if (target === '') return 'a link without a target';
  if (target.startsWith('mailto:'))
    return /^mailto:[^@\s]+@[^@\s]+\.\w+$/.test(target) ? undefined : `${target} is not an address`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return externalFault(target);
  const [path = '', anchor] = target.split('#') as [string, string | undefined];
  const file = path === '' ? page : resolvePath(page, path);
  if (!tree.has(file)) return `${target}: there is no ${file}`;
  if (anchor === undefined) return undefined;
  const anchors = tree.anchorsOf(file);
  if (anchors === undefined)
    return /^L\d+(-L\d+)?$/.test(anchor) ? undefined : `${target}: ${file} has no anchors`;
  return anchors.has(decodeURIComponent(anchor)) ? undefined : `${target}: ${file} has no heading #${anchor}`;
}

/** External pages are not requested: an outage elsewhere must not fail the check. */
function externalFault(target: string): string | undefined {
  if (!URL.canParse(target)) return `${target} is not a URL`;
  const { protocol, hostname } = new URL(target);
  if (protocol === 'https:') return hostname.includes('.') ? undefined : `${target} has no host`;
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
  return protocol === 'http:' && isHere ? undefined : `${target} is not https`;
}

function resolvePath(page: string, path: string): string {
  const from = path.startsWith('/') ? '' : posix.dirname(page);
  return posix.join(from, decodeURIComponent(path)).replace(/^\//, '').replace(/\/$/, '');
}

/** Folders that paths in sentences are relative to, as in `scans/scan.ts`. */
const roots = ['', 'apps/server/src'];

/**
 * Why a word of code names a file that does not exist, or undefined. A word counts as a path only if it begins with an
 * existing folder, so that URLs, packages and media types do not.
 */
export function pathFault(page: string, word: string, tree: Tree): string | undefined {
  const path = word.replace(/^\.\//, '').replace(/[/.,;]$/, '');
  if (!/^[\w.][\w.-]*\/[\w./-]*$/.test(`${path}/`)) return undefined;
  if (!path.includes('/') && !word.endsWith('/')) return undefined;
  const [first = ''] = path.split('/');
  const places = [...roots, posix.dirname(page)];
  if (!roots.some(root => tree.has(posix.join(root, first)))) return undefined;
  if (places.some(root => tree.has(posix.join(root, path)))) return undefined;
  return tree.isIgnored(path) ? undefined : `${word}: there is no such file`;
}
