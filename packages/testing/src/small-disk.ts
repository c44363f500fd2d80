import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system. Mounting it requires root, or sudo without a password. */
export type SmallDisk = {
  readonly dir: string;
  /** Fills the rest of it. */
  fill(): void;
  /** Frees that space. */
  clear(): void;
  remove(): void;
};

/** `files`: how many it can hold, with the directory itself. */
export function mountSmallDisk(sizeKb: number, { files }: { readonly files?: number } = {}): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-disk-'));
  asRoot(
    'mount',
    '-t',
    'tmpfs',
    '-o',
    `${files === undefined ? '' : `nr_inodes=${files},`}size=${sizeKb}k,mode=1777`,
    'tmpfs',
    dir,
  );
  const filler = join(dir, 'filler');
  return {
    dir,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (const page = Buffer.alloc(4096); ; ) writeSync(file, page);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(filler),
    remove() {
      asRoot('umount', '--lazy', dir);
      rmdirSync(dir);
    },
  };
}

function asRoot(...command: readonly string[]): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program, args, { stdio: 'pipe' });
}
