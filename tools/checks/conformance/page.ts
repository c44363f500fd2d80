/** One row of a table: the line it is on and the tests that its last cell names. */
export type Row = { readonly line: number; readonly tests: readonly NamedTest[] };

export type NamedTest = { readonly file: string; readonly name: string };

/** The rows of every table of a page, without headers. */
export function rowsOf(markdown: string): readonly Row[] {
  const lines = markdown.split('\n');
  const isRule = (line: string | undefined) => line !== undefined && /^\|[\s:|-]+\|\s*$/.test(line);
  return lines.flatMap((text, index) => {
    const isRow = text.startsWith('|') && !isRule(text) && !isRule(lines[index + 1]);
    return isRow ? [{ line: index + 1, tests: testsOf(lastCell(text)) }] : [];
  });
}

/** A pipe inside a cell is written `\|`. */
function lastCell(row: string): string {
  const cells = row
    .trim()
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/);
  return (cells.at(-1) ?? '').replaceAll('\\|', '|');
}

/** `a.test.ts › group › name`, several with `<br>` between, each in backticks or not. */
function testsOf(cell: string): readonly NamedTest[] {
  return cell
    .split(/<br\s*\/?>/)
    .map(text => text.trim().replace(/^`|`$/g, ''))
    .filter(text => text.includes(' › '))
    .map(text => {
      const [file = '', ...name] = text.split(' › ');
      return { file: file.trim(), name: name.join(' › ').trim() };
    });
}
