import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApi } from './docs/api.ts';
import type { Commands } from './docs/commands.ts';
import type { Tree } from './docs/links.ts';
import { readPage, slugOf } from './docs/page.ts';
import { commandsOf } from './docs/shell.ts';
import { pageFaults } from './docs.ts';

const document = JSON.parse(readFileSync(new URL('../../docs/guides/openapi.json', import.meta.url), 'utf8'));

const known: Commands = {
  scripts: new Map([
    ['', new Set(['check', 'signpost', 'test', 'test:it'])],
    ['apps/dashboard', new Set(['build'])],
  ]),
  usage: `signpost all                             every role in one process
signpost doctor [--json]                 looks for what is wrong
signpost restore DIR                     puts a backup into empty engines
signpost admin create-account NAME [--plan free|pro]
signpost admin list-keys ACCOUNT`,
  api: createApi([document]),
  tests: ['apps/server/src/webhooks/delivery/attempts/signature.test.ts', 'test/analytics/model.it.ts'],
};

const paths = [
  ...[
    'README.md',
    'docs',
    'docs/page.md',
    'docs/images',
    'docs/images/one.png',
    'docs/examples',
    '.ci',
    '.ci/run',
  ],
  ...[
    'docs/examples/receiver.ts',
    'apps',
    'apps/server',
    'apps/server/src',
    'apps/server/src/main.ts',
    'deploy',
  ],
  ...[
    'apps/server/src/scans',
    'apps/server/src/scans/spool/spool.ts',
    'apps/dashboard',
    'tools',
    'tools/checks/check.ts',
  ],
];

const tree: Tree = {
  has: path => paths.includes(path),
  isIgnored: path => path === 'deploy/secrets',
  anchorsOf: path => (path.endsWith('.md') ? new Set(['what-it-costs', 'what-it-costs-1']) : undefined),
};

const faultsOf = (markdown: string, file = 'docs/page.md') =>
  pageFaults(file, readPage(markdown), tree, known);
const block = (language: string, ...lines: readonly string[]) =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');

test.each([
  ['a page beside it', '[page](page.md)'],
  ['a page above it, with a title', '[read me](../README.md "first")'],
  ['a folder', '[pictures](images/)'],
  ['the root', '[read me](/README.md)'],
  ['a heading of this page', '[costs](#what-it-costs)'],
  ['the second heading of that name on another page', '[costs](../README.md#what-it-costs-1)'],
  ['a line of code', '[spool](../apps/server/src/scans/spool/spool.ts#L10-L12)'],
  ['an image inside a link', '[![one](images/one.png)](https://example.com/a_(b))'],
  ['the world, and this machine', '<https://example.com/x?y=1#z> <http://localhost:8080/docs>'],
  ['an address of mail', '[write](mailto:a@example.com)'],
  ['a reference', '[page][p]\n\n[p]: page.md'],
  ['nothing, since it is code', '`[x](nowhere.md)` and `a\nb [x](nowhere.md)`'],
  ['nothing, since it is a block', block('text', '[x](nowhere.md)')],
])('a link may lead to %s', (_what, markdown) => {
  expect(faultsOf(markdown)).toEqual([]);
});

test.each([
  ['[x](nowhere.md)', 'nowhere.md: there is no docs/nowhere.md'],
  ['[x](Page.md)', 'Page.md: there is no docs/Page.md'],
  ['[x](../../README.md)', '../../README.md: there is no ../README.md'],
  ['![x](images/two.png)', 'images/two.png: there is no docs/images/two.png'],
  ['[![x](images/two.png)](page.md)', 'images/two.png: there is no docs/images/two.png'],
  ['<img src="images/two.png">', 'images/two.png: there is no docs/images/two.png'],
  ['[x](#what-it-cost)', '#what-it-cost: docs/page.md has no heading #what-it-cost'],
  ['[x](../README.md#nowhere)', '../README.md#nowhere: README.md has no heading #nowhere'],
  [
    '[x](examples/receiver.ts#verify)',
    'examples/receiver.ts#verify: docs/examples/receiver.ts has no anchors',
  ],
  ['[x](http://example.com)', 'http://example.com is not https'],
  ['<https://>', 'https:// is not a URL'],
  ['[x](https://nohost/y)', 'https://nohost/y has no host'],
  ['[x](mailto:a.example.com)', 'mailto:a.example.com is not an address'],
  ['[x]()', 'a link without a target'],
  ['[x][p]\n\n[p]: nowhere.md', 'nowhere.md: there is no docs/nowhere.md'],
])('%s leads nowhere', (markdown, what) => {
  expect(faultsOf(markdown)).toEqual([expect.stringContaining(what)]);
});

