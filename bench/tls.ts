import { connect, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { createFixture } from '@signpost/testing/fixture.ts';
import { type Listener, startNginx } from '@signpost/testing/nginx.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { median } from './median.ts';
import { record } from './record.ts';

const rounds = 5;
const scansPerRound = 2_000;
const phones = 32;
const codes = 1_000;

type Way = {
  readonly name: string;
  readonly port: number;
  readonly tls: boolean;
  /** Each phone opens and closes a connection for its scan; otherwise it keeps one for all its scans. */
  readonly isNew: boolean;
  readonly proxyPid?: number;
};

/**
 * CPU cost of a scan for nginx and the redirect, by how the phone connects. Most scans come from a new phone: a new
 * connection and a full TLS handshake. All variants alternate in the same run, each at full speed: an idle process needs more
 * CPU per scan.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const fixture = await createFixture({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' });
  const { id: account } = await fixture.account();
  await fixture.db.query(fill, [account, codes]);
  const redirect = await fixture.server({}, 'redirect');
  const opening = await startNginx(place => proxyTo(redirect.url, place));
  const keeping = await startNginx(place => proxyTo(redirect.url, place, true));
  const direct = { port: Number(new URL(redirect.url).port), tls: false };
  const keptProxy = { port: keeping.port, tls: true, proxyPid: keeping.pid };
  const ways: readonly Way[] = [
    { name: 'plain, kept connection', ...direct, isNew: false },
    { name: 'plain, new connection', ...direct, isNew: true },
    { name: 'TLS, kept connection', ...keptProxy, isNew: false },
    { name: 'TLS, new connection', ...keptProxy, isNew: true },
    {
      name: 'TLS, new connection, another to the redirect',
      port: opening.port,
      tls: true,
      isNew: true,
      proxyPid: opening.pid,
    },
  ];
  const taken = ways.map(() => ({ proxy: [] as number[], redirect: [] as number[] }));
  // The first round is warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, way] of ways.entries()) {
      const before = [way.proxyPid ? cpuMicrosOf(way.proxyPid) : 0, cpuMicrosOf(redirect.pid)] as const;
      await scan(way);
      const after = [way.proxyPid ? cpuMicrosOf(way.proxyPid) : 0, cpuMicrosOf(redirect.pid)] as const;
      if (round === 0) continue;
      taken[index]!.proxy.push((after[0] - before[0]) / scansPerRound);
      taken[index]!.redirect.push((after[1] - before[1]) / scansPerRound);
    }
  }
  const figures = taken.map(({ proxy, redirect }) => ({ proxy: median(proxy), redirect: median(redirect) }));
  for (const [index, { name }] of ways.entries()) {
    const { proxy, redirect } = figures[index]!;
    console.log(`${name}: nginx ${proxy.toFixed(0)} µs, redirect ${redirect.toFixed(0)} µs a scan`);
  }
  const [, plainNew, keptTls, newTls] = figures;
  record(args, 'tls', {
    proxyMicrosPerNewConnection: newTls!.proxy,
    proxyMicrosPerKeptScan: keptTls!.proxy,
    redirectMicrosPerNewConnection: plainNew!.redirect,
  });
  console.log(
    `tls nginx_us ${newTls!.proxy.toFixed(0)} nginx_kept_us ${keptTls!.proxy.toFixed(0)} redirect_new_us ${plainNew!.redirect.toFixed(0)}`,
  );
  await opening.close();
  await keeping.close();
  await fixture.close();
}

/** All scans of a round, by phones in parallel. */
async function scan(way: Way): Promise<void> {
  let next = 0;
  async function phone(): Promise<void> {
    let socket: Socket | undefined;
    while (next < scansPerRound) {
      const number = next++;
      socket ??= await open(way);
      await ask(socket, number);
      if (!way.isNew) continue;
      socket.destroy();
      socket = undefined;
    }
    socket?.destroy();
  }
  await Promise.all(Array.from({ length: phones }, phone));
}

const secureContext = createSecureContext({ minVersion: 'TLSv1.3' });

/** Without a resumed session: a full handshake each time. */
const open = ({ port, tls }: Way): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const wire = connect({ port, host: '127.0.0.1', noDelay: true });
    const socket: Socket = tls
      ? connectTls({ socket: wire, secureContext, rejectUnauthorized: false })
      : wire;
    socket.once('error', reject).once(tls ? 'secureConnect' : 'connect', () => resolve(socket));
  });

const ask = (socket: Socket, number: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let text = '';
    function read(chunk: Buffer): void {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      socket.off('data', read).off('close', fail);
      if (text.startsWith('HTTP/1.1 302 ')) resolve();
      else reject(new Error(text));
    }
    const fail = () => reject(new Error(`closed after: ${text}`));
    socket.on('data', read).on('close', fail);
    socket.write(
      `GET /bench-${number % codes} HTTP/1.1\r\nHost: go.example.com\r\nUser-Agent: ${agent}\r\n` +
        `X-Forwarded-For: 93.${number % 199}.${number % 251}.${number % 241}\r\nAccept: text/html\r\n\r\n`,
    );
  });

/** TLS 1.3 in front of a server. With `keeps` nginx keeps its connections to the server; otherwise it opens one for each scan. */
const proxyTo = (serverUrl: string, { port, certificate, key }: Listener, keeps = false) => `
  access_log off;
  upstream signpost { server ${new URL(serverUrl).host}; ${keeps ? 'keepalive 64;' : ''} }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    ssl_protocols TLSv1.3;
    location / {
      proxy_pass http://signpost;
      proxy_http_version 1.1;
      ${keeps ? `proxy_set_header Connection '';` : ''}
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`;

const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const fill = sql(
  'fill-tls-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
   select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'bench-' || n, 'bench-' || n, 'x', 'https://example.com/a/usual/path/' || n, '{}', now(), now()
     from generate_series(0, $2::bigint - 1) n`,
);
