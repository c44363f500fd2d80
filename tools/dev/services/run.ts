import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import pg from 'pg';
import { forgetStarted, recallStarted, rememberStarted } from './pid-file.ts';
import { services as allServices, type Service, withDatabase } from './service.ts';

export type Services = {
  /** Makes sure that the engines answer, that the database exists and that `.env` has their addresses. */
  start(): Promise<void>;
  /** Stops what `start` started, and nothing else. */
  stop(): Promise<void>;
  status(): Promise<void>;
};

export type ServicesOptions = {
  /** The root of the project. */
  readonly project: string;
  /** Settings that override those of `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  /** Those that `start` takes care of; all of them by default. */
  readonly wanted?: readonly Service[];
};

/** What is at an address: an engine that we can use, nothing, or something that refuses us. */
type Found =
  | { readonly is: 'usable' }
  | { readonly is: 'absent' }
  | { readonly is: 'unusable'; readonly why: string };

export function createServices({ project, env, say, wanted = allServices }: ServicesOptions): Services {
  const root = join(project, '.services');
  const envFile = join(project, '.env');
  const tell = (name: string, text: string) => say(`${name.padEnd(11)}${text}`);

  async function ensure(service: Service, url: URL): Promise<URL> {
    if (!isLocal(url)) {
      tell(service.name, `at ${url.hostname}, not on this machine; left alone`);
      return url;
    }
    const found = await look(service, url);
    if (found.is === 'usable') {
      const ours = recallStarted(root, service.key);
      tell(service.name, `answers on ${url.host}${ours ? ` (ours, pid ${ours.pid})` : ''}; left alone`);
      return url;
    }
    if (service.findBinary() === undefined) {
      throw new Error(`${service.name}: ${service.binary} is not installed. ${service.install}`);
    }
    if (found.is === 'absent') return await start(service, url);
    const elsewhere = new URL(url);
    elsewhere.port = String(await freePort());
    tell(service.name, `on ${url.host} is of no use here: ${found.why}`);
    return await start(service, elsewhere);
  }

  async function start(service: Service, url: URL): Promise<URL> {
    const dir = service.directory(root);
    const engine = await service.start({ port: Number(url.port), dir, detached: true });
    rememberStarted(root, service.key, { pid: engine.pid, port: engine.port, dir });
    const place = dir.startsWith(project) ? relative(project, dir) : dir;
    tell(service.name, `started on ${url.host}, data in ${place}, pid ${engine.pid}`);
    return url;
  }

  async function makeDatabase(url: URL): Promise<void> {
    const name = decodeURIComponent(url.pathname.slice(1));
    const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') });
    await client.connect();
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
      if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
      tell('database', rowCount === 0 ? `${name} made` : `${name} is there`);
    } finally {
      await client.end();
    }
  }

  function writeEnv(urls: ReadonlyMap<Service, URL>, fromFile: Record<string, string | undefined>): void {
    if (!existsSync(envFile)) {
      const lines = [...urls].map(([service, url]) => lineOf(service, url));
      const key = `# the secrets of webhooks are encrypted with it: keep it for as long as the database\nWEBHOOK_SECRET_KEYS=${randomBytes(32).toString('base64')}\n`;
      writeFileSync(envFile, [...lines, newSecret(), key].join('\n'), { mode: 0o600 });
      tell('.env', 'written');
      return;
    }
    chmodSync(envFile, 0o600);
    for (const [service, url] of urls) {
      const { setting } = service;
      const set = env[setting] ?? fromFile[setting];
      if (set === undefined) {
        appendFileSync(envFile, `\n${lineOf(service, url)}`);
        tell('.env', `${setting} added`);
      } else if (new URL(set).host !== url.host) tell('.env', `should say ${setting}=${url.href}`);
    }
    if ((env.AUTH_SECRET ?? fromFile.AUTH_SECRET) === undefined) {
      appendFileSync(envFile, `\n${newSecret()}`);
      tell('.env', 'AUTH_SECRET added');
    }
    if ((env.WEBHOOK_SECRET_KEYS ?? fromFile.WEBHOOK_SECRET_KEYS) === undefined) {
      tell(
        '.env',
        'should say WEBHOOK_SECRET_KEYS= and the output of `openssl rand -base64 32`, for webhooks',
      );
    }
  }

  return {
    async start() {
      mkdirSync(root, { recursive: true });
      const fromFile = readEnv(envFile);
      const urls = new Map<Service, URL>();
      for (const service of wanted) {
        const { setting, defaultUrl } = service;
        urls.set(service, await ensure(service, new URL(env[setting] ?? fromFile[setting] ?? defaultUrl)));
      }
      const postgres = [...urls].find(([{ key }]) => key === 'postgres')?.[1];
      if (postgres && isLocal(postgres)) await makeDatabase(postgres);
      writeEnv(urls, fromFile);
    },

    async stop() {
      for (const { name, key } of allServices) {
        const ours = recallStarted(root, key);
        forgetStarted(root, key);
        if (ours === undefined) {
          tell(name, 'not started by us; left alone');
          continue;
        }
        process.kill(ours.pid, key === 'postgres' ? 'SIGINT' : 'SIGTERM');
        await waitUntil(`${name} is gone`, () => !isAlive(ours.pid), { timeoutMs: 30_000 });
        tell(name, `stopped (pid ${ours.pid})`);
      }
    },

    async status() {
      const fromFile = readEnv(envFile);
      for (const service of allServices) {
        const { name, key, setting, defaultUrl } = service;
        const url = new URL(env[setting] ?? fromFile[setting] ?? defaultUrl);
        const found = await look(service, url);
        const ours = recallStarted(root, key);
        tell(name, `${stateOf(found)} on ${url.host}${ours ? ` (ours, pid ${ours.pid})` : ''}`);
      }
    },
  };
}

function stateOf(found: Found): string {
  switch (found.is) {
    case 'usable':
      return 'answers';
    case 'absent':
      return 'does not answer';
    case 'unusable':
      return `is of no use (${found.why})`;
  }
}

async function look(service: Service, url: URL): Promise<Found> {
  if (!(await isListening(url))) return { is: 'absent' };
  try {
    return (await service.answers(url))
      ? { is: 'usable' }
      : { is: 'unusable', why: 'it lacks what we need (password, JetStream)' };
  } catch (error) {
    return { is: 'unusable', why: error instanceof Error ? error.message : String(error) };
  }
}

function isListening({ port, hostname }: URL): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port: Number(port), host: hostname, timeout: 2_000 });
    const settle = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}

function isLocal({ hostname }: URL): boolean {
  return hostname === '127.0.0.1' || hostname === 'localhost';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function readEnv(path: string): Record<string, string | undefined> {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

const lineOf = ({ purpose, setting }: Service, url: URL) => `# ${purpose}\n${setting}=${url.href}\n`;

/** Every checkout has its own: anybody who knows it could forge sessions. */
const newSecret = () =>
  `# signs the sessions of the dashboard\nAUTH_SECRET=${randomBytes(32).toString('base64url')}\n`;
