import { mkdir } from 'node:fs/promises';

/** A directory that its owner alone can read; with `around`, also the missing ones above it, and it may be there already. */
export async function makeDirectory(dir: string, { around }: { readonly around: boolean }): Promise<void> {
  await mkdir(dir, { recursive: around, mode: 0o700 }).catch((cause: Error) => {
    const next = `Does the folder around it belong to user ${process.getuid?.()}, whom this runs as?`;
    throw new Error(`The backup has no place: ${cause.message}. ${next}`, { cause });
  });
}
