import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { startNginx } from '@signpost/testing/nginx.ts';

/** A proxy that terminates TLS for both hosts, configured as docs/self-hosting/proxies.md says. */
export type RunningProxy = {
  readonly port: number;
  /** The certificate of the authority that its own is of, as PEM. */
  readonly authority: string;
  close(): Promise<void>;
};

export const hosts = { api: 'qr.example.com', links: 'go.example.com' } as const;
/** Where the examples expect Signpost. */
const exampleAddress = '127.0.0.1:8080';

export async function startNginxTo(signpostPort: number): Promise<RunningProxy> {
  const nginx = await startNginx(place =>
    example('nginx')
      .replace('listen 443 ', `listen 127.0.0.1:${place.port} `)
      .replace(exampleAddress, `127.0.0.1:${signpostPort}`)
      .replace('/etc/ssl/signpost.pem', place.certificate)
      .replace('/etc/ssl/signpost.key', place.key),
  );
  return { port: nginx.port, authority: nginx.certificate, close: nginx.close };
}

export const startCaddyTo = (signpostPort: number): Promise<RunningProxy> =>
  startCaddy(example('caddy').replace(exampleAddress, `127.0.0.1:${signpostPort}`), Object.values(hosts));

/** With certificates of its own authority: a public one issues none for these names. */
export async function startCaddy(sites: string, names: readonly string[]): Promise<RunningProxy> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-caddy-'));
  const [port, httpPort] = [await freePort(), await freePort()];
  const options = [
    ...['admin off', 'default_bind 127.0.0.1', 'local_certs', 'skip_install_trust'],
    ...[`https_port ${port}`, `http_port ${httpPort}`],
  ];
  writeFileSync(join(dir, 'Caddyfile'), `{\n\t${options.join('\n\t')}\n}\n${sites}`);
  const child = spawn(needBinary('caddy'), ['run', '--config', 'Caddyfile'], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    stdio: 'ignore',
  });
  const endWithUs = () => child.kill();
  process.once('exit', endWithUs);
  const authority = () => readFileSync(join(dir, 'caddy/pki/authorities/local/root.crt'), 'utf8');
  await waitUntil('Caddy has its certificates', async () => {
    if (child.exitCode !== null) return true;
    await Promise.all(names.map(host => shakeHands({ port, host, authority: authority() })));
    return true;
  });
  if (child.exitCode !== null) throw new Error('Caddy exited');
  return {
    port,
    authority: authority(),
    async close() {
      process.off('exit', endWithUs);
      const exit = once(child, 'exit');
      if (child.kill()) await exit;
      rmSync(dir, { recursive: true });
    },
  };
}

type Handshake = { readonly port: number; readonly host: string; readonly authority: string };

/** Rejects while the proxy has no certificate for the host. */
function shakeHands({ port, host, authority }: Handshake): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: host, ca: authority }, () => {
      socket.end();
      resolve();
    });
    socket.once('error', reject);
  });
}

function example(language: string): string {
  const page = readFileSync(new URL('../../../docs/self-hosting/proxies.md', import.meta.url), 'utf8');
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)![1]!;
}
