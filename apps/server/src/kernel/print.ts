/** Writes a line of a command's output. */
export type Print = (line: string) => void;

/** Prints a line whenever long work has reached the next step. */
export function printSteps(print: Print): (step: number, line: string) => void {
  let printedStep = 0;
  return (step, line) => {
    if (step > printedStep) print(line);
    printedStep = step;
  };
}

/** Names may contain line breaks and control characters, which could forge lines or control the terminal. */
export const escapeControlCharacters = (text: string) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`);
