import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const here = import.meta.dirname;
const root = resolve(here, '../..');
const generated = resolve(here, '.generated');
const documentFile = resolve(generated, 'openapi.json');

const run = promisify(execFile);
const program = (path: string, ...args: string[]) => run(process.execPath, [path, ...args], { cwd: here });
const installed = (path: string) => resolve(root, 'node_modules', path);

let api: TestApi;
let account: TestAccount;
let baseUrl: string;
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
let document: any;

beforeAll(async () => {
  api = await createTestApi();
  account = await api.account();
  baseUrl = await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated, { recursive: true });
  document = await (await fetch(`${baseUrl}/v1/openapi.json`)).json();
  writeFileSync(documentFile, JSON.stringify(document));
});

afterAll(async () => {
  await api?.close();
});

describe('the linter of Redocly', () => {
  const lint = async (file: string) => {
    const redocly = installed('@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [redocly, 'lint', file, '--config', resolve(root, 'redocly.yaml'), '--format', 'json'];
    const { stdout } = await run(process.execPath, args, { cwd: root, env }).catch(error => error);
    return JSON.parse(stdout.slice(stdout.indexOf('{')));
  };

  test('finds nothing in the document that the server shows', async () => {
    const { totals, problems } = await lint(documentFile);
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  test('finds a mistake', async () => {
    const broken = structuredClone(document);
    broken.paths['/v1/qrcodes/{id}'].get.parameters = [];
    const file = resolve(generated, 'broken.json');
    writeFileSync(file, JSON.stringify(broken));
    expect((await lint(file)).totals.errors).toBeGreaterThan(0);
  });
});

describe('generated clients', () => {
  beforeAll(async () => {
    const target = resolve(generated, 'openapi-typescript.ts');
    await program(installed('openapi-typescript/bin/cli.js'), documentFile, '-o', target);
    const heyApi = ['-i', documentFile, '-o', resolve(generated, 'hey-api'), '-c', '@hey-api/client-fetch'];
    await program(installed('@hey-api/openapi-ts/bin/run.js'), ...heyApi, '--no-log-file');
  });

  test('have types that programs compile against', async () => {
    const tsc = installed('typescript/bin/tsc');
    const faults = await program(tsc, '-p', 'programs').then(
      () => '',
      error => error.stdout || String(error),
    );
    expect(faults).toBe('');
  });

  test.each(['openapi-fetch', 'hey-api'])('%s creates, reads, lists and tells errors apart', async name => {
    const client = await import(/* @vite-ignore */ resolve(here, `programs/${name}.ts`));
    const { made, read, listed, bulk, status, code } = await client.run(baseUrl, account.test);
    expect(made).toMatchObject({
      name: 'Menu',
      active: true,
      total_scans: 0,
      style: { dotsType: 'rounded' },
    });
    expect(read).toEqual(made);
    expect(listed).toEqual([made.id]);
    expect(bulk).toEqual(['Good', 'invalid_url']);
    expect({ status, code }).toEqual({ status: 404, code: 'not_found' });
  });
});

describe('a real response', () => {
  const fits = (schema: string, value: unknown) => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema({ $id: 'document', ...document });
    const validate = ajv.compile({ $ref: `document#/components/schemas/${schema}` });
    return validate(value) ? 'yes' : ajv.errorsText(validate.errors);
  };
  const create = (body: object) => api.call({ method: 'POST', url: '/v1/qrcodes', key: account.test, body });

  test('with a field or a value added still fits the document', async () => {
    const { body, status } = await create({ name: 'Door', destination_url: 'https://example.com' });
    expect(status).toBe(201);
    expect(fits('QrCode', body)).toBe('yes');
    const later = { ...body, tags: ['a'], status: 'archived', style: { ...body.style, shadow: 'x' } };
    expect(fits('QrCode', later)).toBe('yes');
    expect(fits('QrCode', { ...body, total_scans: 'none' })).toContain('total_scans must be integer');
  });

  test('with an error code that is new fits too', async () => {
    const { body, status } = await create({ name: 'Door' });
    expect(status).toBe(400);
    expect(fits('Error', body)).toBe('yes');
    expect(fits('Error', { error: { ...body.error, code: 'too_early', hint: 'Wait.' } })).toBe('yes');
    expect(fits('Error', { error: { ...body.error, code: 7 } })).toContain('code must be string');
  });

  test('the document in docs/ is the one that the server shows', () => {
    const inDocs = JSON.parse(readFileSync(resolve(root, 'docs/guides/openapi.json'), 'utf8'));
    expect({ ...inDocs, servers: [] }).toEqual({ ...document, servers: [] });
  });
});
