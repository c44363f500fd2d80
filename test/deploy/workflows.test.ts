import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './files.ts';

type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
};
type Job = {
  readonly 'runs-on': string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly target: string }[] } };
  readonly steps: readonly Step[];
};
type Workflow = {
  readonly name: string;
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};

/** Jobs that need more than to read the sources. */
const permissions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'release/images': { contents: 'read', packages: 'write' },
  'release/files': { contents: 'write' },
  'release/sdk': { 'id-token': 'write' },
};

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();

/** No runner has run them. What can be known without one is checked here. */
describe.each(workflows)('%s', path => {
  const workflow = parse(read(path)) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap(job => job.steps);
  const commands = steps.flatMap(({ run }) => (run ? [run] : []));

  test('has a name, an event, jobs with steps, and says that it is untried', () => {
    expect(workflow.name).toBe(path.replace(/^.*\/|\.yml$/g, ''));
    expect(Object.keys(workflow.on).length).toBeGreaterThan(0);
    for (const [name, job] of Object.entries(workflow.jobs)) {
      expect(job['runs-on'], name).toMatch(/^ubuntu-\d/);
      for (const step of job.steps)
        expect([name, Boolean(step.uses) !== Boolean(step.run)]).toEqual([name, true]);
    }
    expect(read(path)).toMatch(/^# Untried/);
  });

  test('has no rights as a whole, and each job those that it needs', () => {
    expect(workflow.permissions).toEqual({});
    for (const [name, job] of Object.entries(workflow.jobs))
      expect([name, job.permissions]).toEqual([
        name,
        permissions[`${workflow.name}/${name}`] ?? { contents: 'read' },
      ]);
  });

  test('pins every action by its commit, beside its version', () => {
    const used = [...read(path).matchAll(/\buses: (.*)$/gm)].map(([, action]) => action!);
    expect(used).toHaveLength(steps.filter(({ uses }) => uses).length);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('fails when a command fails', () => {
    expect(read(path)).not.toContain('continue-on-error');
    for (const command of commands) expect(command).not.toContain('||');
  });

  test('runs scripts and names files that exist', () => {
    for (const command of commands) {
      for (const [, script] of command.matchAll(/npm run ([\w:]+)/g))
        expect(scripts).toHaveProperty([script!]);
      for (const [file] of command.matchAll(/(?<=^|\s)(deploy|apps|packages|\.ci)\/[\w./-]+/g))
        if (!/\/(dist|\.env)\b/.test(file)) expect(existsSync(join(root, file)), file).toBe(true);
    }
  });
});

describe('a release', () => {
  const { prepare, ...publishing } = (parse(read('.github/workflows/release.yml')) as Workflow).jobs;
  const runs = ({ steps }: Job) => steps.map(({ run }) => run ?? '').join('\n');
  const uses = ({ steps }: Job, action: string) =>
    steps.flatMap(step => (step.uses?.startsWith(`${action}@`) ? [step.with] : []));

  test('is made and tried by npm run release -- --dry-run, for its tag, before anything is published', () => {
    expect(runs(prepare!)).toContain('npm run release -- --dry-run --tag "$GITHUB_REF_NAME"');
    expect(uses(prepare!, 'actions/upload-artifact')).toEqual([
      { name: 'release', path: 'dist/release', 'if-no-files-found': 'error' },
    ]);
    for (const job of Object.values(publishing)) {
      expect([job.needs].flat()).toContain('prepare');
      expect(runs(job)).not.toMatch(/npm (?:ci|install|run|pack)/);
    }
  });

  test('publishes every target of the Dockerfile, and runs what it has pushed', () => {
    const { images } = publishing;
    const targets = images!.strategy!.matrix.include.map(({ target }) => target);
    const dryRun = [...read('tools/release/release.ts').matchAll(/'--target', '([\w-]+)'/g)];
    expect(targets.toSorted()).toEqual(dryRun.map(([, target]) => target).toSorted());
    for (const target of targets)
      expect(read('deploy/Dockerfile')).toMatch(new RegExp(` AS ${target}$`, 'm'));
    expect(runs(images!)).toMatch(
      /docker run --rm "\$IMAGE@\$\{\{ steps\.image\.outputs\.digest \}\}" config/,
    );
  });

  test('publishes the packages, their bill of materials and their checksums, which it checks', () => {
    for (const job of [publishing.files!, publishing.sdk!]) {
      expect(uses(job, 'actions/download-artifact')).toEqual([{ name: 'release' }]);
      expect(runs(job)).toContain('sha256sum --check SHA256SUMS');
    }
    expect(runs(publishing.files!)).toMatch(/gh release create .* \*\.tgz sbom\.cdx\.json SHA256SUMS$/m);
  });

  test('publishes the SDK with a token for the registry that npm uses', () => {
    const { sdk } = publishing;
    const [node] = uses(sdk!, 'actions/setup-node');
    expect(node).toMatchObject({ 'registry-url': `${'$'}{{ steps.registry.outputs.url }}` });
    expect(sdk!.steps).toContainEqual({
      run: 'npm publish ./signpost-sdk-*.tgz --provenance --access public',
      env: { NODE_AUTH_TOKEN: `${'$'}{{ secrets.NPM_TOKEN }}` },
    });
  });
});

test('issue templates, dependabot and the rules of conduct are there', () => {
  for (const path of globSync('.github/ISSUE_TEMPLATE/*.md', { cwd: root })) {
    const [, header] = read(path).split('---\n');
    expect(parse(header!), path).toMatchObject({ name: expect.any(String), about: expect.any(String) });
  }
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: { 'package-ecosystem': string }[] };
  expect(updates.map(update => update['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker']);
  for (const path of [
    'CODE_OF_CONDUCT.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'LICENSE',
    '.github/pull_request_template.md',
  ])
    expect(existsSync(join(root, path)), path).toBe(true);
});
