import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestAccount } from '@signpost/testing/api.ts';
import { ask } from '@signpost/testing/client.ts';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';

const [a, b] = ['go.a.example', 'go.b.example'];
const dir = mkdtempSync(join(tmpdir(), 'signpost-domains-'));
let fixture: Fixture;
let server: TestServer;
let brand: TestAccount;

beforeAll(async () => {
  fixture = await createFixture({ SHORT_BASE_URL: 'http://sign.example' });
  server = await fixture.server({}, 'all');
  brand = await fixture.account('business');
  for (const host of [a, b]) await admin('add-domain', host, '--account', formatId('acct', brand.id));
});
afterAll(() => fixture?.close());

async function admin(...args: string[]): Promise<void> {
  const { code, output } = await runCommand(['admin', ...args], fixture.env);
  expect({ code, output }).toMatchObject({ code: 0 });
}

const signpost = (...args: string[]) =>
  runCommand(args, { SIGNPOST_URL: server.url, SIGNPOST_KEY: brand.live });

const link = (host: string, shortCode: string, longUrl: string) => ({
  shortCode,
  shortUrl: `https://${host}/${shortCode}`,
  longUrl,
  title: `${host} ${shortCode}`,
  domain: host,
  tags: [],
  meta: {},
});

/** The links of two hosts, which have one short code in common, and one of a host that is no domain. */
const links = [
  link(a, 'Menu', 'https://brand.example/a?price=$5'),
  link(b, 'Menu', 'https://brand.example/b#{x}'),
  link(b, 'Only-b', 'https://brand.example/only'),
  link('old.example', 'gone', 'https://brand.example/gone'),
];

test('links of Shlink go on the domains of their hosts', async () => {
  const file = join(dir, 'shlink.json');
  writeFileSync(file, JSON.stringify({ shortUrls: { data: links } }));
  const mixed = await signpost('import', file, '--from', 'shlink');
  expect(mixed.output).toContain('--domains');
  for (const dryRun of [true, false]) {
    const run = await signpost(
      'import',
      file,
      '--from',
      'shlink',
      '--domains',
      ...(dryRun ? ['--dry-run'] : []),
    );
    expect(run.output).toContain(`3 codes ${dryRun ? 'would be' : 'were'} created`);
    expect(run.output).toContain('gone: old.example is not an active domain of the account');
  }
  const again = await signpost('import', file, '--from', 'shlink', '--domains');
  expect(again.output).toContain('0 codes were created');
  const { body } = await ask({ url: `${server.url}/v1/qrcodes?sort=name`, key: brand.live });
  expect(body.data.map((code: { short_url: string }) => code.short_url)).toEqual([
    `http://${a}/Menu`,
    `http://${b}/Menu`,
    `http://${b}/Only-b`,
  ]);
});

describe('an export', () => {
  const out = join(dir, 'export');

  test('has one server for each host', async () => {
    const { code, output } = await signpost('export', out);
    expect([code, output]).toEqual([0, expect.stringContaining('3 codes were written')]);
    const codes = JSON.parse(readFileSync(join(out, 'codes.json'), 'utf8'));
    expect(codes.map((one: { domain: string }) => one.domain).toSorted()).toEqual([a, b, b]);
    const items = JSON.parse(readFileSync(join(out, 'redirects/cloudflare.json'), 'utf8'));
    expect(items).toContainEqual({
      redirect: { source_url: `${b}/menu`, target_url: links[1]!.longUrl, status_code: 302 },
    });
  });

  test('keeps redirecting in nginx, on each host its own links', async () => {
    const port = await freePort();
    const place = mkdtempSync(join(dir, 'nginx-'));
    const rules = readFileSync(join(out, 'redirects/nginx.conf'), 'utf8');
    writeFileSync(join(place, 'rules.conf'), rules.replaceAll('listen 80;', `listen 127.0.0.1:${port};`));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map(name => `${name}_temp_path ${place};`)
      .join(' ');
    writeFileSync(
      join(place, 'nginx.conf'),
      `daemon off; pid ${place}/pid; error_log ${place}/error.log; events {}
       http { access_log off; ${temporary} include ${place}/rules.conf; }`,
    );
    await redirectsAsWeDo(port, 'nginx', ['-p', place, '-c', join(place, 'nginx.conf')], place);
  });

  test('keeps redirecting in Caddy, on each host its own links', async () => {
    const port = await freePort();
    const place = join(dir, 'caddy');
    mkdirSync(place);
    const rules = readFileSync(join(out, 'redirects/Caddyfile'), 'utf8');
    const sites = rules.replaceAll(/^(go\.[ab]\.example) \{/gm, `http://$1:${port} {`);
    writeFileSync(join(place, 'Caddyfile'), `{\n  admin off\n}\n${sites}`);
    const args = ['run', '--config', join(place, 'Caddyfile'), '--adapter', 'caddyfile'];
    await redirectsAsWeDo(port, 'caddy', args, place);
  });
});

/** Starts another server with the map, and compares what it answers with what we answer. */
async function redirectsAsWeDo(port: number, name: 'nginx' | 'caddy', args: string[], home: string) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(needBinary(name), args, { env, stdio: 'ignore' });
  const on = async (base: string, host: string, path: string) => {
    const { status, headers } = await ask({ url: `${base}${path}`, headers: { host } });
    return [status, headers.location];
  };
  try {
    const theirs = `http://127.0.0.1:${port}`;
    await waitUntil('it answers', () => on(theirs, a, '/').then(Boolean, () => false));
    for (const host of [a, b]) {
      for (const path of ['/Menu', '/menu', '/MENU/', '/only-b', '/gone', '/'])
        expect([host, path, await on(theirs, host, path)]).toEqual([
          host,
          path,
          await on(server.url, host, path),
        ]);
    }
    expect(await on(theirs, a, '/only-b')).toEqual([404, undefined]);
  } finally {
    child.kill();
  }
}
