import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let nats: Engine;
let world: Fixture;
let server: TestServer;
let key: string;
const dir = mkdtempSync(join(tmpdir(), 'signpost-moving-'));
const signpostAs = (apiKey: string, ...args: string[]) =>
  runCommand(args, { SIGNPOST_URL: server.url, SIGNPOST_KEY: apiKey });
const signpost = (...args: string[]) => signpostAs(key, ...args);

/** Destinations with every character that has a meaning in a configuration language. */
const hostile = [
  'https://example.com/usual/path?utm_source=print&b=2#part',
  `https://example.com/$uri/$${'{host}'}?price=$5`,
  'https://example.com/{http.request.host}/{a}',
  'https://example.com/a"b\'c`d;e}f',
  'https://example.com/back\\slash\\n\\"?x=%20%0A',
  'https://example.com/ünï/日本?q=é',
  'HTTPS://EXAMPLE.com:443/%7euser/../x#$1',
];

beforeAll(async () => {
  nats = await startNats();
  world = await createFixture({
    NATS_URL: nats.url,
    CLICKHOUSE_URL: '',
    SHORT_BASE_URL: 'http://go.example.com',
  });
  await runCommand(['migrate'], world.env);
  server = await world.server({}, 'all');
  key = (await world.account()).live;
});
afterAll(async () => {
  await world.close();
  await nats.remove();
});

describe('an import', () => {
  const file = join(dir, 'bitly.csv');

  test('changes nothing in a dry run, then creates what the dry run listed, then finds all of it already there', async () => {
    const rows = hostile.map(
      (url, index) => `Code ${index},go.example.com/Old-${index},"${url.replaceAll('"', '""')}"`,
    );
    const bad = [
      'x,go.example.com/docs,https://example.com',
      'y,go.example.com/a,https://example.com',
      'z,go.example.com/abc,mailto:a@b',
    ];
    writeFileSync(file, ['Title,Link,Long URL', ...rows, ...bad].join('\r\n'));
    const total = async () => (await ask({ url: `${server.url}/v1/qrcodes`, key })).body.pagination.total;

    const tried = await signpost('import', file, '--from', 'bitly', '--dry-run');
    expect(tried.output).toContain(
      `${hostile.length} codes would be created; nothing was changed.\n3 skipped:`,
    );
    expect(tried.output).toContain('docs is reserved: it is a path of the service itself');
    expect(await total()).toBe(0);

    const done = await signpost('import', file, '--from', 'bitly');
    expect(done).toMatchObject({ code: 0 });
    expect(done.output).toContain(`${hostile.length} codes were created.\n3 skipped:`);
    expect(await total()).toBe(hostile.length);

    const again = await signpost('import', file, '--from', 'bitly', '--dry-run');
    expect(again.output).toContain(
      `0 codes would be created; nothing was changed.\n${hostile.length + 3} skipped:`,
    );
  });

  test('lists the short codes that another account has', async () => {
    const other = (await world.account()).live;
    const { output } = await runCommand(['import', file, '--from', 'bitly'], {
      SIGNPOST_URL: server.url,
      SIGNPOST_KEY: other,
    });
    expect(output).toContain('0 codes were created.');
    expect(output).toContain(
      `${hostile.length} refused by the service:\n  row 1  Old-0: Old-0 is already taken`,
    );
  });

  test('can be rehearsed in test mode, even if others have the names, and exported with its test paths', async () => {
    const { test: trial } = await world.account();
    const done = await signpostAs(trial, 'import', file, '--from', 'bitly');
    expect(done.output).toContain(`${hostile.length} codes were created.\n3 skipped:`);
    const out = join(dir, 'rehearsal');
    await signpostAs(trial, 'export', out);
    const [code] = JSON.parse(readFileSync(join(out, 'codes.json'), 'utf8'));
    const path = new URL(code.short_url).pathname;
    expect(path).toMatch(/^\/t\/[23456789bcdfghjkmnpqrstvwxyz]{8}\/Old-\d$/);
    const read = (name: string) => readFileSync(join(out, 'redirects', name), 'utf8');
    expect(read('nginx.conf')).toContain(`\n  ${path} "`);
    expect(read('Caddyfile')).toContain(` path ${path} ${path}/\n`);
    expect(read('cloudflare.json')).toContain(`"go.example.com${path}"`);
  });
});

