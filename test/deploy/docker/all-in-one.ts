import { existsSync } from 'node:fs';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type Container, inspect } from './deployment.ts';
import type { DockerEngine } from './engine.ts';

const [name, volume] = ['signpost-all-in-one', 'signpost-all-in-one'];

/** The all-in-one image, with as few rights as it can have. */
export class AllInOne {
  readonly #engine: DockerEngine;
  readonly #image: string;
  readonly #url: string;

  constructor(engine: DockerEngine, image: string, url: string) {
    this.#engine = engine;
    this.#image = image;
    this.#url = url;
  }

  #run(options: readonly string[], ...args: readonly string[]): Promise<string> {
    return this.#engine.docker(
      ...['run', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
      ...['--security-opt', 'no-new-privileges', '--memory', '512m', '--memory-swap', '512m'],
      ...['--volume', `${volume}:/data`, ...options, this.#image, ...args],
    );
  }

  async start(...args: readonly string[]): Promise<void> {
    const options = [
      '--detach',
      '--name',
      name,
      '--restart',
      'unless-stopped',
      '--publish',
      '127.0.0.1:8080:8080',
    ];
    await this.#run([...options, '--stop-timeout', '60'], ...args);
    await this.#isReady();
  }

  async startAgain(): Promise<void> {
    await this.#engine.docker('start', name);
    await this.#isReady();
  }

  #isReady(): Promise<void> {
    const answers = async () => (await fetch(`${this.#url}/healthz`)).ok;
    return waitUntil('the all-in-one container answers', answers, { everyMs: 250, timeoutMs: 180_000 });
  }

  async stop(): Promise<void> {
    await this.#engine.docker('stop', name);
  }

  async exitCode(): Promise<number> {
    return Number(await this.#engine.docker('inspect', '--format', '{{.State.ExitCode}}', name));
  }

  inspect(): Promise<Container> {
    return inspect(this.#engine, name);
  }

  logs(): Promise<string> {
    return this.#engine.docker('logs', name);
  }

  /** A command beside the running service. */
  signpost(...args: readonly string[]): Promise<string> {
    return this.#engine.docker('exec', name, 'signpost', ...args);
  }

  /** A command while the service does not run. */
  command(...args: readonly string[]): Promise<string> {
    return this.#run(['--rm'], ...args);
  }

  inVolume(script: string): Promise<string> {
    return this.#engine.docker(
      ...['run', '--rm', '--volume', `${volume}:/data`, '--entrypoint', 'sh', this.#image, '-c', script],
    );
  }

  async firstOperatorToken(): Promise<{ readonly token: string; readonly page: string }> {
    let found: RegExpExecArray | null = null;
    await waitUntil('the token is in the log', async () => {
      found = /account at (\S+) with this token: (\S+)/.exec(await this.logs());
      return found !== null;
    });
    const [, page, token] = found!;
    return { page: page!, token: token! };
  }

  async demoAccount(): Promise<{ readonly email: string; readonly password: string }> {
    let found: RegExpExecArray | null = null;
    const isThere = async () => {
      found = /e-mail +(\S+)\s+password +(\S+)/.exec(await this.logs());
      return found !== null;
    };
    await waitUntil('the example account is in the log', isThere, { timeoutMs: 300_000, everyMs: 500 });
    const [, email, password] = found!;
    return { email: email!, password: password! };
  }

  /** Kills a program in the container with all of its processes, and waits until it runs again. */
  async kill(program: 'postgres' | 'node' | 's6-svscan'): Promise<void> {
    const { id } = await this.inspect();
    const top = (await this.#engine.docker('top', id, '-eo', 'pid,comm')).trim().split('\n').slice(1);
    const before = top
      .map(line => line.trim().split(/\s+/))
      .filter(([, comm]) => (program === 'node' ? /node|MainThread/.test(comm!) : comm === program))
      .map(([pid]) => Number(pid));
    // The first is the parent of the others.
    const first = Math.min(...before);
    process.kill(first, 'SIGKILL');
    await waitUntil(`${program} has ended`, () => !existsSync(`/proc/${first}`));
    await this.#isReady();
  }

  /** As the kernel counts it: processes that it has killed, and memory without files that it may drop. */
  async memory(): Promise<{ readonly kills: number; readonly usedMb: number }> {
    const files = ['memory.events memory.stat', 'memory/memory.oom_control memory/memory.stat'];
    const script = `cd /sys/fs/cgroup && { cat ${files[0]} 2>/dev/null || cat ${files[1]}; }`;
    const text = await this.#engine.docker('exec', name, 'sh', '-c', script);
    const kills = Number(/^oom_kill (\d+)$/m.exec(text)![1]);
    const used = Number(/^(?:anon|total_rss) (\d+)$/m.exec(text)![1]);
    return { kills, usedMb: Math.round(used / 1024 / 1024) };
  }

  async removeContainer(): Promise<void> {
    await this.#engine.docker('rm', '--force', name);
  }

  async remove(): Promise<void> {
    await this.removeContainer();
    await this.#engine.docker('volume', 'rm', '--force', volume);
  }
}
