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
