import { fileURLToPath } from 'node:url';
import { isLanguage, languages } from '@signpost/contract/values.ts';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { precompress } from './precompress.ts';
import { translate } from './translate.ts';

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
  map: /node_modules.(d3-|internmap|topojson|world-atlas)/,
  countries: /node_modules.i18n-iso/,
  // Of the package that draws codes, what only frames, captions and printers need.
  letters: /packages.qr.src.(font\W|(text|frames?|labels?)\.ts)/,
  press: /packages.qr.src.(pdf|pdf-file|eps|vector)\.ts/,
  qr: /node_modules.qr\W|packages.qr\W/,
};
const isHeavy = (id: string) => Object.values(heavy).some(library => library.test(id));

/** Of what many pages share, what lists and settings need and the form that designs a code does not. */
const lists =
  /@mantine.core.*\W(MultiSelect|NativeSelect|Pagination|Select|Switch|Table|Tabs|Textarea)\W|use-pagination|src.(api.(live|throttle)|ui.(card-labels|long|pager|secret|status-badge|time-ago|wide-table))/;

const form = fileURLToPath(new URL('src/features/codes/new-code-page.tsx', import.meta.url));

/** Whether the form that designs a code imports a module of ours, directly or not. It is the first page of new people. */
function isOfForm(id: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (id === form) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const importers = context.getModuleInfo(id)?.importers ?? [];
  return importers.some(importer => isOfForm(importer, context, seen));
}

/** Features that every page of codes shows parts of. */
const onCodes = ['domains', 'organise', 'rules', 'sandbox', 'tags'];

/** The feature of a module of ours. */
const featureOf = (id: string) => {
  const feature = /(?:features|strings).([\w-]+)/.exec(id)?.[1] ?? 'other';
  return onCodes.includes(feature) ? 'codes' : feature;
};

/**
 * Few files for each page: what every page needs, what many pages share, each heavy library by itself, and of each feature
 * what its pages share. Left alone, the bundler makes a file of nearly every component.
 */
const chunks = [
  { name: 'frame', tags: ['$initial' as const], priority: 5 },
  { name: 'lists', test: lists, minShareCount: 2, priority: 4 },
  {
    name: 'parts',
    test: (id: string) => /node_modules|src.(ui|api|features.shell)\W/.test(id) && !isHeavy(id),
    minShareCount: 2,
    priority: 3,
  },
  ...Object.entries(heavy).map(([name, test]) => ({ name, test, priority: 2 })),
  {
    name: (id: string, context: Rolldown.ChunkingContext) =>
      `${featureOf(id)}-${isOfForm(id, context) ? 'form' : 'shared'}`,
    debugName: 'shared by pages of a feature',
    test: /dashboard.src/,
    minShareCount: 2,
    priority: 1,
  },
];

/** Every language, or one by `--mode`: `vite build --mode de`. */
export default defineConfig(({ mode }) => ({
  base: '/app/',
  root: import.meta.dirname,
  plugins: [react(), translate(isLanguage(mode) ? [mode] : languages), preloadFont(), precompress()],
  // Nothing is inlined as a data: URL, so that the policy of the page can stay narrow.
  build: {
    outDir: 'dist',
    emptyOutDir: !isLanguage(mode) || mode === 'en',
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } },
    },
  },
}));
