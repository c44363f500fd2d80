/** A backup: a directory with a dump of PostgreSQL, files of ClickHouse's rows if it stores the scans, and this manifest, written last. */
export type Manifest = {
  readonly format: 1;
  readonly takenAt: string;
  /** How far each shard was counted in the dump: a position in the log with this number. */
  readonly logs: readonly ShardPosition[];
  readonly files: readonly BackupFile[];
  /** Where the scans are: in the dump, or in files of rows, as in every backup that does not say. */
  readonly store?: 'postgres' | 'clickhouse';
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

/** A table of ClickHouse whose rows are copied as far as the dump counts them, by the columns `shard`, `log_number` and `position`. */
export type CopiedTable = {
  readonly name: string;
  /** An expression: a file holds the rows with the same value of it. */
  readonly fileBy: string;
};

/** Every table of ClickHouse whose data cannot be rebuilt. A test fails if a table is in neither list. */
export const copiedTables: readonly CopiedTable[] = [{ name: 'scans', fileBy: 'toYYYYMMDD(at)' }];

export const manifestName = 'manifest.json';
export const dumpName = 'postgres.dump';