test.each([
  ['What it costs', 'what-it-costs'],
  ['From clone to your first code', 'from-clone-to-your-first-code'],
  ['`npm run check`, and why', 'npm-run-check-and-why'],
  ['A & B — C', 'a--b--c'],
  ['What _you_ see: snake_case', 'what-you-see-snake_case'],
  ['[Webhooks](webhooks.md) *first*', 'webhooks-first'],
  ['0.2.0 (2026-11-15)', '020-2026-11-15'],
  ['Größe', 'größe'],
])('the heading %s has the anchor %s', (heading, anchor) => {
  expect(slugOf(heading)).toBe(anchor);
});

test('headings with the same name are numbered, and those in code are ignored', () => {
  const { anchors } = readPage(`# A\n\n## B\ntext\n## B\n\n${block('sh', '# C')}\n\n<a id="d"></a>`);
  expect([...anchors]).toEqual(['a', 'b', 'b-1', 'd']);
});

test.each([
  ['tools/checks/check.ts'],
  ['node tools/checks/check.ts --all'],
  ['scans/spool/spool.ts'],
  ['scans/'],
  ['images/one.png'],
  ['.ci/run'],
  ['deploy/secrets/'],
  ['apps/dashboard/src/<noun>/x.ts'],
  ['docs/….md'],
  ['application/json'],
  ['@signpost/sdk'],
  ['redirects/nginx.conf'],
])('in a sentence %s is no fault', code => {
  expect(faultsOf(`See \`${code}\`.`)).toEqual([]);
});

test.each([
  ['tools/chek.ts'],
  ['node tools/chek.ts --all'],
  ['scans/spol.ts'],
  ['docs/nothing/'],
  ['apps/server/src/nothing/x.ts'],
  ['.ci/go'],
])('in a sentence %s names no file', code => {
  expect(faultsOf(`See\n\`${code}\`.`)).toEqual([
    expect.stringMatching(/^docs\/page\.md:2: .*no such file$/),
  ]);
});

test.each([
  ['sh', 'git clone <this repository> signpost && cd signpost', 'if true; then ls; fi'],
  ['bash', 'for i in 1 2; do echo "$i"; done'],
  ['json', '{ "name": "Menu", "id": "qr_…" }'],
  ['yaml', 'a: [1, 2]', '---', 'b: {c: d}'],
  [
    'ts',
    'const f = (a: string): number => a.length;',
    'export type T = { readonly [key: string]: unknown };',
  ],
  ['js', 'for await (const code of list()) console.log(code);'],
  ['python', 'def f(a: int) -> int:', '    return a'],
  ['sql', "select (a->>'it''s (') from b where c = \"d(\" -- (", ';'],
  ['nginx', 'location / { return 302 "https://example.com/}"; } # {'],
  ['caddy', 'example.com {', '  redir https://example.com/x 302', '}'],
  ['ini', '# unit', '[Service]', 'User=signpost', '', 'Exec = a b'],
  ['text', '((('],
  ['http', 'POST /hooks HTTP/1.1'],
])('a block of %s that can be read is no fault', (language, ...lines) => {
  expect(faultsOf(block(language, ...lines))).toEqual([]);
});

test.each([
  ['sh', 'if true; then ls'],
  ['bash', 'echo "open'],
  ['json', '{ name: "Menu" }'],
  ['yaml', 'a: [1, 2'],
  ['ts', 'const f = (a: string: number => a;'],
  ['js', 'const = 1;'],
  ['python', 'def f(:'],
  ['sql', 'select (a from b;'],
  ['sql', "select 'a from b;"],
  ['nginx', 'location / { return 302; '],
  ['caddy', 'example.com }'],
  ['ini', '[Service]', 'User signpost'],
])('a block of %s that cannot be read is a fault', (language, ...lines) => {
  expect(faultsOf(`Text.\n\n${block(language, ...lines)}`)).toEqual([
    expect.stringMatching(new RegExp(`^docs/page\\.md:3: ${language}: .`)),
  ]);
});

test('a block without a language, without an end or in an unknown language is a fault', () => {
  expect(faultsOf(block('', 'ls'))).toEqual([expect.stringContaining('names no language')]);
  expect(faultsOf('```sh\nls')).toEqual([expect.stringContaining('no end')]);
  expect(faultsOf(block('cobol', 'STOP RUN.'))).toEqual([expect.stringContaining('cobol is unknown')]);
});

test('a file that the page shows counts as written by the reader', () => {
  const use = block('sh', 'docker compose -f deploy/mine.yaml up');
  expect(faultsOf(`${block('yaml', '# deploy/mine.yaml', 'a: b')}\n\n${use}`)).toEqual([]);
  expect(faultsOf(use)).toEqual([expect.stringContaining('deploy/mine.yaml: there is no such file')]);
});

