import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestName } from './backup.ts';
import { makeDirectory } from './directory.ts';

/**
 * Creates the directory of a new backup among others, and removes it if the backup fails: in an unattended series no person
 * would. Its name is the time, so that names sort by age.
 */
export async function takeInto<Result>(
  into: string,
  time: Date,
  take: (dir: string) => Promise<Result>,
): Promise<Result> {
  const dir = join(into, nameAt(time));
  await makeDirectory(into, { parents: true });
  // Not an existing one: a failure would remove another backup.
  await makeDirectory(dir, { parents: false });
  try {
    return await take(dir);
  } catch (error) {
    await rm(dir, { recursive: true });
    throw error;
  }
}

const nameAt = (time: Date) => time.toISOString().replaceAll(/[-:]|\.\d+/g, '');

const isName = (name: string) => /^\d{8}T\d{6}Z$/.test(name);

/**
 * Removes everything older than the newest `keep` complete backups of a directory, and returns the names. An unfinished backup
 * does not count, and other names do not belong to the series.
 */
export async function removeOutdated(into: string, keep: number): Promise<readonly string[]> {
  const names = (await readdir(into)).filter(isName).toSorted();
  const complete = await Promise.all(names.map(name => isComplete(join(into, name))));
  const oldestKept = names.filter((_, index) => complete[index]).at(-keep);
  const outdated = names.filter(name => oldestKept !== undefined && name < oldestKept);
  for (const name of outdated) await rm(join(into, name), { recursive: true });
  return outdated;
}

const isComplete = (dir: string) =>
  access(join(dir, manifestName)).then(
    () => true,
    () => false,
  );
