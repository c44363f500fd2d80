import type { Import } from './imports.ts';

/**
 * Features of the server and the files of each that the others may import: its nouns. What a feature does and how it
 * stores it stays its own.
 */
const nounFiles: Readonly<Record<string, readonly string[]>> = {
  accounts: ['account.ts', 'api-key.ts'],
  limits: [
    'rate-limiter.ts',
    'attempts.ts',
    'creation-limiter.ts',
    'weighted-windows.ts',
    'share.ts',
    'questions.ts',
  ],
  qrcodes: ['qr-code.ts', 'short-code.ts'],
  images: ['image.ts'],
  redirect: ['link.ts'],
  scans: ['scan.ts', 'batch.ts', 'log-entry.ts'],
  users: ['user.ts'],
  live: ['live-scan.ts'],
  moving: ['imported-link.ts'],
  ingest: ['ingest.ts', 'erasure-request.ts'],
  webhooks: ['webhook.ts', 'announce-events.ts'],
  analytics: ['analytics.ts'],
  backup: ['backup.ts'],
  stops: ['stop.ts', 'writing.ts'],
  suspensions: ['suspension.ts', 'evidence.ts', 'released.ts'],
  reports: ['report.ts'],
  lists: ['listed.ts'],
  operator: ['operator.ts'],
};

/** What the kernel may import besides itself: code without side effects. */
const purePackages = ['@signpost/contract', '@signpost/qr', 'node:crypto', 'node:net'];

/** A place in the tree that has rules of its own. */
type Zone =
  | { readonly is: 'wiring' | 'config' | 'http' | 'platform' | 'kernel' | 'tests' | 'unknown' }
  | { readonly is: 'feature'; readonly name: string }
  | { readonly is: 'package'; readonly name: string }
  | { readonly is: 'elsewhere' };

const server = 'apps/server/src/';

export function isTest(file: string): boolean {
  return /\.(test|it|e2e)\.tsx?$/.test(file) || file.includes('/testing/') || file.startsWith('test/');
}

function zoneOf(file: string): Zone {
  if (isTest(file)) return { is: 'tests' };
  const [top = '', name = ''] = file.split('/');
  if (top === 'packages') return { is: 'package', name };
  if (!file.startsWith(server)) return { is: 'elsewhere' };
  const path = file.slice(server.length);
  const folder = path.split('/')[0] ?? '';
  if (path === 'main.ts' || folder === 'roles') return { is: 'wiring' };
  if (path === 'config.ts') return { is: 'config' };
  if (folder === 'http' || folder === 'platform' || folder === 'kernel') return { is: folder };
  return folder in nounFiles ? { is: 'feature', name: folder } : { is: 'unknown' };
}

/** Why `file` may not have this import, or undefined. `target` is the file it leads to, where it is one of ours. */
export function whyNot(file: string, imported: Import, target: string | undefined): string | undefined {
  const from = zoneOf(file);
  if (from.is === 'tests') return undefined;
  if (readsEnvironment(file, imported)) return environmentRule;
  if (target === undefined) return from.is === 'kernel' ? kernelRule(imported.specifier) : undefined;
  const to = zoneOf(target);
  if (to.is === 'tests') return 'code that runs does not import tests';
  if (byPathAcross(file, imported, target)) return 'another workspace is imported by its name, not by path';
  if (to.is === 'config' && from.is !== 'config') {
    const allowed = imported.typeOnly || from.is === 'wiring' || from.is === 'elsewhere';
    return allowed ? undefined : 'config is imported as a type; only roles/ and main.ts read its values';
  }
  switch (from.is) {
    case 'wiring':
    case 'elsewhere':
      return undefined;
    case 'package':
      return packageRule(from.name, target, to);
    case 'kernel':
      return to.is === 'kernel' ? undefined : kernelRule(imported.specifier);
    case 'http':
      return to.is === 'http' || to.is === 'platform' || to.is === 'kernel' || to.is === 'package'
        ? undefined
        : 'http imports only platform/, kernel/ and itself';
    case 'config':
    case 'platform':
      return to.is === from.is || to.is === 'kernel' || to.is === 'package'
        ? undefined
        : `${from.is} imports only kernel/ and itself`;
    case 'feature':
      return featureRule(from.name, target, to);
    case 'unknown':
      return 'the file is in no folder that tools/arrows/rules.ts knows';
  }
}

export const environmentRule = 'process.env is read only in config.ts';

export function mayReadEnvironment(file: string): boolean {
  return !file.startsWith(server) || zoneOf(file).is === 'config' || isTest(file);
}

function readsEnvironment(file: string, { specifier, names }: Import): boolean {
  return /^(node:)?process$/.test(specifier) && names.includes('env') && !mayReadEnvironment(file);
}

function kernelRule(specifier: string): string | undefined {
  return purePackages.includes(specifier) ? undefined : 'kernel imports only kernel/ and pure packages';
}

function packageRule(name: string, target: string, to: Zone): string | undefined {
  if (to.is !== 'package') return `a package imports nothing from ${target.split('/')[0]}/`;
  const standsAlone = name === 'qr' || name === 'sdk';
  return standsAlone && to.name !== name ? `packages/${name} imports no other package of ours` : undefined;
}

function featureRule(name: string, target: string, to: Zone): string | undefined {
  switch (to.is) {
    case 'http':
    case 'platform':
    case 'kernel':
    case 'package':
      return undefined;
    case 'feature': {
      if (to.name === name) return undefined;
      const nouns = nounFiles[to.name] ?? [];
      if (nouns.some(noun => target === `${server}${to.name}/${noun}`)) return undefined;
      return `of another feature only its nouns are imported (${nouns.join(', ')})`;
    }
    default:
      return 'a feature imports only http/, platform/, kernel/ and nouns of other features';
  }
}

/** The workspace of a file, as `apps/server` or `packages/qr`. */
const workspaceOf = (file: string) => file.split('/').slice(0, 2).join('/');

function byPathAcross(file: string, { specifier }: Import, target: string): boolean {
  const ours = /^(apps|packages)\//;
  if (!specifier.startsWith('.') || !ours.test(file) || !ours.test(target)) return false;
  // From a package every way into apps/ is closed, which the rule of packages says better.
  return workspaceOf(file) !== workspaceOf(target) && target.startsWith('packages/');
}
