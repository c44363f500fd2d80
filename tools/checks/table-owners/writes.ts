/** A table that a source file writes, and where. */
export type Write = { readonly table: string; readonly line: number; readonly isInsert: boolean };

/** Stands for a table whose name is put together at run time. */
export const computedName = '(computed)';

const name = String.raw`(?:only\s+)?"?(\$\{[^}]*\}|[a-z_][a-z_0-9]*)"?`;

/**
 * The statements that change rows. A lock (`for update`, `lock table`) changes none: a feature may lock rows of another's
 * table to order itself behind or before its owner. Partitions are created and dropped by names that hold their window; their
 * parent is what has an owner.
 */
const patterns: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:insert|merge)\s+into\s+${name}`, 'gi'),
  new RegExp(String.raw`\bdelete\s+from\s+${name}`, 'gi'),
  new RegExp(String.raw`\bupdate\s+${name}(?:\s+(?:as\s+)?[a-z_]+)?\s+set\b`, 'gi'),
  new RegExp(String.raw`\balter\s+table\s+${name}`, 'gi'),
  new RegExp(String.raw`(?<=['"\x60;(]\s*)truncate\s+(?:table\s+)?${name}`, 'gi'),
  new RegExp(String.raw`(?<=['"\x60;(]\s*)copy\s+${name}[^;]*?\bfrom\s+stdin\b`, 'gi'),
  // A table that is named to the client of ClickHouse.
  /\btable:\s*'([a-z_]+)'/g,
];

/** Every table that a source text writes. Comments are left out; what is in strings is what counts. */
export function writesOf(source: string): readonly Write[] {
  const code = withoutComments(source);
  const found = patterns.flatMap(pattern =>
    [...code.matchAll(pattern)].map(match => ({
      table: match[1]!.startsWith('$') ? computedName : match[1]!.toLowerCase(),
      line: code.slice(0, match.index).split('\n').length,
      isInsert: /^insert\b/i.test(match[0]),
    })),
  );
  return found.sort((one, other) => one.line - other.line);
}

/** Blanks comments line by line, so that lines keep their numbers. */
function withoutComments(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, ' '))
    .replace(/^\s*\/\/.*$/gm, '');
}
