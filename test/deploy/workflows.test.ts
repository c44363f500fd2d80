import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './files.ts';

type Step = { readonly uses?: string; readonly run?: string };
type Workflow = {
  readonly name: string;
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly 'runs-on': string; readonly steps: readonly Step[] }>>;
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

  test('has no more rights than it needs, and actions of a version', () => {
    const isRelease = path.endsWith('release.yml');
    expect(workflow.permissions.contents).toBe(isRelease ? 'write' : 'read');
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+/);
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

test('a release publishes every target of the Dockerfile, a tarball with a bill of materials, and the SDK', () => {
  const text = read('.github/workflows/release.yml');
  for (const target of ['full', 'backup']) expect(text).toContain(`target: ${target},`);
  expect(text).toMatch(/sbom: true[\s\S]*npm sbom --omit=dev[\s\S]*gh release create[\s\S]*npm publish/);
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
