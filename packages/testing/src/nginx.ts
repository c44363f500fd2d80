import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needBinary } from './engines/binaries.ts';
import { freePort } from './engines/free-port.ts';
import { waitUntil } from './engines/wait.ts';

/** nginx on a free port of this machine, with a self-signed ECDSA P-256 certificate. */
export type Nginx = {
  readonly port: number;
  readonly pid: number;
  /** As PEM. */
  readonly certificate: string;
  close(): Promise<void>;
};

/** The port for the servers of a configuration, and the files of the certificate and its key. */
export type Listener = { readonly port: number; readonly certificate: string; readonly key: string };

/** `servers` returns the content of the `http` block. */
export async function startNginx(servers: (listener: Listener) => string): Promise<Nginx> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-nginx-'));
  const listener = {
    port: await freePort(),
    certificate: join(dir, 'certificate.pem'),
    key: join(dir, 'key.pem'),
  };
  const openssl = spawnSync(needBinary('openssl'), certificateFor(listener), { encoding: 'utf8' });
  if (openssl.status !== 0) throw new Error(openssl.stderr);
  const file = join(dir, 'nginx.conf');
  writeFileSync(file, configuration(dir, servers(listener)));
  const child = spawn(needBinary('nginx'), ['-p', dir, '-c', file], { stdio: 'inherit' });
  const endWithUs = () => child.kill();
  process.once('exit', endWithUs);
  await waitUntil('nginx listens', async () => child.exitCode !== null || (await isListening(listener.port)));
  if (child.exitCode !== null) throw new Error('nginx exited');
  return {
    port: listener.port,
    pid: child.pid!,
    certificate: readFileSync(listener.certificate, 'utf8'),
    async close() {
      process.off('exit', endWithUs);
      const exit = once(child, 'exit');
      child.kill();
      await exit;
      rmSync(dir, { recursive: true });
    },
  };
}

const certificateFor = ({ certificate, key }: Listener) => [
  ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  ...['-subj', '/CN=go.example.com', '-addext', 'subjectAltName=DNS:go.example.com,DNS:qr.example.com'],
  ...['-keyout', key, '-out', certificate],
];

const configuration = (dir: string, servers: string) => `
daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;
events { worker_connections 4096; }
http {
  client_body_temp_path ${dir}; proxy_temp_path ${dir}; fastcgi_temp_path ${dir}; uwsgi_temp_path ${dir}; scgi_temp_path ${dir};
  ${servers}
}`;

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false)).once('connect', () => resolve(Boolean(socket.destroy())));
  });
