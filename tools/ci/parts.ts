/**
 * What the gate runs, one after the other. Parts of one `group` run beside each other: they have engines of their own and
 * measure no time.
 */
export type Part = {
  readonly name: string;
  /** Minutes since the start of the run after which a slow machine leaves this part out. */
  readonly until?: number;
} & (
  | { readonly kind: 'check' }
  /** Fails the run if it fails, and counts for nothing otherwise. */
  | { readonly kind: 'prepare'; readonly command: readonly string[] }
  /** Without `files`, all of the project. */
  | { readonly kind: 'tests'; readonly project: string; readonly files?: readonly string[] }
  | {
      readonly kind: 'command';
      readonly command: readonly string[];
      readonly minutes: number;
      readonly beside?: string;
    }
);

const npm = (...args: readonly string[]) => ['npm', 'run', '--silent', ...args];

/** The seed of the fuzz runs is fixed here; elsewhere it is random. */
export const gate: readonly Part[] = [
  { name: 'check', kind: 'check' },
  { name: 'tests: unit', kind: 'tests', project: 'unit' },
  { name: 'build the dashboard', kind: 'prepare', command: npm('build') },
  { name: 'tests: integration', kind: 'tests', project: 'integration' },
  { name: 'tests: e2e', kind: 'tests', project: 'e2e' },
  { name: 'tests: e2e parallel', kind: 'tests', project: 'e2e parallel' },
  { name: 'chaos', kind: 'command', command: npm('chaos', '--', '--short'), minutes: 20, until: 75 },
  {
    name: 'fuzz',
    kind: 'command',
    command: npm('fuzz', '--', '--requests', '5000', '--seed', '1'),
    minutes: 20,
    beside: 'chaos',
  },
  {
    name: 'chaos of solo',
    kind: 'command',
    command: npm('chaos', '--', '--solo', '--seconds', '60'),
    minutes: 20,
    beside: 'chaos',
  },
  {
    name: 'fuzz of solo',
    kind: 'command',
    command: npm('fuzz', '--', '--solo', '--requests', '1000', '--seed', '1'),
    minutes: 10,
    beside: 'soak',
  },
  { name: 'tests: e2e pages', kind: 'tests', project: 'e2e pages', until: 76 },
  { name: 'soak', kind: 'command', command: npm('soak', '--', '--short'), minutes: 20, until: 86 },
  { name: 'secrets in PostgreSQL', kind: 'command', command: ['.ci/scan-postgres'], minutes: 10 },
  {
    name: 'secrets in Redis',
    kind: 'command',
    command: ['node', 'tools/checks/scan-secrets.ts', '--redis', '$REDIS_URL'],
    minutes: 10,
  },
  { name: 'secrets in logs', kind: 'command', command: npm('scan-secrets', '--', '.logs'), minutes: 10 },
];
