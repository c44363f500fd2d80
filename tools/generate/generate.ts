import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { missingExamples } from '@signpost/contract';
import { worldOutlines } from '../../apps/dashboard/tools/world-outlines.ts';
import { capacityPage } from '../../bench/capacity/page.ts';
import { readMeasured } from '../../bench/capacity.ts';
import { closedAnswers } from '../checks/openapi/closed-answers.ts';
import type { Json } from '../checks/openapi/document.ts';
import { lostOrNarrowed } from '../checks/openapi-compat.ts';
import { tablesPage } from '../checks/table-owners.ts';
import { clientTable } from './client-table.ts';
import { firstDifferences } from './difference.ts';
import { sdkSource } from './sdk.ts';
import { methodsSource } from './sdk-methods.ts';

const root = resolve(import.meta.dirname, '../..');
const openApi = resolve(root, 'docs/guides/openapi.json');
const released = resolve(root, 'docs/guides/openapi.released.json');

/** Files that are generated from the code, the documents by commands of the server. */
const generated: readonly { readonly file: string; make(): string }[] = [
  { file: 'docs/guides/openapi.json', make: () => said(['openapi']) },
  { file: 'docs/guides/openapi.account.json', make: () => said(['openapi', '--account']) },
  { file: 'docs/self-hosting/settings.md', make: () => said(['config', '--markdown']) },
  { file: 'docs/self-hosting/metrics.md', make: () => said(['metrics']) },
  { file: 'docs/internals/tables.md', make: () => tablesPage(root) },
  { file: 'docs/self-hosting/capacity.md', make: () => capacityPage(readMeasured()) },
  {
    file: 'packages/sdk/src/generated.ts',
    make: () => sdkSource(JSON.parse(said(['openapi'])), sdkVersion()),
  },
  { file: 'packages/sdk/src/methods.ts', make: () => methodsSource(JSON.parse(said(['openapi']))) },
  { file: 'apps/dashboard/src/api/operation-table.ts', make: clientTable },
  { file: 'apps/server/src/share-links/outlines.json', make: worldOutlines },
];

function sdkVersion(): string {
  const manifest = readFileSync(resolve(root, 'packages/sdk/package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function said(command: readonly string[]): string {
  const main = resolve(root, 'apps/server/src/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...command], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  console.error(`signpost ${command.join(' ')} failed:\n${stderr}`);
  process.exit(1);
}

/** The examples themselves come from a running service, so they are recorded by a command of their own. */
function hasExamples(): boolean {
  const missing = missingExamples();
  if (missing.length > 0)
    console.log(
      `No example; call it in tools/generate/examples/ and run npm run examples:\n${missing.join('\n')}`,
    );
  return missing.length === 0;
}

function write(): void {
  mkdirSync(resolve(root, 'docs'), { recursive: true });
  for (const { file, make } of generated) {
    writeFileSync(resolve(root, file), make());
    console.log(`${file} written`);
  }
}

/** Reports where a file differs from what the code generates. */
function check(): boolean {
  const drifted = generated.filter(({ file, make }) => {
    const path = resolve(root, file);
    const differences = firstDifferences(existsSync(path) ? readFileSync(path, 'utf8') : '', make());
    if (differences.length > 0)
      console.log(`${file} is out of date; run npm run generate\n${differences.join('\n')}`);
    return differences.length > 0;
  });
  return hasExamples() && drifted.length === 0;
}

/** Releases the current document. It must be compatible with the one released before, and open to additions. */
function release(): boolean {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Json;
  const lost = existsSync(released) ? lostOrNarrowed(read(released), read(openApi)) : [];
  const broken = [...lost, ...closedAnswers(read(openApi))];
  for (const change of broken) console.log(change);
  if (broken.length > 0) return false;
  copyFileSync(openApi, released);
  console.log('docs/guides/openapi.released.json written');
  return true;
}

const [mode = '--write'] = process.argv.slice(2);
if (mode === '--write') {
  write();
  process.exitCode = hasExamples() ? 0 : 1;
} else if (mode === '--check') process.exitCode = check() ? 0 : 1;
else if (mode === '--release') process.exitCode = check() && release() ? 0 : 1;
else throw new Error(`Unknown option ${mode}: --check, --release`);
