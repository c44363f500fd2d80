/** Longer than any URL that a code can have, with room for the other cells of its line. */
const maxLength = 16 * 1024;

/** The lines of a file in bounded memory: of one that is too long comes null. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string | null> {
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
