/** Parses CSV strictly by RFC 4180, and throws at anything that it does not allow: libraries accept more. */
export function parseStrictCsv(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const record: string[] = [];
    for (;;) {
      const [cell, next] = text[at] === '"' ? quoted(text, at + 1) : plain(text, at);
      record.push(cell);
      at = next;
      if (text[at] !== ',') break;
      at++;
    }
    if (text.slice(at, at + 2) !== '\r\n')
      throw new Error(`No end of line at ${at}: ${text.slice(at, at + 20)}`);
    at += 2;
    if (record.length !== (records[0]?.length ?? record.length))
      throw new Error(`A record of ${record.length} cells`);
    records.push(record);
  }
  return records;
}

function plain(text: string, from: number): [string, number] {
  let at = from;
  while (at < text.length && !',\r\n'.includes(text[at]!)) {
    if (text[at] === '"') throw new Error(`A quote in a plain cell at ${at}`);
    at++;
  }
  return [text.slice(from, at), at];
}

function quoted(text: string, from: number): [string, number] {
  let cell = '';
  for (let at = from; ; at++) {
    if (at >= text.length) throw new Error('A quote is not closed');
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at++;
    } else return [cell, at + 1];
  }
}