test('a block inside a list is read without its indentation', () => {
  expect(faultsOf('1. Do:\n\n   ```yaml\n   a:\n     - b\n   ```\n\n   [x](nowhere.md)')).toEqual([
    expect.stringMatching(/^docs\/page\.md:8: /),
  ]);
  expect(readPage('   ```py\n   def f():\n     pass\n   ```').fences[0]?.code).toBe('def f():\n  pass\n');
});

test('a script is split into commands and words', () => {
  const script = `A=1 npm run 'a b' -- "c \\"d\\"" # && no\\\n\ncurl \\\n  -H 'x: y' "$U/v1"; ls|wc && x\\ y`;
  expect(commandsOf(script)).toEqual([
    ['npm', 'run', 'a b', '--', 'c "d"'],
    ['curl', '-H', 'x: y', '$U/v1'],
    ['ls'],
    ['wc'],
    ['x y'],
  ]);
});

const goodCommands = [
  'npm ci',
  'npm test',
  'npm run --silent check',
  'npm run test:it -- --retry=1 analytics/model',
  'A=1 npm test -- webhooks/delivery/attempts/signature',
  'npm run build --workspace apps/dashboard',
  'npm run signpost -- doctor --json',
  'npm run signpost -- admin create-account "My shop" --plan pro',
  'npm run signpost -- admin …',
  'npm run …',
  'signpost restore DIR',
  'signpost',
  'docker compose exec signpost node apps/server/src/main.ts admin list-keys',
  'curl https://elsewhere.org/x',
  'curl localhost:9464/metrics',
  'curl -I http://localhost:8080/menu',
  'curl http://localhost:8080/images/qr_1/public',
  'curl "http://localhost:8080/v1/qrcodes/qr_…/download?size=64&format=svg"',
  'curl -X DELETE $SIGNPOST_URL/v1/qrcodes/qr_1',
  `curl https://qr.example.com/v1/qrcodes -d '{"name": "a", "destination_url": "https://example.com"}'`,
];

test.each(goodCommands)('%s can be run as written', command => {
  expect(faultsOf(block('sh', command))).toEqual([]);
  expect(faultsOf(`Say \`${command}\`.`)).toEqual([]);
});

const badCommands = [
  ['npm run chek', 'no such script'],
  ['npm run build', 'no such script'],
  ['npm run test:it -- webhooks/delivery/signature', 'no test has this in its path'],
  ['npm test -- --retry=1 apps/none', 'no test has this in its path'],
  ['npm ci && npm run chek', 'no such script'],
  ['npm run check --workspace apps/dashboard', 'no such script'],
  ['npm run signpost -- docter', 'signpost docter: there is no such command'],
  ['npm run signpost -- doctor --jsn', 'signpost doctor has no option --jsn'],
  ['npm run signpost -- admin make-account', 'signpost admin make-account: there is no such command'],
  ['npm run signpost -- admin list-keys --plan pro', 'signpost admin has no option --plan'],
  ['signpost restor DIR', 'signpost restor: there is no such command'],
  ['docker compose exec x node apps/server/src/main.ts al', 'signpost al: there is no such command'],
  ['curl -s', 'curl without a URL'],
  ['curl http://localhost:8080/v1/qrcode', 'GET /v1/qrcode is no operation'],
  ['curl -X PUT http://localhost:8080/v1/webhooks/whk_1', 'PUT /v1/webhooks/whk_1 is no operation'],
  ['curl -X POST http://localhost:8080/menu', 'POST /menu is no operation'],
  ['curl "http://localhost:8080/v1/qrcodes/qr_…/download?width=64"', 'has no parameter width'],
  [`curl http://localhost:8080/v1/qrcodes -d '{"name": a}'`, 'the body is no JSON'],
  [`curl http://localhost:8080/v1/qrcodes -d '{"nam": "a"}'`, 'the operation does not take the body'],
  [`curl -X DELETE http://localhost:8080/v1/qrcodes/qr_1 -d '{}'`, 'takes no body'],
] as const;

test.each(badCommands)('%s cannot be run as written', (command, what) => {
  expect(faultsOf(block('sh', command))).toEqual([expect.stringContaining(what)]);
  expect(faultsOf(`Say \`${command}\`.`)).toEqual([expect.stringContaining(what)]);
});

test('a request in a sentence must be one of the API', () => {
  expect(faultsOf('`GET /v1/qrcodes?limit=1`, `/v1/webhooks`, `PATCH … {}`, `GET /healthz`')).toEqual([]);
  expect(faultsOf('`PUT /v1/qrcodes`')).toEqual([expect.stringContaining('PUT /v1/qrcodes is no operation')]);
  expect(faultsOf('`/v1/webhoks/{id}`')).toEqual([expect.stringContaining('not a path of the API')]);
});
