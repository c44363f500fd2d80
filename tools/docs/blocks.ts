import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { parseAllDocuments } from 'yaml';
import type { Fence } from './page.ts';

/** Why the code of a language cannot be read, or undefined. */
type Reader = (code: string) => string | undefined;

const shell: Reader = code => saidBy('bash', ['-n'], code);

/** Types are held by the tests that run the examples; here the code must be code. */
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
  // Nothing can be told of these.
  text: () => undefined,
  http: () => undefined,
};

export function isShell({ language }: Fence): boolean {
  return readers[language] === shell;
}

/** Why a block of code is not right, or undefined. */
export function blockFault({ language, code, isClosed }: Fence): string | undefined {
  if (!isClosed) return 'the block has no end';
  if (language === '') return 'the block names no language: say which, or `text`';
  const read = Object.hasOwn(readers, language) ? readers[language] : undefined;
  if (!read)
    return `nobody can read ${language} here: use ${Object.keys(readers).join(', ')}, or teach tools/docs/blocks.ts`;
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

/** What a program says against the code; nothing where the machine has no such program. */
function saidBy(program: string, args: readonly string[], code: string): string | undefined {
  const { error, status, stderr } = spawnSync(program, args, {
    input: code,
    encoding: 'utf8',
    timeout: 10_000,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined;
  return status === 0 ? undefined : stderr.trim().split('\n').at(-1) || `${program} refuses it`;
}

/** Brackets that do not match, or a quote that is left over, in code whose strings and comments were taken out. */
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