describe('an export', () => {
  const out = join(dir, 'export');
  const codes = () => JSON.parse(readFileSync(join(out, 'codes.json'), 'utf8'));

  test('has every code with its style, and every scan', async () => {
    const style = { dotsType: 'rounded', dotsColor: '#112233' };
    const made = await ask({
      method: 'POST',
      url: `${server.url}/v1/qrcodes`,
      key,
      body: { name: 'Styled', destination_url: 'https://example.com', short_code: 'styled', style },
    });
    const paused = {
      method: 'PATCH',
      url: `${server.url}/v1/qrcodes/${made.body.id}`,
      key,
      body: { active: false },
    };
    for (let scan = 0; scan < 3; scan++) await ask({ url: `${server.url}/styled` });
    await waitUntil('the scans are counted', async () => {
      const { body } = await ask({ url: `${server.url}/v1/qrcodes/${made.body.id}`, key });
      return body.total_scans === 3;
    });
    await ask(paused);

    const { code, output } = await signpost('export', out);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(
        `${hostile.length + 1} codes were written to ${out}; ${hostile.length} of them redirect.`,
      ),
    ]);
    expect(codes().find((one: { name: string }) => one.name === 'Styled')).toMatchObject({
      style,
      status: 'paused',
    });
    expect(codes()).toHaveLength(hostile.length + 1);
    expect(readdirSync(join(out, 'scans'))).toEqual([`${made.body.id}.csv`]);
    const scans = readFileSync(join(out, 'scans', `${made.body.id}.csv`), 'utf8')
      .trim()
      .split('\r\n');
    expect(scans).toHaveLength(1 + 3);
  });

  test('keeps redirecting in nginx, byte for byte and in any case', async () => {
    const port = await freePort();
    const rules = readFileSync(join(out, 'redirects/nginx.conf'), 'utf8').replace(
      'listen 80;',
      `listen 127.0.0.1:${port};`,
    );
    const place = join(dir, 'nginx');
    mkdirSync(place);
    writeFileSync(join(place, 'rules.conf'), rules);
    writeFileSync(
      join(place, 'nginx.conf'),
      `daemon off; pid ${place}/pid; error_log ${place}/error.log;
       events {} http { access_log off; client_body_temp_path ${place}; proxy_temp_path ${place}; fastcgi_temp_path ${place};
       uwsgi_temp_path ${place}; scgi_temp_path ${place}; include ${place}/rules.conf; }`,
    );
    const child = spawn(needBinary('nginx'), ['-p', place, '-c', join(place, 'nginx.conf')], {
      stdio: 'inherit',
    });
    await redirectsAsWeDo(child, port);
  });

  test('keeps redirecting in Caddy, byte for byte and in any case', async () => {
    const port = await freePort();
    const rules = readFileSync(join(out, 'redirects/Caddyfile'), 'utf8').replace(
      'go.example.com {',
      `http://:${port} {`,
    );
    const place = join(dir, 'caddy');
    mkdirSync(place);
    writeFileSync(join(place, 'Caddyfile'), `{\n  admin off\n}\n${rules}`);
    const child = spawn(
      needBinary('caddy'),
      ['run', '--config', join(place, 'Caddyfile'), '--adapter', 'caddyfile'],
      {
        env: { PATH: process.env.PATH, HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place },
        stdio: 'ignore',
      },
    );
    await redirectsAsWeDo(child, port);
  });

  test('has a list for Cloudflare with every code, also in lower case', () => {
    const items = JSON.parse(readFileSync(join(out, 'redirects/cloudflare.json'), 'utf8'));
    expect(items).toHaveLength(hostile.length * 2);
    expect(items).toContainEqual({
      redirect: { source_url: 'go.example.com/old-1', target_url: hostile[1], status_code: 302 },
    });
  });
});

/** Sends the same requests to another server and to ours, and compares the responses. */
async function redirectsAsWeDo(child: ChildProcess, port: number): Promise<void> {
  try {
    const get = (path: string) => answerOf(`http://127.0.0.1:${port}`, path);
    await waitUntil('it answers', () => get('/').then(Boolean, () => false));
    for (const [index, url] of hostile.entries()) {
      for (const path of [`/Old-${index}`, `/old-${index}`, `/OLD-${index}/`, `/Old-${index}?a=1`]) {
        const theirs = await get(path);
        const ours = await answerOf(server.url, path);
        expect(theirs, `${path} to ${url}`).toEqual(ours);
      }
    }
    for (const path of ['/styled', '/unknown', '/Old-1/x', '/'])
      expect((await get(path)).status, path).toBe(404);
  } finally {
    child.kill();
  }
}

async function answerOf(baseUrl: string, path: string) {
  const { statusLine, headers } = await rawGet(baseUrl, path);
  const find = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  return {
    status: Number(statusLine.split(' ')[1]),
    location: find('location'),
    caching: find('cache-control'),
  };
}
