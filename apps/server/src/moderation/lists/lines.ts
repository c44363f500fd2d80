/** The longest URL that a code can have, with room for other cells in its line. */
const maxLength = 16 * 1024;

/** The lines of a file in bounded memory; null for a line that is too long. */
export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string | null> {
  let rest = '';
  let tooLong = false;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      yield tooLong || line.length > maxLength ? null : line;
      tooLong = false;
    }
    if (rest.length > maxLength) {
      tooLong = true;
      rest = '';
    }
  }
  if (tooLong) yield null;
  else if (rest !== '') yield rest;
}
