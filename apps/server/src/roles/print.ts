/** Where a command says something to whoever has typed it. */
export type Print = (line: string) => void;

/** Says a line whenever long work has reached another step. */
export function inSteps(print: Print): (step: number, line: string) => void {
  let told = 0;
  return (step, line) => {
    if (step > told) print(line);
    told = step;
  };
}

/** Names of 0.1 may have line breaks and control characters, which could forge lines or steer the terminal. */
export const inOneLine = (text: string) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
