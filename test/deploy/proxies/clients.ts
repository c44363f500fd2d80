import { createHash, X509Certificate } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { PassThrough, type Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { launchChromium } from '@signpost/testing/chromium.ts';
import type { Page } from 'playwright-core';
import { hosts, type RunningProxy } from './proxies.ts';

type Ask = {
  readonly host: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's own address. */
  readonly from?: string;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readable;
};

/** A client of a proxy that speaks one version of HTTP. */
export type Client = {
  /** The addresses that it can have. */
  readonly addresses: readonly string[];
  ask(request: Ask): Promise<Answer>;
  close(): Promise<void>;
};

/** The user agent of a phone, which is another one for each name. */
export const phone = (name: string) =>
  `Mozilla/5.0 (Linux; Android 15; Phone ${name}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36`;

const nodeAddresses = ['127.0.0.9', '127.0.0.10'];

export async function openHttp1({ port, authority }: RunningProxy): Promise<Client> {
  return {
    addresses: nodeAddresses,
    ask: ({ host, path, method = 'GET', headers, body, from }) =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, method, agent: false, ca: authority };
        requestHttps(
          {
            ...options,
            servername: host.toLowerCase(),
            headers: { host, ...headers },
            ...(from === undefined ? {} : { localAddress: from }),
          },
          response => resolve({ status: response.statusCode!, headers: response.headers, body: response }),
        )
          .once('error', reject)
          .end(body);
      }),
    close: async () => {},
  };
}

export async function openHttp2({ port, authority }: RunningProxy): Promise<Client> {
  return {
    addresses: nodeAddresses,
    ask: ({ host, path, method = 'GET', headers, body, from }) =>
      new Promise((resolve, reject) => {
        const servername = host.toLowerCase();
        const session = connectHttp2(`https://${servername}`, {
          createConnection: () =>
            connectTls({
              ...{ host: '127.0.0.1', port, servername, ca: authority, ALPNProtocols: ['h2'] },
              ...(from === undefined ? {} : { localAddress: from }),
            }),
        });
        session.once('error', reject);
        const stream = session.request({
          ':authority': host,
          ':path': path,
          ':method': method,
          ...headers,
        });
        stream.once('response', answered => {
          const { ':status': status, ...rest } = answered;
          resolve({ status: Number(status), headers: rest as Answer['headers'], body: stream });
        });
        stream.once('close', () => session.close());
        stream.once('error', reject).end(body);
      }),
    close: async () => {},
  };
}

declare const performance: {
  getEntriesByType(type: 'navigation'): readonly { readonly nextHopProtocol: string }[];
};
declare function receive(id: number, part: string | null): Promise<void>;

/** Chromium: no other client of HTTP/3 comes with Debian 12. It cannot choose its address. */
export async function openHttp3({ port }: RunningProxy): Promise<Client> {
  const names = Object.values(hosts);
  const keys = await Promise.all(names.map(name => publicKeyHash(port, name)));
  const browser = await launchChromium([
    `--host-resolver-rules=${names.map(name => `MAP ${name}:443 127.0.0.1:${port}`).join(', ')}`,
    `--origin-to-force-quic-on=${names.map(name => `${name}:443`).join(',')}`,
    `--ignore-certificate-errors-spki-list=${keys.join(',')}`,
  ]);
  const context = await browser.newContext({ userAgent: phone('over HTTP/3'), bypassCSP: true });
  const bodies = new Map<number, PassThrough>();
  await context.exposeFunction('receive', (id: number, part: string | null) => {
    const body = bodies.get(id)!;
    if (part === null) body.end();
    else body.write(Buffer.from(part, 'base64'));
  });
  const pages = new Map<string, Page>();
  for (const host of names) {
    const page = await context.newPage();
    await page.goto(`https://${host}/healthz`);
    const [navigation] = await page.evaluate(() =>
      performance.getEntriesByType('navigation').map(one => one.nextHopProtocol),
    );
    if (navigation !== 'h3') throw new Error(`Chromium spoke ${navigation} with ${host}`);
    pages.set(host, page);
  }
  let next = 0;
  return {
    addresses: ['127.0.0.1'],
    async ask({ host, path, headers: { cookie = '', ...headers } = {} }) {
      for (const pair of cookie.split('; ').filter(Boolean)) {
        const [name = '', value = ''] = pair.split('=', 2);
        await context.addCookies([{ name, value, url: `https://${host}`, secure: true }]);
      }
      const id = next++;
      const body = new PassThrough();
      bodies.set(id, body);
      const status = await pages.get(host)!.evaluate(fetchInParts, { id, path, headers });
      return { status, headers: {}, body };
    },
    close: () => browser.close(),
  };
}

/** In the browser. A redirect is not followed; the status of such an answer is hidden from scripts. */
async function fetchInParts({
  id,
  path,
  headers,
}: {
  id: number;
  path: string;
  headers: Record<string, string>;
}) {
  const response = await fetch(path, { headers, redirect: 'manual' });
  const reader = response.body?.getReader();
  void (async () => {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      let bytes = '';
      for (let at = 0; at < part.value.length; at += 0x8000)
        bytes += String.fromCharCode(...part.value.subarray(at, at + 0x8000));
      await receive(id, btoa(bytes));
    }
    await receive(id, null);
  })();
  return response.type === 'opaqueredirect' ? 302 : response.status;
}

/** What Chromium knows a certificate by that no public authority has issued. */
function publicKeyHash(port: number, servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.end();
      const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' });
      resolve(createHash('sha256').update(key).digest('base64'));
    });
    socket.once('error', reject);
  });
}
