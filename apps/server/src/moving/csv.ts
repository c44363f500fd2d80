/** The records of a CSV file (RFC 4180) by the names of its first line. */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''));
  return rows.map(cells => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A cell in quotes, or bare; then what ends it.
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy;
  while (cells.lastIndex < text.length || row.length > 0) {
    const at = cells.lastIndex;
    const match = cells.exec(text);
    if (!match) throw new Error(`The CSV is broken at character ${at + 1}: a quote without its other half.`);
    const [, quoted, bare = '', end] = match;
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}
