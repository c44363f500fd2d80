import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { deploy, readDeploy } from '../files.ts';
import type { DockerEngine } from './engine.ts';
import { run } from './run.ts';

export type Code = { readonly id: string; readonly shortCode: string; readonly shortUrl: string };

/** One of the compose files, in a copy of deploy/ with secrets of its own, as an operator follows deploy/README.md. */
export class Deployment {
  readonly engine: DockerEngine;
  readonly #file: string;
  readonly #dir = mkdtempSync(join(tmpdir(), 'signpost-deploy-'));

  constructor(engine: DockerEngine, file: string, settings: Readonly<Record<string, string>> = {}) {
    this.engine = engine;
    this.#file = file;
    cpSync(deploy, this.#dir, { recursive: true });
    execFileSync('sh', [join(this.#dir, 'make-secrets')]);
    let text = readDeploy('.env.example');
    for (const [name, value] of Object.entries(settings))
      text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
    writeFileSync(join(this.#dir, '.env'), text);
  }

  compose(...args: readonly string[]): Promise<string> {
    const file = join(this.#dir, this.#file);
    return run('docker', ['compose', '--file', file, '--progress', 'quiet', ...args], {
      env: this.engine.env,
    });
  }

  async up(...args: readonly string[]): Promise<void> {
    try {
      await this.compose('up', '--detach', '--wait', '--wait-timeout', '300', ...args);
    } catch (error) {
      throw new Error(await this.compose('logs', '--no-color', '--tail', '30'), { cause: error });
    }
  }

  /** The containers that run, with the names of their services. */
  async containers(): Promise<readonly Container[]> {
    const ids = (await this.compose('ps', '--quiet')).trim().split('\n');
    return Promise.all(ids.map(id => inspect(this.engine, id)));
  }

  /** Ends everything; `volumes`: what it has stored too. */
  async down({ volumes }: { readonly volumes: boolean }): Promise<void> {
    await this.compose('--profile', '*', 'down', ...(volumes ? ['--volumes'] : []));
  }

  async remove(): Promise<void> {
    await this.down({ volumes: true });
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

export type Container = {
  readonly id: string;
  readonly service: string;
  readonly pid: number;
  readonly restarts: number;
  readonly isReady: boolean;
  readonly wasKilledForMemory: boolean;
  readonly isReadOnly: boolean;
  readonly memoryLimit: number;
};

export async function inspect(engine: DockerEngine, id: string): Promise<Container> {
  const [one] = JSON.parse(await engine.docker('inspect', id));
  const { State: state, Config: config, HostConfig: host } = one;
  return {
    id,
    service: config.Labels['com.docker.compose.service'] ?? one.Name.slice(1),
    pid: state.Pid,
    restarts: one.RestartCount,
    isReady: state.Running && (state.Health?.Status ?? 'healthy') === 'healthy',
    wasKilledForMemory: state.OOMKilled,
    isReadOnly: host.ReadonlyRootfs,
    memoryLimit: host.Memory,
  };
}

/** What is wrong with the rights of a container, as the kernel tells of its processes. */
export async function findRights(engine: DockerEngine, container: Container): Promise<readonly string[]> {
  const found: string[] = [];
  if (!container.isReadOnly) found.push(`${container.service}: the root is writable`);
  if (container.memoryLimit === 0) found.push(`${container.service}: no limit of memory`);
  const top = (await engine.docker('top', container.id, '-eo', 'pid,args')).trim().split('\n').slice(1);
  for (const line of top) {
    const [, pid, program] = /^\s*(\d+)\s+(.*)$/.exec(line)!;
    const status = processStatus(Number(pid));
    if (!status) continue;
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)![1]!;
    if (field('Uid') === '0') found.push(`${container.service}: root runs ${program}`);
    for (const set of ['CapEff', 'CapPrm', 'CapBnd'])
      if (/[^0]/.test(field(set))) found.push(`${container.service}: ${program} has ${set} ${field(set)}`);
    if (field('NoNewPrivs') !== '1') found.push(`${container.service}: ${program} may gain privileges`);
  }
  return found;
}

/** Null if the process, such as that of a health check, has ended. */
function processStatus(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return null;
    throw error;
  }
}

/** Kills the first process of a container as the kernel would, and waits until Docker has started it again. */
export async function killContainer(
  engine: DockerEngine,
  { id, service, pid, restarts }: Container,
): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await waitUntil(
    `${service} is back`,
    async () => {
      const now = await inspect(engine, id);
      return now.restarts > restarts && now.isReady;
    },
    { everyMs: 250 },
  );
}

export const createCode = async (api: string, key: string): Promise<Code> => {
  const body = { name: 'Menu', destination_url: 'https://example.com/menu' };
  const made = await ask({ method: 'POST', url: `${api}/v1/qrcodes`, key, body });
  if (made.status !== 201) throw new Error(`No code: ${made.status} ${JSON.stringify(made.body)}`);
  return { id: made.body.id, shortCode: made.body.short_code, shortUrl: made.body.short_url };
};

/** Scans at a steady rate, over every address in turn, and counts what was answered. */
export class Scanner {
  sent = 0;
  answered = 0;
  readonly #open = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(bases: readonly string[], { shortCode }: Code, perSecond: number) {
    const one = async (url: string) => {
      try {
        const { status } = await ask({ url, timeoutMs: 20_000 });
        if (status === 302) this.answered++;
      } catch (error) {
        // A connection that a kill has cut: it was not answered.
        if (!(error instanceof Error)) throw error;
      }
    };
    const start = performance.now();
    // A busy machine delays timers: each tick sends what is due.
    this.#timer = setInterval(() => {
      for (const due = ((performance.now() - start) * perSecond) / 1000; this.sent < due; ) {
        const scan = one(`${bases[this.sent++ % bases.length]}/${shortCode}`);
        this.#open.add(scan);
        void scan.finally(() => this.#open.delete(scan));
      }
    }, 10);
  }

  /** Waits until so many more are answered. */
  async answers(more: number): Promise<void> {
    const goal = this.answered + more;
    await waitUntil(`${more} more scans are answered`, () => this.answered >= goal);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
  }
}

export async function countScans(api: string, key: string, { id }: Code): Promise<number> {
  const { status, body } = await ask({ url: `${api}/v1/qrcodes/${id}`, key });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.total_scans;
}
