import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { parseAllDocuments } from 'yaml';
import type { Fence } from './page.ts';

/** Why code in a language cannot be parsed, or undefined. */
type Reader = (code: string) => string | undefined;

const shell: Reader = code => saidBy('bash', ['-n'], code);

/** Tests that run the examples check their types; here the code only has to parse. */
const typescript: Reader = code => thrownBy(() => stripTypeScriptTypes(code));

const readers: Readonly<Record<string, Reader>> = {
  sh: shell,
  bash: shell,
  json: code => thrownBy(() => JSON.parse(code)),
  yaml: code => parseAllDocuments(code).flatMap(({ errors }) => errors)[0]?.message,
  ts: typescript,
  js: typescript,
  python: code => saidBy('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], code),
  sql: code => unclosed(code.replaceAll(/--.*$|'(?:[^']|'')*'|"[^"]*"/gm, '')),
  nginx: code => unclosed(code.replaceAll(/#.*$|'[^']*'|"[^"]*"/gm, '')),
  caddy: code => unclosed(code.replaceAll(/#.*$|"[^"]*"|`[^`]*`/gm, '')),
  ini: code => {
    const odd = code.split('\n').find(line => !/^\s*($|[#;]|\[[^\]]+\]$|[\w.-]+\s*=)/.test(line));
    return odd && `neither a section nor a setting: ${odd}`;
  },
  // These are not checked.
  text: () => undefined,
  http: () => undefined,
};

export function isShell({ language }: Fence): boolean {
  return readers[language] === shell;
}

/** What is wrong with a block of code, or undefined. */
export function blockFault({ language, code, isClosed }: Fence): string | undefined {
  if (!isClosed) return 'the block has no end';
  if (language === '') return 'the block names no language: say which, or `text`';
  const read = Object.hasOwn(readers, language) ? readers[language] : undefined;
  if (!read)
    return `${language} is unknown: use ${Object.keys(readers).join(', ')}, or add it to tools/checks/docs/blocks.ts`;
  const fault = read(code);
  return fault && `${language}: ${fault}`;
}

function thrownBy(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return String((error as Error).message).trim();
  }
}

/** The error that a program reports for the code; undefined where the program is not installed. */
function saidBy(program: string, args: readonly string[], code: string): string | undefined {
  const { error, status, stderr } = spawnSync(program, args, {
    input: code,
    encoding: 'utf8',
    timeout: 10_000,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined;
  return status === 0 ? undefined : stderr.trim().split('\n').at(-1) || `${program} refuses it`;
}

/** Unbalanced brackets or quotes in code without its strings and comments. */
function unclosed(code: string): string | undefined {
  const open: string[] = [];
  const closing: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };
  for (const [sign] of code.matchAll(/[()[\]{}'"]/g)) {
    if (sign === "'" || sign === '"') return `${sign} has no end`;
    const expected = closing[sign];
    if (expected) open.push(expected);
    else if (open.pop() !== sign) return `${sign} closes nothing`;
  }
  return open.length > 0 ? `${open.at(-1)} is missing` : undefined;
}
