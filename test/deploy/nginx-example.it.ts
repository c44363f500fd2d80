import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startNginx } from '@signpost/testing/nginx.ts';
import { expect, test } from 'vitest';

const scans = 20;

test('the nginx example of self-hosting.md passes on the client address and reuses its connections', async () => {
  const seen = { addresses: new Set<string>(), hosts: new Set<string>(), connections: 0 };
  const signpost = createServer((incoming, response) => {
    seen.addresses.add(String(incoming.headers['x-forwarded-for']));
    seen.hosts.add(String(incoming.headers.host));
    response.writeHead(302, { location: 'https://example.com/' }).end();
  }).on('connection', () => seen.connections++);
  await new Promise<void>(resolve => signpost.listen(0, '127.0.0.1', resolve));
  const { port } = signpost.address() as AddressInfo;
  const nginx = await startNginx(place =>
    example()
      .replace('listen 443 ', `listen 127.0.0.1:${place.port} `)
      .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replace('/etc/ssl/signpost.pem', place.certificate)
      .replace('/etc/ssl/signpost.key', place.key),
  );
  try {
    for (let scan = 0; scan < scans; scan++) expect(await scanBy(nginx.port)).toBe(302);
    expect(seen).toMatchObject({
      addresses: new Set(['127.0.0.1']),
      hosts: new Set(['go.example.com']),
    });
    expect(seen.connections).toBeLessThan(scans / 4);
  } finally {
    await nginx.close();
    signpost.close();
  }
});

function example(): string {
  const page = readFileSync(new URL('../../docs/self-hosting/README.md', import.meta.url), 'utf8');
  return /```nginx\n(.*?)```/s.exec(page)![1]!;
}

/** By a new phone, on its own connection. */
const scanBy = (port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/menu', agent: false, rejectUnauthorized: false };
    request({ ...options, headers: { host: 'go.example.com' } }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once('error', reject)
      .end();
  });
