import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { startNginx } from '@signpost/testing/nginx.ts';
import { expect, onTestFinished, test } from 'vitest';

const scans = 20;

type Proxy = { readonly port: number; readonly isTls: boolean };

test.each([
  ['Caddy', caddyTo],
  ['nginx', nginxTo],
])('the example of %s passes on the client address and reuses its connections', async (_, start) => {
  const seen = { addresses: new Set<string>(), hosts: new Set<string>(), connections: 0 };
  const signpost = createServer((incoming, response) => {
    seen.addresses.add(String(incoming.headers['x-forwarded-for']));
    seen.hosts.add(String(incoming.headers.host));
    response.writeHead(302, { location: 'https://example.com/' }).end();
  }).on('connection', () => seen.connections++);
  await new Promise<void>(resolve => signpost.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void signpost.close());
  const proxy = await start((signpost.address() as AddressInfo).port);
  for (let scan = 0; scan < scans; scan++) expect(await scanBy(proxy)).toBe(302);
  expect(seen).toMatchObject({
    addresses: new Set(['127.0.0.1']),
    hosts: new Set([hostOf(proxy)]),
  });
  expect(seen.connections).toBeLessThan(scans / 4);
});

async function nginxTo(port: number): Promise<Proxy> {
  const nginx = await startNginx(place =>
    example('nginx')
      .replace('listen 443 ', `listen 127.0.0.1:${place.port} `)
      .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replace('/etc/ssl/signpost.pem', place.certificate)
      .replace('/etc/ssl/signpost.key', place.key),
  );
  onTestFinished(() => nginx.close());
  return { port: nginx.port, isTls: true };
}

/** Without certificates: nobody issues any for these names. */
async function caddyTo(signpostPort: number): Promise<Proxy> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-caddy-'));
  const port = await freePort();
  const sites = example('caddy')
    .replaceAll(/\b\w+\.example\.com/g, host => `http://${host}:${port}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${signpostPort}`);
  writeFileSync(join(dir, 'Caddyfile'), `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${sites}`);
  const child = spawn(needBinary('caddy'), ['run', '--config', 'Caddyfile'], {
    cwd: dir,
    env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    const exit = once(child, 'exit');
    if (child.kill()) await exit;
    rmSync(dir, { recursive: true });
  });
  const caddy: Proxy = { port, isTls: false };
  await waitUntil('caddy listens', async () => (await scanBy(caddy).catch(() => 0)) === 302);
  return caddy;
}

function example(language: string): string {
  const page = readFileSync(new URL('../../docs/self-hosting/README.md', import.meta.url), 'utf8');
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)![1]!;
}

const hostOf = ({ port, isTls }: Proxy) => (isTls ? 'go.example.com' : `go.example.com:${port}`);

/** By a new phone, on its own connection. */
const scanBy = (proxy: Proxy): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = proxy.isTls ? httpsRequest : httpRequest;
    const options = {
      host: '127.0.0.1',
      port: proxy.port,
      path: '/menu',
      agent: false,
      rejectUnauthorized: false,
    };
    request({ ...options, headers: { host: hostOf(proxy) } }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once('error', reject)
      .end();
  });
