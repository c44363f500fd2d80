/** About as many characters as stand in a line on a wide screen. */
const lineLength = 90;

/** Whether a text needs more than so many lines. */
export const isLong = (text: string, lines: number): boolean =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0) > lines;
