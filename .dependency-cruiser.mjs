/**
 * Which file may import which. `npm run check` runs it; tools/checks/imports.test.ts shows that each rule can fail.
 * Reads of `process.env` are no imports: biome.json keeps those to config/.
 */

const server = '^apps/server/src/';
/** Files that only Vitest loads. */
const tests = '[.](?:test|it|e2e)[.]tsx?$';
/** Folders of the server that are no feature. */
const layers = ['kernel', 'platform', 'http', 'config', 'doctor', 'roles', 'commands'];
const features = [
  'accounts',
  'analytics',
  'assets',
  'backup',
  'designs',
  'idempotency',
  'images',
  'import-export',
  'ingest',
  'limits',
  'lists',
  'live',
  'moderation',
  'operator',
  'qrcodes',
  'redirect',
  'reports',
  'rules',
  'scans',
  'stops',
  'suspensions',
  'users',
  'views',
  'webhooks',
];

/**
 * What other features may import of a feature: its nouns, and the functions by which another one takes part in its
 * transaction. How a feature works and how it stores things stays its own.
 */
const nounFiles = [
  'accounts/account',
  'analytics/analytics',
  'analytics/log-cursor',
  'analytics/logged-scans',
  'assets/asset',
  'ingest/after-restore',
  'ingest/erasure/request',
  'ingest/ingest',
  'limits/[^/]+',
  'lists/listed',
  'moderation/targets',
  'qrcodes/code-counts',
  'qrcodes/link-changes',
  'qrcodes/listing/filter',
  'qrcodes/listing/query',
  'qrcodes/used-up',
  'reports/report',
  'rules/[^/]+',
  'scans/log/batch',
  'scans/log/entry',
  'scans/log/known-logs',
  'scans/log/meter',
  'scans/log/reader',
  'scans/not-redirected',
  'scans/scan',
  'stops/stop',
  'stops/stop-writer',
  'suspensions/by-list',
  'suspensions/evidence',
  'suspensions/released',
  'suspensions/suspension',
  'users/after-restore',
  'users/user',
  'webhooks/publish-events',
];

const anyOf = names => `(?:${names.join('|')})`;

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** A layer of the server may import the layers named, and itself. */
const layerRule = (layer, inner) =>
  rule(
    `${layer}-imports-inward`,
    `${layer}/ imports only ${inner.map(name => `${name}/, `).join('')}itself and packages.`,
    { path: `${server}${layer}/`, pathNot: tests },
    { path: '^apps/', pathNot: `${server}${anyOf([layer, ...inner])}/` },
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

    layerRule('kernel', []),
    rule(
      'kernel-is-pure',
      'The kernel computes: of packages and of Node it imports only what has no side effects.',
      { path: `${server}kernel/`, pathNot: tests },
      { path: '.', pathNot: ['^apps/', '^packages/(?:contract|qr)/src/', '^(?:node:)?(?:crypto|net|url)$'] },
    ),
    layerRule('platform', ['config', 'kernel']),
    layerRule('http', ['config', 'platform', 'kernel']),
    layerRule('config', ['kernel']),
    rule(
      'config-is-a-type',
      'Only main.ts, roles/ and commands/ read settings; everything else is passed the values that it needs.',
      { path: server, pathNot: [tests, `${server}(?:main[.]ts$|(?:roles|commands|config)/)`] },
      { path: `${server}config/`, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'features-know-no-wiring',
      'main.ts, roles/, commands/ and doctor/ put features together; a feature knows nothing of them.',
      { path: `${server}${anyOf(features)}/`, pathNot: tests },
      { path: `${server}(?:main[.]ts$|(?:doctor|roles|commands)/)` },
    ),
    rule(
      'nouns-of-other-features',
      'Of another feature only its nouns are imported; nounFiles in .dependency-cruiser.mjs lists them.',
      { path: `${server}(${anyOf(features)})/`, pathNot: tests },
      {
        path: `${server}${anyOf(features)}/`,
        pathNot: [`${server}$1/`, `${server}${anyOf(nounFiles)}[.]ts$`],
      },
    ),
    rule(
      'features-are-registered-in-roles',
      'feature.ts registers the routes of a feature; only roles/ decides which process has them.',
      { path: '.', pathNot: [tests, `${server}roles/`] },
      { path: `${server}.+/feature[.]ts$` },
    ),
    rule(
      'known-folders',
      'Every folder of the server is a layer or a feature that .dependency-cruiser.mjs names.',
      { path: `${server}.+/`, pathNot: `${server}${anyOf([...layers, ...features])}/` },
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
    // TypeScript 7 has no JavaScript API by which dependency-cruiser could parse.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:apps|packages)/[^/]+/(?:dist|[.]generated)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
