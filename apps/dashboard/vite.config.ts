import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from './precompress.ts';

/** In the head: the typeface, which is otherwise found only once the styles are read. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter(name => /inter-latin-wght.*\.woff2$/.test(name))
          .map(name => ({
            tag: 'link',
            injectTo: 'head',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/app/${name}` },
          })),
    },
  };
}

const heavy = {
  dates: /node_modules.(@mantine.dates|dayjs)/,
  csv: /node_modules.papaparse/,
  numbers: /node_modules.(react-number-format|@mantine.core.*NumberInput)/,
  map: /node_modules.(d3-|internmap|topojson|world-atlas|i18n-iso)/,
  // Of the package that draws codes, what only frames, captions and printers need.
  letters: /packages.qr.src.(font\W|(text|frames?|labels?)\.ts)/,
  press: /packages.qr.src.(pdf|pdf-file|eps|vector)\.ts/,
  qr: /node_modules.qr\W|packages.qr\W/,
};
const isHeavy = (id: string) => Object.values(heavy).some(library => library.test(id));

/**
 * Few files for each page: what every page needs, what many pages share, each heavy library by itself, and of each feature
 * what its pages share. Left alone, the bundler makes a file of nearly every component.
 */
const chunks = [
  { name: 'frame', tags: ['$initial' as const], priority: 4 },
  {
    name: 'parts',
    test: (id: string) => /node_modules|src.(ui|api)\W/.test(id) && !isHeavy(id),
    minShareCount: 2,
    priority: 3,
  },
  ...Object.entries(heavy).map(([name, test]) => ({ name, test, priority: 2 })),
  {
    name: (id: string) => `${/(?:features|strings).([\w-]+)/.exec(id)?.[1] ?? 'other'}-shared`,
    debugName: 'shared by pages of a feature',
    test: /dashboard.src/,
    minShareCount: 2,
    priority: 1,
  },
];

export default defineConfig({
  base: '/app/',
  root: import.meta.dirname,
  plugins: [react(), preloadFont(), precompress()],
  // Nothing is inlined as a data: URL, so that the policy of the page can stay narrow.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } } },
  },
});
