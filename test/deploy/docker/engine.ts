import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { makeSystem } from './debian.ts';
import { joinSockets } from './join-sockets.ts';
import { run } from './run.ts';

const programs = {
  dockerd: 'docker.io',
  docker: 'docker.io',
  slirp4netns: 'slirp4netns',
  nsenter: 'util-linux',
  mmdebstrap: 'mmdebstrap',
  zbarimg: 'zbar-tools',
};

/** Why no engine can be started here, in one sentence; null if it can. */
export function whyNot(): string | null {
  if (process.getuid?.() !== 0) return 'npm run test:docker needs root: it starts a Docker engine of its own';
  const missing = Object.keys(programs).filter(name => !isInstalled(name));
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(name => programs[name as keyof typeof programs]))];
    return `npm run test:docker needs ${missing.join(', ')} (Debian: apt-get install ${packages.join(' ')})`;
  }
  const cgroups = ['/sys/fs/cgroup/cgroup.controllers', '/sys/fs/cgroup/memory'];
  if (!cgroups.some(path => existsSync(path)))
    return 'npm run test:docker needs cgroups with a memory controller';
  return null;
}

const isInstalled = (name: string) => {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * A Docker engine in a network namespace of its own: neither its bridges nor its firewall rules are those of this machine.
 * It reaches the world through slirp4netns, and is reached through `forward`. Its layers stay in `cache` between runs.
 */
export class DockerEngine {
  readonly #dir = mkdtempSync(join(tmpdir(), 'signpost-docker-'));
  readonly #cache: string;
  readonly #children: ChildProcess[] = [];
  readonly #servers: Server[] = [];
  #namespace = '';

  constructor(cache: string) {
    this.#cache = cache;
  }

  async start(): Promise<this> {
    const holder = this.#spawn('holder', 'unshare', ['--net', 'sleep', 'infinity']);
    this.#namespace = `/proc/${holder.pid}/ns/net`;
    const own = readlinkSync('/proc/self/ns/net');
    const isApart = () => readlinkSync(this.#namespace) !== own;
    await waitUntil('the network namespace is there', isApart);
    this.#spawn('network', 'slirp4netns', [
      '--configure',
      '--mtu=65520',
      '--disable-host-loopback',
      String(holder.pid),
      'tap0',
    ]);
    await waitUntil('it has a network', () =>
      this.inside('ip', ['route']).then(routes => routes.includes('tap0')),
    );
    await this.#addPlugins();
    const engine = join(this.#cache, 'engine');
    mkdirSync(engine, { recursive: true });
    const hardLimit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
    this.#spawn('dockerd', 'nsenter', [
      ...[`--net=${this.#namespace}`, '--', 'dockerd', '--data-root', engine],
      ...['--exec-root', join(this.#dir, 'exec'), '--pidfile', join(this.#dir, 'dockerd.pid')],
      // 10.0.2.3 is the name server of slirp4netns. More open files than this machine allows would be refused.
      ...[
        '--host',
        this.#address,
        '--dns',
        '10.0.2.3',
        '--default-ulimit',
        `nofile=${hardLimit}:${hardLimit}`,
      ],
    ]);
    await waitUntil('Docker answers', async () => (await this.docker('version')).length > 0, {
      everyMs: 200,
    });
    await this.#removeLeftovers();
    return this;
  }

  /** What a run that was interrupted has left, but for images. */
  async #removeLeftovers(): Promise<void> {
    const containers = (await this.docker('ps', '--all', '--quiet')).split('\n').filter(Boolean);
    if (containers.length > 0) await this.docker('rm', '--force', ...containers);
    for (const kind of ['volume', 'network']) await this.docker(kind, 'prune', '--force');
  }

  /** Compose v2 and buildx, taken from Debian's next release where Docker has none: version 12 has no second Compose. */
  async #addPlugins(): Promise<void> {
    const hasOwn = await run('docker', ['compose', 'version']).then(
      () => true,
      () => false,
    );
    if (hasOwn) return;
    const plugins = join(this.#cache, 'plugins');
    if (!existsSync(plugins)) {
      const file = join(this.#dir, 'plugins.tar');
      await makeSystem(file, 'forky', ['docker-compose', 'docker-buildx'], 'extract');
      const draft = join(this.#cache, 'plugins.part');
      rmSync(draft, { recursive: true, force: true });
      mkdirSync(draft, { recursive: true });
      await run('tar', [
        '--extract',
        '--file',
        file,
        '--directory',
        draft,
        '--strip-components=5',
        './usr/libexec/docker/cli-plugins',
      ]);
      renameSync(draft, plugins);
    }
    symlinkSync(plugins, join(this.#dir, 'cli-plugins'));
  }

  get #address(): string {
    return `unix://${join(this.#dir, 'docker.sock')}`;
  }

  /** Environment of programs that talk to this engine. */
  get env(): Record<string, string> {
    return { DOCKER_HOST: this.#address, DOCKER_BUILDKIT: '1', DOCKER_CONFIG: this.#dir };
  }

  docker(...args: readonly string[]): Promise<string> {
    return run('docker', args, { env: this.env });
  }

  /** Runs a program in the network of the engine. */
  inside(program: string, args: readonly string[]): Promise<string> {
    return run('nsenter', [`--net=${this.#namespace}`, '--', program, ...args]);
  }

  /** Makes a port that a container publishes reachable for this process; resolves to its address. */
  async forward(port: number): Promise<string> {
    const socket = join(this.#dir, `${port}.sock`);
    const relay = join(import.meta.dirname, 'relay-process.ts');
    this.#spawn(`relay-${port}`, 'nsenter', [
      `--net=${this.#namespace}`,
      '--',
      process.execPath,
      relay,
      socket,
      String(port),
    ]);
    await waitUntil(`the relay of ${port} listens`, () => existsSync(socket));
    const server = createServer(client => joinSockets(client, connect(socket)));
    this.#servers.push(server);
    const here = await freePort();
    await new Promise<void>(resolve => server.listen(here, '127.0.0.1', resolve));
    return `http://127.0.0.1:${here}`;
  }

  #spawn(name: string, program: string, args: readonly string[]): ChildProcess {
    const log = openSync(join(this.#dir, `${name}.log`), 'a');
    const child = spawn(program, args, { stdio: ['ignore', log, log] });
    this.#children.push(child);
    return child;
  }

  /** Ends everything that was started, the last first. */
  async stop(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const child of this.#children.toReversed()) {
      child.kill('SIGTERM');
      await waitUntil(
        `${child.spawnfile} has ended`,
        () => child.exitCode !== null || child.signalCode !== null,
      );
    }
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
