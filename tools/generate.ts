import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { capacityPage } from './capacity/page.ts';
import { readMeasured } from './capacity.ts';
import { clientTable } from './generate/client-table.ts';
import { firstDifferences } from './generate/difference.ts';
import { sdkSource } from './generate/sdk.ts';
import type { Json } from './openapi/document.ts';
import { lostOrNarrowed } from './openapi-compat.ts';

const root = resolve(import.meta.dirname, '..');
const openApi = resolve(root, 'docs/openapi.json');
const released = resolve(root, 'docs/openapi.released.json');

/** Files that are made from the code, the documents each by a command of the server. */
const generated: readonly { readonly file: string; make(): string }[] = [
  { file: 'docs/openapi.json', make: () => said(['openapi']) },
  { file: 'docs/openapi.account.json', make: () => said(['openapi', '--account']) },
  { file: 'docs/settings.md', make: () => said(['config', '--markdown']) },
  { file: 'docs/metrics.md', make: () => said(['metrics']) },
  { file: 'docs/capacity.md', make: () => capacityPage(readMeasured()) },
  { file: 'packages/sdk/src/generated.ts', make: () => sdkSource(JSON.parse(said(['openapi']))) },
  { file: 'packages/sdk/src/nearest.ts', make: nearestForSdk },
  { file: 'apps/dashboard/src/api/operation-table.ts', make: clientTable },
];

/** The SDK is published by itself, so it has a copy of what it shares with the server. */
function nearestForSdk(): string {
  const file = 'packages/contract/src/nearest.ts';
  return `// Made by \`npm run generate\` from ${file}. Change that file, not this one.\n\n${readFileSync(resolve(root, file), 'utf8')}`;
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

function write(): void {
  mkdirSync(resolve(root, 'docs'), { recursive: true });
  for (const { file, make } of generated) {
    writeFileSync(resolve(root, file), make());
    console.log(`${file} written`);
  }
}

/** Says where a file is not what the code would make of it. */
function check(): boolean {
  const drifted = generated.filter(({ file, make }) => {
    const path = resolve(root, file);
    const differences = firstDifferences(existsSync(path) ? readFileSync(path, 'utf8') : '', make());
    if (differences.length > 0)
      console.log(`${file} is not what the code says; run npm run generate\n${differences.join('\n')}`);
    return differences.length > 0;
  });
  return drifted.length === 0;
}

/** Makes the document of today the promise to keep. What was promised before must still hold. */
function release(): boolean {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Json;
  const broken = existsSync(released) ? lostOrNarrowed(read(released), read(openApi)) : [];
  for (const change of broken) console.log(change);
  if (broken.length > 0) return false;
  copyFileSync(openApi, released);
  console.log('docs/openapi.released.json written');
  return true;
}

const [mode = '--write'] = process.argv.slice(2);
if (mode === '--write') write();
else if (mode === '--check') process.exitCode = check() ? 0 : 1;
else if (mode === '--release') process.exitCode = check() && release() ? 0 : 1;
else throw new Error(`Unknown option ${mode}: --check, --release`);
