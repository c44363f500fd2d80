/** A backup: a directory with a dump of PostgreSQL, files of ClickHouse's rows, and this manifest, written last. */
export type Manifest = {
  readonly format: 1;
  readonly takenAt: string;
  /** How far each shard was counted in the dump: a position in the log with this number. */
  readonly logs: readonly ShardPosition[];
  readonly files: readonly BackupFile[];
  /** Totals at the time of the dump, which a restore must reproduce. */
  readonly totals: Totals;
};

export type ShardPosition = {
  readonly shard: number;
  readonly log: number;
  readonly position: number;
  /** When the log was created: only in backups from before logs had numbers. Newer ones have it in the dump. */
  readonly createdAt?: string | null;
};

export type BackupFile = {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The table of ClickHouse whose rows it holds; null for the dump of PostgreSQL. */
  readonly table: string | null;
  readonly rows: number;
};

export type Totals = { readonly codes: number; readonly scans: number; readonly uniques: number };

/** A table of ClickHouse, and how its rows are copied. */
export type CopiedTable = {
  readonly name: string;
  /** An expression: a file holds the rows with the same value of it. */
  readonly fileBy: string;
  /** Copy only rows that are counted in the dump; the table has the columns `shard`, `log_number` and `position`. */
  readonly byPosition: boolean;
};

/** Every table of ClickHouse whose data cannot be rebuilt. A test fails if a table is in neither list. */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'scans', fileBy: 'toYYYYMMDD(at)', byPosition: true },
  { name: 'webhook_attempts', fileBy: 'toYYYYMMDD(at)', byPosition: false },
];

/** Created by `signpost migrate`. */
export const ownTables: readonly string[] = ['schema_migrations'];

export const manifestName = 'manifest.json';
export const dumpName = 'postgres.dump';
