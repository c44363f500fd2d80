import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the version of the project is written. What is captured is the version, as often as it stands in a file. */
const places: readonly { readonly files: string; readonly pattern: RegExp }[] = [
  {
    files: '{package,package-lock,apps/*/package,packages/*/package}.json',
    pattern: /"(?:name": "(?:signpost|@signpost\/\w+)",\s+"version|@signpost\/\w+)": "([^"]+)"/g,
  },
  { files: 'deploy/helm/signpost/Chart.yaml', pattern: /^(?:version|appVersion): "?([^"\s]+)/gm },
  { files: 'deploy/compose*.yaml', pattern: /image: \$\{SIGNPOST_IMAGE[^}]*\}:(\d+\.\d+\.\d+)/g },
  { files: '{deploy/*,*.md,docs/**/*.md}', pattern: /\bsignpost:(\d+\.\d+\.\d+)/g },
  { files: 'packages/sdk/src/*.ts', pattern: /(?:const version = '|signpost-sdk\/)(\d[^'\s]*)/g },
];

export type Mention = {
  readonly file: string;
  readonly line: number;
  readonly version: string;
  readonly start: number;
};

export function findMentions(root: string): readonly Mention[] {
  return places.flatMap(({ files, pattern }) => {
    const found = globSync(files, { cwd: root, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(join(root, '/').length))
      .toSorted()
      .flatMap(file => mentionsInFile(root, file, pattern));
    if (found.length === 0) throw new Error(`no version is written in ${files}`);
    return found;
  });
}

function mentionsInFile(root: string, file: string, pattern: RegExp): readonly Mention[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(pattern)].map(match => {
    const start = match.index + match[0].lastIndexOf(match[1]!);
    return { file, line: text.slice(0, start).split('\n').length, version: match[1]!, start };
  });
}

export const readVersion = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

/** Mentions of another version than that of the package.json. */
export function versionFaults(root: string): readonly string[] {
  const version = readVersion(root);
  return findMentions(root)
    .filter(mention => mention.version !== version)
    .map(({ file, line, version: other }) => `${file}:${line} has ${other}, package.json has ${version}`);
}

/** Returns the files that it changed. */
export function setVersion(root: string, version: string): readonly string[] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version like 1.2.3`);
  const mentions = findMentions(root).filter(mention => mention.version !== version);
  // From the end of each file, so that earlier places stay where they were found.
  for (const { file, start, version: old } of mentions.toSorted((a, b) => b.start - a.start)) {
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(root, file), text.slice(0, start) + version + text.slice(start + old.length));
  }
  return [...new Set(mentions.map(({ file }) => file))];
}
