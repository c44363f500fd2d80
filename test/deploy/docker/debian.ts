import { renameSync } from 'node:fs';
import { run } from './run.ts';

/** Writes the packages of a suite of Debian, installed or only unpacked, into a tar file. */
export async function makeSystem(
  file: string,
  suite: string,
  packages: readonly string[],
  variant: 'minbase' | 'extract' = 'minbase',
): Promise<void> {
  const draft = `${file}.part`;
  await run('mmdebstrap', [
    ...['--format=tar', `--variant=${variant}`],
    ...['doc', 'man', 'locale'].map(folder => `--dpkgopt=path-exclude=/usr/share/${folder}/*`),
    // A suite that is not released yet may carry a date that has passed.
    '--aptopt=Acquire::Check-Valid-Until "false"',
    // Otherwise the package makes a cluster in the image.
    '--essential-hook=mkdir -p "$1/etc/postgresql-common"; echo create_main_cluster=false >"$1/etc/postgresql-common/createcluster.conf"',
    ...(packages.length > 0 ? [`--include=${packages.join(',')}`] : []),
    suite,
    draft,
  ]);
  renameSync(draft, file);
}
