import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Another language may have written and compressed the same file. */
const isHashed = (name: string) => name.startsWith('assets');

const compressed = /\.(js|css|html|svg|json)$/;

/** Each text file also as Brotli and gzip, made once here, so that the server sends bytes as they lie. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(outDir, { recursive: true });
      await Promise.all(
        entries
          .filter(name => compressed.test(name) && !(isHashed(name) && entries.includes(`${name}.gz`)))
          .map(name => compress(join(outDir, name))),
      );
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
