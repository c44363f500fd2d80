import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';

/** A file of an active part of `scans`, by its inode: ClickHouse hard-links the files that a new part takes over unchanged. */
export type PartFile = {
  readonly inode: bigint;
  readonly bytes: number;
  readonly name: string;
  readonly isCompact: boolean;
};

export async function partFiles(clickhouse: ClickHouse): Promise<PartFile[]> {
  const parts = await clickhouse.query<{ path: string; part_type: string }>(
    `select path, part_type from system.parts where database = currentDatabase() and table = 'scans' and active`,
  );
  return parts.flatMap(({ path, part_type }) =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => {
        const { ino, size } = statSync(join(entry.parentPath, entry.name), { bigint: true });
        const name = basename(entry.name);
        return { inode: ino, bytes: Number(size), name, isCompact: part_type === 'Compact' };
      }),
  );
}

/**
 * Bytes written between two snapshots: masks; all data of rows and roll-ups, including masks; and metadata of parts, some
 * kilobytes each regardless of their rows. Compact parts, which are small, are always rewritten completely.
 */
export function writtenBetween(before: readonly PartFile[], after: readonly PartFile[]) {
  const known = new Set(before.map(({ inode }) => inode));
  const written = after.filter(({ inode }) => !known.has(inode));
  const sum = (files: readonly PartFile[]) => files.reduce((total, { bytes }) => total + bytes, 0);
  const wide = written.filter(({ isCompact }) => !isCompact);
  return {
    bytes: sum(wide.filter(isData)),
    descriptions: sum(wide.filter(file => !isData(file))),
    masks: sum(wide.filter(({ name }) => name.startsWith('_row_exists'))),
    maskedParts: wide.filter(({ name }) => name === '_row_exists.bin').length,
    compact: sum(written.filter(({ isCompact }) => isCompact)),
  };
}

const isData = ({ name }: PartFile) => /\.(bin|c?mrk\d?)$/.test(name);
