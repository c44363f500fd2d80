import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestAccount } from '@signpost/testing/api.ts';
import { ask } from '@signpost/testing/client.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A proxy for every request of a client: those to the short host go to the redirect, others are recorded. */
async function startForwarder(shortHost: string, redirectUrl: () => string) {
  const reached: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, `http://${request.headers.host}`);
    if (url.hostname !== shortHost) {
      // As it came over the wire, not as our URL parser would write it.
      reached.push(
        request.url!.startsWith('/') ? `http://${request.headers.host}${request.url}` : request.url!,
      );
      response.end('here');
      return;
    }
    const answer = await rawGet(redirectUrl(), url.pathname);
    const location = answer.headers.find(([name]) => name === 'Location')?.[1] ?? '';
    response.writeHead(302, { location, 'content-length': '0' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, reached, close: () => server.close() };
}

const shortHost = 'sign.example';
let fixture: Fixture;
let server: TestServer;
let owner: TestAccount;
let forwarder: Awaited<ReturnType<typeof startForwarder>>;

beforeAll(async () => {
  fixture = await createFixture({ SHORT_BASE_URL: `http://${shortHost}` });
  server = await fixture.server({}, 'all');
  owner = await fixture.account();
  forwarder = await startForwarder(shortHost, () => server.url);
});
afterAll(async () => {
  forwarder.close();
  await fixture.close();
});

async function create(destination_url: string) {
  const body = { name: 'Menu', destination_url };
  const made = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key: owner.live, body });
  expect(made.body).toMatchObject({ destination_url });
  return made.body;
}

const destinations = [
  ['http://example.com/a/path?q=1', 'http://example.com/a/path?q=1'],
  ['http://example.com/100%25/a%20b?x=%C3%BC', 'http://example.com/100%25/a%20b?x=%C3%BC'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['http://BÜCHER.example:8080/größe', 'http://xn--bcher-kva.example:8080/gr%C3%B6%C3%9Fe'],
  [
    'http://例え.テスト/日本語?q=検索',
    'http://xn--r8jz45g.xn--zckzah/%E6%97%A5%E6%9C%AC%E8%AA%9E?q=%E6%A4%9C%E7%B4%A2',
  ],
  ['http://example.com/😀?q=€', 'http://example.com/%F0%9F%98%80?q=%E2%82%AC'],
  ['http://example.com/\u200fشارع', 'http://example.com/%E2%80%8F%D8%B4%D8%A7%D8%B1%D8%B9'],
] as const;

const java = `
import java.net.*; import java.net.http.*;
public class Get { public static void main(String[] args) throws Exception {
  ProxySelector proxy = ProxySelector.of(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])));
  HttpClient client = HttpClient.newBuilder().proxy(proxy).version(HttpClient.Version.HTTP_1_1)
    .followRedirects(HttpClient.Redirect.ALWAYS).build();
  for (int i = 1; i < args.length; i++)
    System.out.println(client.send(HttpRequest.newBuilder(URI.create(args[i])).build(),
      HttpResponse.BodyHandlers.ofString()).body());
} }`;

const python = `
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({'http': 'http://127.0.0.1:' + sys.argv[1]}))
for url in sys.argv[2:]: print(opener.open(url).read().decode())`;

function fileOf(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'signpost-clients-')), name);
  writeFileSync(path, text);
  return path;
}

/** The arguments with which each client fetches these URLs through a proxy. */
const clients: Readonly<Record<string, (port: number, urls: readonly string[]) => readonly string[]>> = {
  curl: (port, urls) => ['-sSL', '-x', `http://127.0.0.1:${port}`, ...urls],
  wget: (port, urls) => ['-q', '-O-', '-e', 'use_proxy=on', '-e', `http_proxy=127.0.0.1:${port}`, ...urls],
  python3: (port, urls) => ['-c', python, String(port), ...urls],
  java: (port, urls) => [fileOf('Get.java', java), String(port), ...urls],
};

const isInstalled = (client: string) =>
  spawnSync(client, [client === 'java' ? '-version' : '--version']).status === 0;

test.for(Object.entries(clients))(
  '%s gets from a short link to any destination',
  async ([client, args], { skip }) => {
    skip(!isInstalled(client), `${client} is not installed`);
    const codes = await Promise.all(destinations.map(([typed]) => create(typed)));
    forwarder.reached.length = 0;
    await promisify(execFile)(
      client,
      [
        ...args(
          forwarder.port,
          codes.map(({ short_url }) => short_url),
        ),
      ],
      {
        timeout: 60_000,
      },
    );
    expect(forwarder.reached).toEqual(destinations.map(([, expected]) => expected));
  },
);

test('no code leads back to the service, so that one scan is never counted as many', async () => {
  const { short_code } = await create('http://example.com/first');
  const { port } = new URL(server.url);
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST.', '[::1]', '2130706433', '[::ffff:127.0.0.1]']) {
    const body = { name: 'Loop', destination_url: `http://${host}:${port}/${short_code}` };
    const answer = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key: owner.live, body });
    expect(answer.body.error, host).toMatchObject({ code: 'invalid_url', param: 'destination_url' });
  }
  // Another service on this machine is a valid destination.
  await create(`http://127.0.0.1:${forwarder.port}/shop`);
});
