import { hash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changelogSection, checkTag } from './changelog.ts';
import { runCommand } from './commands.ts';
import { pack } from './pack.ts';
import { runSteps, type Step } from './steps.ts';
import { tryPackages } from './try-packages.ts';
import { readVersion, setVersion, versionFaults } from './versions.ts';

const root = resolve(import.meta.dirname, '../..');
/** What the release workflow publishes. */
const out = join(root, 'dist/release');
const checksums = 'SHA256SUMS';

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, set: { type: 'string' }, tag: { type: 'string' } },
});

const version = () => readVersion(root);
const file = (name: string) => join(out, name);
const serverFile = () => file(`signpost-${version()}.tgz`);
const sdkFile = () => file(`signpost-sdk-${version()}.tgz`);

function checkVersions(): string {
  const faults = versionFaults(root);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return `${version()} everywhere`;
}

function writeNotes(): string {
  const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version());
  if (values.tag !== undefined) checkTag(values.tag, version(), section);
  writeFileSync(file('notes.md'), `${section.text}\n`);
  return `the section of ${version()} (${section.date})`;
}

async function build(): Promise<string> {
  await runCommand('npm', ['run', 'build'], { cwd: root });
  return 'dashboard and SDK';
}

function packBoth(): string {
  renameSync(pack(), serverFile());
  copyFileSync(join(root, 'packages/sdk/dist/sdk.tgz'), sdkFile());
  return [serverFile(), sdkFile()].map(path => basename(path)).join(', ');
}

async function buildImages(): Promise<string> {
  const isThere = await runCommand('docker', ['info'], { cwd: root }).then(
    () => true,
    () => false,
  );
  if (!isThere && values.tag !== undefined)
    throw new Error('a release needs Docker, which does not run here');
  if (!isThere) return 'skipped: Docker does not run here';
  const docker = (...args: string[]) => runCommand('docker', args, { cwd: root });
  const full = `signpost:${version()}`;
  const [backup, allInOne] = [`${full}-backup`, `${full}-all-in-one`];
  await docker('build', '--file', 'deploy/Dockerfile', '--target', 'full', '--tag', full, '.');
  await docker('run', '--rm', full, 'config');
  await docker('build', '--file', 'deploy/Dockerfile', '--target', 'backup', '--tag', backup, '.');
  await docker('run', '--rm', backup);
  await docker('build', '--file', 'deploy/Dockerfile', '--target', 'all-in-one', '--tag', allInOne, '.');
  await docker('run', '--rm', allInOne, 'config');
  return `${full}, ${backup} and ${allInOne} built and started`;
}

/** Of what the server runs and what the dashboard bundles. */
async function writeSbom(): Promise<string> {
  const args = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'];
  const text = await runCommand('npm', args, { cwd: root });
  const { components } = JSON.parse(text) as { components: readonly unknown[] };
  if (components.length === 0) throw new Error('npm sbom lists no package');
  writeFileSync(file('sbom.cdx.json'), text);
  return `CycloneDX, ${components.length} packages`;
}

function writeChecksums(): string {
  const names = readdirSync(out).toSorted();
  const lines = names.map(name => `${hash('sha256', readFileSync(file(name)))}  ${name}\n`);
  writeFileSync(file(checksums), lines.join(''));
  return `SHA-256 of ${names.length} files`;
}

const steps: readonly Step[] = [
  { name: 'version', run: checkVersions },
  { name: 'changelog', run: writeNotes },
  { name: 'build', run: build },
  { name: 'pack', run: packBoth },
  { name: 'try', run: () => tryPackages([serverFile(), sdkFile()]) },
  { name: 'images', run: buildImages },
  { name: 'sbom', run: writeSbom },
  { name: 'checksums', run: writeChecksums },
];

async function dryRun(): Promise<boolean> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const isGood = await runSteps(steps, console.log);
  console.log(
    isGood ? `${version()} can be released. Its files are in ${out}` : `${version()} cannot be released.`,
  );
  return isGood;
}

if (values.set !== undefined) {
  for (const changed of setVersion(root, values.set)) console.log(changed);
} else if (values['dry-run']) {
  process.exitCode = (await dryRun()) ? 0 : 1;
} else {
  console.error(
    'Nothing is published from here: the workflow `release` does, for a tag. Try it with --dry-run.',
  );
  process.exitCode = 1;
}
