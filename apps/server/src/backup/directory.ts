import { mkdir } from 'node:fs/promises';

/** Creates a directory that only its owner can read. With `parents`, it also creates missing parents, and it may already exist. */
export async function makeDirectory(dir: string, { parents }: { readonly parents: boolean }): Promise<void> {
  await mkdir(dir, { recursive: parents, mode: 0o700 }).catch((cause: Error) => {
    const hint = `Does its parent belong to user ${process.getuid?.()}, as which this runs?`;
    throw new Error(`The backup directory cannot be created: ${cause.message}. ${hint}`, { cause });
  });
}
