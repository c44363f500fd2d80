import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@signpost/testing/engines/engine.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';

/** What the compose files set for deploy/Caddyfile. */
type Places = Readonly<Record<'PUBLIC_URL' | 'SHORT_BASE_URL' | 'API' | 'LINKS' | 'TLS_ASK', string>>;

/** Caddy with the Caddyfile of deploy/, on ports of this machine and with certificates of its own authority. */
export type Caddy = {
  readonly engine: Engine;
  readonly httpPort: number;
  /** GET over TLS, with a new connection; `refused`: there is no certificate for the host. */
  get(host: string, path: string): Promise<Answer | 'refused'>;
  /** Those of hosts; the authority stays. */
  deleteCertificates(): void;
  remove(): Promise<void>;
};

type Answer = {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
};

const shipped = new URL('../../../deploy/Caddyfile', import.meta.url);

export async function startCaddy(program: string, places: Places): Promise<Caddy> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-caddy-'));
  const [port, httpPort] = [await freePort(), await freePort()];
  const options = [
    ...['admin off', 'persist_config off', 'default_bind 127.0.0.1', 'local_certs', 'skip_install_trust'],
    ...[`storage file_system ${join(dir, 'storage')}`, `https_port ${port}`, `http_port ${httpPort}`],
  ];
  const config = join(dir, 'Caddyfile');
  const text = readFileSync(shipped, 'utf8').replace('{\n', `{\n\t${options.join('\n\t')}\n`);
  writeFileSync(
    config,
    text.replaceAll(/\{\$(\w+)\}/g, (_, name: keyof Places) => places[name]),
  );
  const engine = await new Engine({
    name: `Caddy on port ${port}`,
    url: `https://127.0.0.1:${port}`,
    port,
    dir,
    temporary: true,
    command: program,
    args: ['run', '--config', config, '--adapter', 'caddyfile'],
    stopSignals: { fast: 'SIGTERM', immediate: 'SIGKILL' },
    answers: () => isListening(port),
  }).start();
  const authority = () => readFileSync(join(dir, 'storage/pki/authorities/local/root.crt'));

  return {
    engine,
    httpPort,
    get: (host, path) => getOverTls({ port, host, path, ca: authority() }),
    deleteCertificates: () => rmSync(join(dir, 'storage/certificates'), { recursive: true }),
    remove: () => engine.remove(),
  };
}

type Get = { readonly port: number; readonly host: string; readonly path: string; readonly ca: Buffer };

function getOverTls({ port, host, path, ca }: Get): Promise<Answer | 'refused'> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | 'refused'>();
  const options = { host: '127.0.0.1', port, path, ca, servername: host, headers: { host }, agent: false };
  const outgoing = request(options, async response => {
    const body = Buffer.concat(await response.toArray()).toString();
    resolve({ status: response.statusCode!, location: response.headers.location, body });
  });
  // What Caddy sends where it has no certificate for the name.
  outgoing.on('error', error =>
    /alert internal error/.test(String(error)) ? resolve('refused') : reject(error),
  );
  outgoing.end();
  return promise;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false)).once('connect', () => resolve(Boolean(socket.destroy())));
  });
