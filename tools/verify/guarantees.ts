import { stripVTControlCharacters } from 'node:util';

/** A command that shows guarantees, at full size. */
export type Guarantee = {
  /** What the command is called here: `silence` for `npm run test:e2e -- silence`. */
  readonly name: string;
  readonly command: string;
  readonly promises: readonly string[];
};

/** The guarantees of docs/internals/guarantees.md: each row of a table that ends with a command. */
export function parseGuarantees(page: string): readonly Guarantee[] {
  const rows = page.split('\n').flatMap(line => {
    const cells = line.split(/(?<!\\)\|/).map(cell => cell.trim());
    const commands = [...(cells.at(-2) ?? '').matchAll(/`([^`]*\bnpm (?:run|test) ?[^`]*)`/g)];
    return commands.map(([, command]) => ({ command: command!, promise: cells[1]! }));
  });
  return [...Map.groupBy(rows, ({ command }) => command)].map(([command, same]) => ({
    name: toName(command),
    command,
    promises: same.map(({ promise }) => promise),
  }));
}

const toName = (command: string) =>
  command
    .replace(/^(?:[A-Z_]+=\S+ )*npm (?:run )?/, '')
    .replace(/^test(?::\w+)? -- /, '')
    .replaceAll(/[^\w/:]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** What is known of a guarantee since its command last ran. */
export type Measured = {
  readonly on: string;
  /** The commit that was measured. */
  readonly at: string;
  readonly seconds: number;
  readonly passed: boolean;
  readonly figures: string;
};

/** Those that have not passed at this commit yet. */
export const findLeft = (
  all: readonly Guarantee[],
  measured: Readonly<Record<string, Measured>>,
  commit: string,
): readonly Guarantee[] =>
  all.filter(({ name }) => !(measured[name]?.passed && measured[name].at === commit));

/** What Vitest and npm print about themselves. */
const notFigures = /^(?:Test Files|Tests|Start at|Duration|stdout \||stderr \||[✓×↓❯⎯]|npm )/;

/** The last line with a number that the command itself printed. */
export function findFigures(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map(line => line.trim());
  return lines.findLast(line => /\d/.test(line) && !notFigures.test(line)) ?? '';
}
