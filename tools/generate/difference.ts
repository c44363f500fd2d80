/** The first lines that differ between a file and what it should be, as `line - is` and `line + should be`. */
export function firstDifferences(is: string, shouldBe: string): readonly string[] {
  if (is === shouldBe) return [];
  const [before, after] = [is.split('\n'), shouldBe.split('\n')];
  const start = before.findIndex((line, index) => line !== after[index]);
  const from = start < 0 ? before.length : start;
  const show = (lines: readonly string[], sign: string) =>
    lines.slice(from, from + 10).map((line, index) => `${from + index + 1} ${sign} ${line}`);
  return [...show(before, '-'), ...show(after, '+')];
}
