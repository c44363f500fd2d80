import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestName } from './backup.ts';
import { makeDirectory } from './directory.ts';

/**
 * Makes the place of a new backup among others in one directory, and clears it away where the backup fails: of a series
 * nobody would. Its name is the moment, so that names sort by age.
 */
export async function takeInto<Result>(
  into: string,
  moment: Date,
  take: (dir: string) => Promise<Result>,
): Promise<Result> {
  const dir = join(into, nameAt(moment));
  await makeDirectory(into, { around: true });
  // Not one that is there: it would be another's that is cleared away.
  await makeDirectory(dir, { around: false });
  try {
    return await take(dir);
  } catch (error) {
    await rm(dir, { recursive: true });
    throw error;
  }
}

const nameAt = (moment: Date) => moment.toISOString().replaceAll(/[-:]|\.\d+/g, '');

const isName = (name: string) => /^\d{8}T\d{6}Z$/.test(name);

/**
 * Removes what is older than the newest `keep` whole backups of a directory, and says what. An unfinished one replaces no
 * whole one, and names that are not of a series are somebody else's.
 */
export async function removeOutdated(into: string, keep: number): Promise<readonly string[]> {
  const names = (await readdir(into)).filter(isName).toSorted();
  const whole = await Promise.all(names.map(name => isWhole(join(into, name))));
  const oldestKept = names.filter((_, index) => whole[index]).at(-keep);
  const outdated = names.filter(name => oldestKept !== undefined && name < oldestKept);
  for (const name of outdated) await rm(join(into, name), { recursive: true });
  return outdated;
}

const isWhole = (dir: string) =>
  access(join(dir, manifestName)).then(
    () => true,
    () => false,
  );
