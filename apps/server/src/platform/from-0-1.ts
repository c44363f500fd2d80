import { readFile } from 'node:fs/promises';
import { type Applied, type Migration, MigrationsDiffer, migrationsFolder } from './migration-files.ts';

/** Version 0.1 as its table of applied migrations knows it, and the files whose schema it is brought to. */
type OldVersion = {
  readonly checksums: Readonly<Record<string, string>>;
  /** The last file of that schema. Later files are applied as usual afterwards. */
  readonly lastOfSchema: string;
};

export const stepName = 'from-0.1.sql';

const old: Record<'postgres' | 'clickhouse', OldVersion> = {
  postgres: {
    lastOfSchema: '0007-operations.sql',
    checksums: {
      '0001-accounts.sql': 'd64b4abfb69b379eb014f17232f692866e3f5b6950f6b85cfdfc15239c5357f1',
      '0002-qr-codes.sql': '505aa3160e55d237ac6d62e97aa58eab35e32a6257ddebc0aca1ac59898e2855',
      '0003-idempotency-keys.sql': 'd6cacdb2cf0164f96c8f55375bb528c03a8208146275fa394d5ada6788e0effe',
      '0004-visitor-salts.sql': 'b6cbefa9e10e6e786585f8aaa1c40f764311ed2dd1caaa7651ded6702b7fa1ad',
      '0005-ingest.sql': '3b7f9fd1a9b0c5a8c3fdec04cb2aa2fffad0a93a6d019652f64f7bec61319c78',
      '0006-visitor-numbers.sql': '30014ae41ba7bb9d0f6687e58cc99d5d670aad117a69d34ab7b02395221dccc3',
      '0007-webhooks.sql': 'a9d963af1cf259a8beb932c7650cd045b61b9bbe67c7161c48e6b2e88c6c5be1',
      '0009-users.sql': 'b1924eb0a642566c608890b06e54ff42a518cfcdcd8f630b2c99ac28dd3c6416',
      '0010-edits-and-search.sql': '451898fecaeebb1836992fa5821f193501cd3b413d7f17ce8462acff1ea5af09',
      '0011-webhook-traces.sql': 'ce06015736b806faf60be0c9226e57ddb1450360342faa9862d0abed7904d67d',
      '0012-blocked-hosts.sql': '003e1b94952fd6ff303671c429868ebd0d6f6bfcbd5c5ec259490dd7df1030fa',
      '0013-link-changes.sql': '5d961f02ada66a00cfc8674729a871c30f9af4f21cf9812cbfa9e123259aefd2',
      '0014-closed-accounts.sql': '543f6bb69af81409d4fdf5231f03b1c049b6f2132796acdb7bbf3d8abc38ce9c',
    },
  },
  clickhouse: {
    lastOfSchema: '0002-webhook-attempts.sql',
    checksums: {
      '0001-scans.sql': '18a3222612d20c72b0f08452c3a3a139fb258540de55bf4c4043c8095fee5bf2',
      '0002-roll-ups.sql': '0201a2ffc4a23051fe4472072e1241b9505304b4f4c4b1fb4e4a6dda2c74ef7e',
      '0003-webhook-attempts.sql': '671e9e4550604500a6e0e6490aea2e7ce8b5ebbb99be560266e3e9e555bf9975',
    },
  },
};

/** Where from-0.1.sql goes on with the tables of this version. */
const newTables = /^-- NEW TABLES.*$/m;

/**
 * The step from 0.1, for a database that has applied exactly what 0.1 had, and null for any other that this version can
 * work with. A database that is neither is refused: nobody knows what is in it.
 */
export async function stepFrom01(
  engine: 'postgres' | 'clickhouse',
  migrations: readonly Migration[],
  applied: readonly Applied[],
): Promise<Migration | null> {
  if (applied.length === 0) return null;
  const checksums = new Map(applied.map(row => [row.name, row.checksum]));
  const [first] = migrations;
  if (first && checksums.get(first.name) === first.checksum) return null;
  const { checksums: expected, lastOfSchema } = old[engine];
  const names = Object.keys(expected);
  const known = names.filter(name => checksums.get(name) === expected[name]);
  if (known.length < names.length || applied.length > names.length)
    throw new MigrationsDiffer(refusal(engine, names, known, applied));
  const schema = migrations.filter(({ name }) => name <= lastOfSchema);
  const step = await readFile(new URL(stepName, migrationsFolder(engine)), 'utf8');
  return {
    name: stepName,
    sql: step.replace(newTables, () => schema.map(({ sql }) => sql).join('\n')),
    checksum: '',
    inTransaction: true,
    records: schema,
  };
}

function refusal(
  engine: 'postgres' | 'clickhouse',
  names: readonly string[],
  known: readonly string[],
  applied: readonly Applied[],
): string {
  const store = engine === 'postgres' ? 'PostgreSQL' : 'ClickHouse';
  if (known.length === applied.length) {
    const missing = names.filter(name => !known.includes(name));
    return (
      `${store} has a part of version 0.1: it lacks ${missing.join(', ')} of 0.1. ` +
      'Run `signpost migrate` of 0.1 to its end first, then that of this version.'
    );
  }
  return (
    `The migrations that were applied to ${store} are neither those of 0.1 nor those of this version: ` +
    `${applied.map(row => row.name).join(', ')}. Restore a backup of 0.1 or of a released version, ` +
    'or begin with an empty database.'
  );
}
