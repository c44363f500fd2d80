import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const compressed = /\.(js|css|html|svg|json)$/;

/** Each text file also as Brotli and gzip, made once here, so that the server sends bytes as they lie. */
function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(outDir, { recursive: true });
      await Promise.all(
        entries.filter(name => compressed.test(name)).map(name => compress(join(outDir, name))),
      );
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

export default defineConfig({
  base: '/app/',
  root: import.meta.dirname,
  plugins: [react(), precompress()],
  // Nothing is inlined as a data: URL, so that the policy of the page can stay narrow.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
});
