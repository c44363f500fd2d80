/** The simple commands of a script, each as its unquoted words. Enough for examples; `bash -n` checks the rest. */
export function commandsOf(script: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [, separator, word] of script.matchAll(token)) {
    if (separator !== undefined) commands.push([]);
    else if (word !== undefined) commands.at(-1)!.push(unquoted(word));
  }
  return commands.map(withoutSettings).filter(words => words.length > 0);
}

/** A line continuation, a comment, the end of a command, or a word with its quoted parts. */
const token =
  /\\\n|(?<![^\s;|&])#[^\n]*|(&&|\|\||[;|&\n])|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\[^\n]|[^\s;|&'"\\])+)|\s/gs;

const unquoted = (word: string) =>
  word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) =>
    single !== undefined ? single : double !== undefined ? double.replaceAll(/\\(.)/gs, '$1') : escaped,
  );

/** `NAME=value command` is the command; so is `sudo command`. */
function withoutSettings(words: readonly string[]): readonly string[] {
  const start = words.findIndex(word => !/^\w+=/.test(word) && word !== 'sudo');
  return start < 0 ? [] : words.slice(start);
}
