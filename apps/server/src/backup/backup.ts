/** A backup: a directory with a dump of PostgreSQL, files of ClickHouse's rows, and this, written last. */
export type Manifest = {
  readonly format: 1;
  readonly takenAt: string;
  /** How far each shard was counted in the dump: a position in the log with this number. */
  readonly logs: readonly LogMark[];
  readonly files: readonly BackupFile[];
  /** Sums at the moment of the dump, which a restore must come to. */
  readonly totals: Totals;
};

export type LogMark = {
  readonly shard: number;
  readonly log: number;
  readonly position: number;
  /** When the log was created: only in backups from before logs had numbers. Since then it is in the dump. */
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
  /** A file holds the rows for which this is the same. */
  readonly fileBy: string;
  /** Only rows that were counted in the dump are copied: this has the columns `shard`, `log_number` and `position`. */
  readonly byPosition: boolean;
};

/** Every table of ClickHouse that holds something which cannot be made again. A test fails when one is in neither list. */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'scans', fileBy: 'toYYYYMMDD(at)', byPosition: true },
  { name: 'webhook_attempts', fileBy: 'toYYYYMMDD(at)', byPosition: false },
];

/** Made by `signpost migrate`. */
export const ownTables: readonly string[] = ['schema_migrations'];

export const manifestName = 'manifest.json';
export const dumpName = 'postgres.dump';
