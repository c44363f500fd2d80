import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { createApi } from './docs/api.ts';
import { blockFault, isShell } from './docs/blocks.ts';
import { type Commands, commandFault, isFilter } from './docs/commands.ts';
import { linkFault, pathFault, type Tree } from './docs/links.ts';
import { type Fence, type Page, readPage } from './docs/page.ts';
import { commandsOf } from './docs/shell.ts';
import type { Json } from './openapi/document.ts';

/** The faults of a page, as `file:line: what`. */
export function pageFaults(file: string, page: Page, all: Tree, known: Commands): readonly string[] {
  const written = new Set(page.fences.map(fileWritten));
  const tree = { ...all, isIgnored: (path: string) => written.has(path) || all.isIgnored(path) };
  const faults: { readonly line: number; readonly what: string | undefined }[] = [];
  for (const { line, text } of page.links) faults.push({ line, what: linkFault(file, text, tree) });
  for (const { line, text } of page.spans) {
    for (const what of codeFaults(file, text, tree, known)) faults.push({ line, what });
    faults.push({ line, what: requestFault(text, known) });
  }
  for (const fence of page.fences) {
    const { line, code } = fence;
    const what = blockFault(fence);
    faults.push({ line, what });
    if (what || !isShell(fence)) continue;
    for (const what of codeFaults(file, code, tree, known)) faults.push({ line, what });
  }
  const found = faults.filter(({ what }) => what !== undefined).sort((a, b) => a.line - b.line);
  return found.map(({ line, what }) => `${file}:${line}: ${what}`);
}

/** A block whose first line is a comment with only a path shows a file that the reader writes. */
const fileWritten = ({ code }: Fence) => /^(?:#|\/\/) (\S+)\n/.exec(code)?.[1];

function codeFaults(
  file: string,
  code: string,
  tree: Tree,
  known: Commands,
): readonly (string | undefined)[] {
  return commandsOf(code).flatMap(words => [
    commandFault(words, known),
    ...words.filter((_, index) => !isFilter(words, index)).map(word => pathFault(file, word, tree)),
  ]);
}

/** `GET /v1/qrcodes` in a sentence must be an operation, and a bare path of the API must have one. */
function requestFault(text: string, { api }: Commands): string | undefined {
  const [, method, target = ''] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[^\s…]*)$/.exec(text) ?? [];
  if (method) return api.requestFault({ method, target });
  if (!target.startsWith('/v1/')) return undefined;
  const isAnswered = methods.some(method => !api.requestFault({ method, target }));
  return isAnswered ? undefined : `${target} is not a path of the API`;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Files that Git tracks or would add. */
function filesOf(root: string): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return output.split('\0').filter(file => file !== '' && existsSync(join(root, file)));
}

function treeOf(root: string, files: readonly string[], pages: ReadonlyMap<string, Page>): Tree {
  const paths = new Set(files.flatMap(withFolders));
  return {
    has: path => paths.has(path),
    // A trailing slash matches files and folders.
    isIgnored: path => spawnSync('git', ['check-ignore', '-q', `${path}/`], { cwd: root }).status === 0,
    anchorsOf: path => pages.get(path)?.anchors,
  };
}

/** `a/b/c` with `a/b`, `a` and `.`. */
function withFolders(path: string): readonly string[] {
  return path === '.' ? ['.'] : [path, ...withFolders(posix.dirname(path))];
}

function commandsIn(root: string, files: readonly string[]): Commands {
  const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Json;
  const manifests = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: root })];
  const main = join(root, 'apps/server/src/main.ts');
  return {
    scripts: new Map(
      manifests.map(file => [
        dirname(file).replace(/^\.$/, ''),
        new Set(Object.keys(readJson(file).scripts ?? {})),
      ]),
    ),
    usage: execFileSync(process.execPath, [main, 'help'], { encoding: 'utf8' }),
    api: createApi(['docs/guides/openapi.json', 'docs/guides/openapi.account.json'].map(readJson)),
    tests: files.filter(file => /\.(test|it|e2e)\.ts$/.test(file)),
  };
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '../..');
  const files = filesOf(root);
  const pages = new Map(
    files
      .filter(file => file.endsWith('.md'))
      .map(file => [file, readPage(readFileSync(join(root, file), 'utf8'))] as const),
  );
  const tree = treeOf(root, files, pages);
  const known = commandsIn(root, files);
  const faults = [...pages].flatMap(([file, page]) => pageFaults(file, page, tree, known));
  for (const fault of faults) console.log(fault);
  const count = (what: (page: Page) => readonly unknown[]) => [...pages.values()].flatMap(what).length;
  const [links, blocks] = [count(page => page.links), count(page => page.fences)];
  console.log(`docs: ${pages.size} pages, ${links} links, ${blocks} blocks, ${faults.length} faults`);
  process.exitCode = faults.length > 0 || pages.size === 0 ? 1 : 0;
}
