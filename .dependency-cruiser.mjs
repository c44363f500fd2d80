/**
 * Which file may import which. `npm run check` runs it; tools/checks/imports.test.ts shows that each rule can fail.
 * Reads of `process.env` are no imports: biome.json keeps those to config/.
 */

const server = '^apps/server/src/';
/** Files that only Vitest loads. */
const tests = '[.](?:test|it|e2e)[.]tsx?$';
/** The folders of the server, the innermost first. Each imports only what stands before it, so no two import each other. */
const layers = ['kernel', 'config', 'platform', 'http'];
const features = [
  'scans',
  'limits',
  'audit',
  'rules',
  'analytics',
  'share-links',
  'redirect',
  'domains',
  'moderation',
  'accounts',
  'designs',
  'ingest',
  'qrcodes',
  'users',
  'images',
  'operator',
  'backup',
  'webhooks',
];
const wiring = ['doctor', 'roles', 'commands'];
const folders = [...layers, ...features, ...wiring];

/** How a feature stores, serves and registers things stays its own. Everything else of it are nouns and functions on them. */
const privateFiles = '[/-](?:store|statements|routes|service|feature|present)[.]ts$';

const anyOf = names => `(?:${names.join('|')})`;

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** A folder of the server imports itself and the folders before it. */
const inwardRule = (folder, at) =>
  rule(
    `${folder}-imports-inward`,
    `${folder}/ imports only packages, itself and what stands before it in \`folders\` of .dependency-cruiser.mjs.`,
    { path: `${server}${folder}/`, pathNot: tests },
    { path: '^apps/[^/]+/src/', pathNot: `${server}${anyOf(folders.slice(0, at + 1))}/` },
  );

export default {
  forbidden: [
    rule(
      'no-circle',
      'Files that import each other in a circle cannot be understood, or loaded, one by one.',
      {},
      {
        circular: true,
      },
    ),

    ...folders.map(inwardRule),
    rule(
      'kernel-is-pure',
      'The kernel computes: of packages and of Node it imports only what has no side effects.',
      { path: `${server}kernel/`, pathNot: tests },
      { path: '.', pathNot: ['^apps/', '^packages/(?:contract|qr)/src/', '^(?:node:)?(?:crypto|net|url)$'] },
    ),
    rule(
      'config-is-a-type',
      'Only main.ts, roles/ and commands/ read settings; everything else is passed the values that it needs.',
      { path: server, pathNot: [tests, `${server}(?:main[.]ts$|(?:roles|commands|config)/)`] },
      { path: `${server}config/`, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'features-keep-their-store',
      'Of another feature its nouns are imported, not how it stores, serves and registers them.',
      { path: `${server}(${anyOf(features)})/`, pathNot: tests },
      { path: `${server}.*${privateFiles}`, pathNot: [`${server}$1/`, `${server}${anyOf(layers)}/`] },
    ),
    rule(
      'features-are-registered-in-roles',
      'feature.ts registers the routes of a feature; only roles/ decides which process has them.',
      { path: '.', pathNot: [tests, `${server}roles/`] },
      { path: `${server}.+/feature[.]ts$` },
    ),
    rule(
      'known-folders',
      'Every folder of the server stands in `folders` of .dependency-cruiser.mjs.',
      { path: `${server}.+/`, pathNot: `${server}${anyOf(folders)}/` },
      {},
    ),

    rule('no-import-of-tests', 'Nothing imports a test.', {}, { path: tests }),
    rule(
      'nothing-outward',
      'apps/ and packages/, their tests included, import nothing from test/, tools/ or bench/.',
      { path: '^(?:apps|packages)/' },
      { path: '^(?:test|tools|bench)/' },
    ),
    rule(
      'testing-only-in-tests',
      'Only tests, tools, benches and itself import @signpost/testing.',
      { path: '^(?:apps|packages)/[^/]+/src/', pathNot: [tests, '^packages/testing/'] },
      { path: '^packages/testing/' },
    ),
    rule(
      'packages-know-no-apps',
      'A package imports no app. @signpost/testing does: it starts the server.',
      { path: '^packages/', pathNot: '^packages/testing/' },
      { path: '^apps/' },
    ),
    rule(
      'apps-know-no-apps',
      'The dashboard and the server know each other by the contract alone.',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'qr-and-sdk-stand-alone',
      'packages/qr runs in browsers and packages/sdk is published: neither imports another package of ours.',
      { path: '^packages/(qr|sdk)/src/', pathNot: tests },
      { path: '^packages/', pathNot: '^packages/$1/' },
    ),
    rule(
      'packages-by-name',
      'A package is imported by its name, as its manifest exports it. The server has no exports, since it is a ' +
        'program: @signpost/testing, test/, tools/ and bench/ import its files by path.',
      { path: '^((?:apps|packages)/[^/]+|test|tools|bench)/' },
      {
        path: '^packages/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased', 'aliased-workspace'],
      },
    ),
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:apps|packages|test)/[^/]+/(?:dist|[.]generated)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
