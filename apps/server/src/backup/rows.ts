import type { CopiedTable, ShardPosition } from './backup.ts';

/** A file of rows: those of a table that were counted up to these positions, in one of its parts. */
export type RowFile = {
  readonly table: CopiedTable;
  readonly logs: readonly ShardPosition[];
  /** The value of the table's `fileBy`: a day as 20261115. */
  readonly part: string;
};

/** Where the rows of a backup come from: ClickHouse itself, or the process that has its engine open. */
export type RowSource = {
  listParts(table: CopiedTable, logs: readonly ShardPosition[]): Promise<readonly string[]>;
  /** Writes the rows, compressed, after a line with their column names. Returns how many there are. */
  write(rows: RowFile, path: string): Promise<number>;
};

const newline = 0x0a;

/** Passes bytes on, and counts the lines in them. */
export function createLineCounter() {
  let lines = 0;
  return {
    count(chunk: Buffer): void {
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
    },
    /** Without the line of column names. */
    rows: () => lines - 1,
  };
}
