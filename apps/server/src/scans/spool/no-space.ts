/** Whether a write failed because the disk, its inodes or the quota of this user are used up. */
export function isNoSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || isNoSpace(error.cause);
}
