import { join } from 'node:path';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** The page at /docs: the renderer of the API reference and our settings for it. */
export default defineConfig({
  base: '/docs/',
  root: join(import.meta.dirname, 'reference'),
  publicDir: false,
  plugins: [precompress()],
  // Nothing is inlined as a data: URL, so that the policy of the page can stay narrow.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
});
