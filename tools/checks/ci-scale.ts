import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `ciScale` makes a test smaller in CI, never easier. So it must not be used in a comparison, nor for what is named like a
 * threshold, nor to make a number larger. A threshold that a shared machine cannot hold belongs into `npm run verify` alone.
 */
const comparison = /\.to(?:BeLessThan|BeGreaterThan|BeCloseTo)(?:OrEqual)?\([^;]*?\bciScale\([^;]*?\);/g;
const threshold =
  /\bconst\s+\[?\{?\s*(?:min|max|limit|promised|allowed|fewest|most)\w*[^;]*?\bciScale\([^;]*?;/gi;
const scale = /\bciScale\(([\d_]+), ([\d_]+)\)/g;

const folders = ['apps', 'packages', 'test', 'tools', 'bench'];

const toNumber = (text: string | undefined) => Number(text?.replaceAll('_', ''));

const findScaledThresholds = (text: string): readonly string[] => [
  ...[...text.matchAll(comparison), ...text.matchAll(threshold)].map(([found]) => found),
  ...[...text.matchAll(scale)]
    .filter(([, full, inCi]) => toNumber(inCi) > toNumber(full))
    .map(([found]) => found),
];

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'));
const files = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && folders.includes(entry.name))
  .flatMap(({ name }) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map(file => `${name}/${file}`),
  )
  .filter(
    file =>
      /\.(?:test|it|e2e)\.tsx?$/.test(file) &&
      !file.includes('node_modules') &&
      !file.startsWith('tools/ci/'),
  );
const findings = files.flatMap(file =>
  findScaledThresholds(readFileSync(join(root, file), 'utf8')).map(found => `${file}: ${found}`),
);
for (const finding of findings) console.log(`${finding} scales a threshold; ciScale is for sizes and counts`);
process.exitCode = findings.length > 0 ? 1 : 0;
