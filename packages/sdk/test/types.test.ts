import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const sdk = resolve(import.meta.dirname, '..');
const root = resolve(sdk, '../..');

const start = `import { type ErrorCode, Signpost } from '@signpost/sdk';
declare const signpost: Signpost;
`;

/** Programs of a caller, each by what it shows. */
const programs = {
  'no-destination': "await signpost.qrcodes.create({ name: 'Menu' });",
  'no-body': 'await signpost.qrcodes.create();',
  alias: "await signpost.qrcodes.create({ name: 'Menu', destination: 'https://example.com' });",
  'alias-type':
    "await signpost.qrcodes.create({ name: 'Menu', destination_url: 'https://example.com', type: 'url' });",
  'empty-update': "await signpost.qrcodes.update('qr_1');",
  bulk: `const { data } = await signpost.qrcodes.bulkCreate({ items: [] });
for (const item of data) {
  if (item.status === 'created') item.qr_code.id satisfies string;
  if (item.status === 'failed') item.error.message satisfies string;
}`,
  'bulk-without-status': `const { data } = await signpost.qrcodes.bulkCreate({ items: [] });
for (const item of data) item.qr_code.id;`,
  'error-codes': `const later: ErrorCode = 'a_code_of_a_later_version';
declare const code: ErrorCode;
if (code === 'short_code_taken') code satisfies string;`,
  response: `const { data, response, requestId } = await signpost.qrcodes.list().withResponse();
data.pagination.total satisfies number;
response.headers.get('x-ratelimit-remaining') satisfies string | null;
requestId satisfies string | undefined;
for await (const code of signpost.qrcodes.list()) code.short_url satisfies string;`,
  'write-back': `const code = await signpost.qrcodes.get('qr_1');
const { rules, metadata, append_query, tags, starts_at, style, placements } = code;
await signpost.qrcodes.update(code.id, { rules, metadata, append_query, tags, starts_at });
await signpost.qrcodes.update(code.id, { ...code, name: 'New' });
await signpost.qrcodes.update(code.id, { rules: rules.map(rule => ({ ...rule, active: false })) });
await signpost.qrcodes.upsert('ext:1', { name: code.name, destination_url: code.destination_url, rules, style, metadata });
await signpost.qrcodes.create({ name: code.name, destination_url: code.destination_url, rules, style, metadata });
await signpost.qrcodes.testRules(code.id, { rules });
for (const placement of placements) {
  const { key, name, note } = placement;
  await signpost.qrcodes.createPlacement('qr_2', { key, name, note });
  await signpost.qrcodes.updatePlacement(code.id, key, { name, note });
}
await signpost.qrcodes.bulkCreatePlacements('qr_2', { items: placements.map(({ key, name, note }) => ({ key, name, note })) });
const hook = await signpost.webhooks.get('whk_1');
await signpost.webhooks.update(hook.id, { events: hook.events });
const [domain] = (await signpost.domains.list()).data;
if (domain?.is_default) await signpost.qrcodes.create({ name: 'Menu', destination_url: 'https://a.example', domain: domain.host });
const design = await signpost.designs.get('dsn_1');
await signpost.designs.update(design.id, { style: design.style });`,
  'closed-query': "await signpost.qrcodes.list({ status: 'activ' });",
  feed: `for await (const scan of signpost.analytics.accountScans({ limit: 500 })) scan.qr_id satisfies string;
const { data, next_cursor, has_more } = await signpost.analytics.accountScans();
next_cursor satisfies string;
has_more satisfies boolean;`,
  condition: `import { PreconditionFailedError } from '@signpost/sdk';
const code = await signpost.qrcodes.get('qr_1');
try {
  await signpost.qrcodes.update(code.id, { name: 'New' }, { ifMatch: code.revision });
  await signpost.qrcodes.upsert('ext:1', { name: 'New', destination_url: 'https://example.com' }, { ifNoneMatch: '*' });
} catch (error) {
  if (error instanceof PreconditionFailedError) error.status satisfies number;
}`,
  examples: examplesOfMethods(),
};

/** The examples in the comments of all methods, each in a scope of its own. */
function examplesOfMethods(): string {
  const source = readFileSync(join(sdk, 'src/methods.ts'), 'utf8');
  const examples = [...source.matchAll(/@example\n\s+\* ```ts\n(.*?)\s+\* ```/gs)];
  expect(examples.length).toBeGreaterThan(20);
  return examples.map(([, code]) => `{\n${code!.replaceAll(/^ +\* ?/gm, '')}\n}`).join('\n');
}

let said: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-sdk-types-'));
  mkdirSync(join(dir, 'node_modules/@signpost'), { recursive: true });
  symlinkSync(sdk, join(dir, 'node_modules/@signpost/sdk'));
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(dir, `${name}.ts`), start + code);
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true },
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', dir, '--pretty', 'false'], {
    cwd: dir,
    encoding: 'utf8',
  });
  // An error begins at the margin; what explains it is indented.
  said = Map.groupBy(stdout.split(/\n(?=\S)/).filter(Boolean), error => error.split('.ts(')[0]!);
}, 60_000);

const errorsOf = (program: keyof typeof programs) => said.get(program) ?? [];

test('the compiler has spoken of these programs only', () => {
  for (const name of said.keys()) expect(Object.keys(programs)).toContain(name);
});

describe('the first call', () => {
  test('create({ name }) gives one type error, which names destination_url', () => {
    const errors = errorsOf('no-destination');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("Property 'destination_url' is missing");
  });

  test('create() asks for its params, and update(id) for what to change', () => {
    expect(errorsOf('no-body')).toEqual([expect.stringContaining('Expected 1-2 arguments')]);
    expect(errorsOf('empty-update')).toEqual([expect.stringContaining('Expected 2-3 arguments')]);
  });

  test('the names that the API accepts for compatibility are not there', () => {
    expect(errorsOf('alias')).toEqual([expect.stringContaining("'destination' does not exist")]);
    expect(errorsOf('alias-type')).toEqual([expect.stringContaining("'type' does not exist")]);
  });
});

test('a bulk result narrows by its status, and has no code without it', () => {
  expect(errorsOf('bulk')).toEqual([]);
  expect(errorsOf('bulk-without-status')).toHaveLength(1);
});

test('an error code may be one of a later version', () => {
  expect(errorsOf('error-codes')).toEqual([]);
});

test('rules, placements, metadata and all else that is read can be written back', () => {
  expect(errorsOf('write-back')).toEqual([]);
});

test('a query takes known values only', () => {
  expect(errorsOf('closed-query')).toHaveLength(1);
});

test('a feed can be awaited and iterated', () => {
  expect(errorsOf('feed')).toEqual([]);
});

test('a change can depend on the revision of a code', () => {
  expect(errorsOf('condition')).toEqual([]);
});

test('an answer has its response on request, and a list can be iterated', () => {
  expect(errorsOf('response')).toEqual([]);
});

test('the example of every method compiles', () => {
  expect(errorsOf('examples')).toEqual([]);
});
