import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needBinary } from '../../tools/engines/binaries.ts';
import { freePort } from '../../tools/engines/free-port.ts';
import { waitUntil } from '../../tools/engines/wait.ts';

/** nginx with TLS 1.3 and a certificate of ECDSA P-256, in front of one server. */
export type TlsProxy = { readonly port: number; readonly pid: number; close(): Promise<void> };

/** With `keepsConnections` nginx keeps its connections to the server; otherwise it opens one for each request. */
export async function startTlsProxy(serverUrl: string, keepsConnections: boolean): Promise<TlsProxy> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-tls-'));
  const port = await freePort();
  const made = spawnSync(needBinary('openssl'), certificate(dir), { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  writeFileSync(join(dir, 'nginx.conf'), configuration(dir, port, new URL(serverUrl).host, keepsConnections));
  const child = spawn(needBinary('nginx'), ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'inherit' });
  process.once('exit', () => child.kill());
  await waitUntil('nginx listens', async () => child.exitCode !== null || (await isListening(port)));
  if (child.exitCode !== null) throw new Error('nginx has ended');
  return {
    port,
    pid: child.pid!,
    async close() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
      rmSync(dir, { recursive: true });
    },
  };
}

const certificate = (dir: string) => [
  ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  ...['-subj', '/CN=go.example.com', '-keyout', join(dir, 'key.pem'), '-out', join(dir, 'certificate.pem')],
];

const configuration = (dir: string, port: number, server: string, keepsConnections: boolean) => `
daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${dir}; proxy_temp_path ${dir}; fastcgi_temp_path ${dir}; uwsgi_temp_path ${dir}; scgi_temp_path ${dir};
  upstream signpost { server ${server}; ${keepsConnections ? 'keepalive 64;' : ''} }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${dir}/certificate.pem;
    ssl_certificate_key ${dir}/key.pem;
    ssl_protocols TLSv1.3;
    location / {
      proxy_pass http://signpost;
      proxy_http_version 1.1;
      ${keepsConnections ? `proxy_set_header Connection '';` : ''}
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}`;

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
