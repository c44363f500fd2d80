import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { freePort } from './engines/free-port.ts';
import { waitUntil } from './engines/wait.ts';

const main = new URL('../../../apps/server/src/main.ts', import.meta.url).pathname;
const logs = new URL('../../../.logs/', import.meta.url).pathname;

/** All that a child process inherits: where programs are, and the compile cache. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const own = { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };

// Each server and engine of a test has a listener for the exit of this process.
process.setMaxListeners(100);

/** A server in its own process, as an operator runs it. Its log stays in `.logs/`. */
export class TestServer {
  readonly url: string;
  readonly metricsUrl: string;
  /** On the private port, with every part. */
  readonly readyUrl: string;
  readonly logFile: string;
  readonly #env: Record<string, string>;
  readonly #role: string;
  readonly #program: string;
  readonly #logStart: number;
  #child: ChildProcess | undefined;

  private constructor(
    role: string,
    env: Record<string, string>,
    program: string,
    port: number,
    metricsPort: number,
  ) {
    this.#role = role;
    this.#program = program;
    this.#env = {
      ...env,
      API_PORT: String(port),
      REDIRECT_PORT: String(port),
      METRICS_PORT: String(metricsPort),
    };
    this.url = `http://127.0.0.1:${port}`;
    this.metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    this.readyUrl = `http://127.0.0.1:${metricsPort}/readyz`;
    this.logFile = `${logs}${role}-${port}.log`;
    this.#logStart = statSync(this.logFile, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** On a free port, unless one is given because settings name it. `program`: main.ts of another version. */
  static async start(
    role: string,
    env: Record<string, string>,
    { port, program = main }: { readonly port?: number; readonly program?: string } = {},
  ): Promise<TestServer> {
    const server = new TestServer(role, env, program, port ?? (await freePort()), await freePort());
    await server.start();
    return server;
  }

  /** Resolves when it answers; throws with its log if it exits instead. */
  async start(): Promise<void> {
    mkdirSync(logs, { recursive: true });
    const log = openSync(this.logFile, 'a');
    const child = spawn(process.execPath, [this.#program, this.#role], {
      env: { ...own, ...this.#env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    const endWithUs = () => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
    const health =
      this.#role === 'ingest' || this.#role === 'deliver'
        ? this.metricsUrl.replace('/metrics', '/healthz')
        : `${this.url}/healthz`;
    const answers = () =>
      fetch(health).then(
        response => response.ok,
        () => false,
      );
    // There is no point in waiting for one that has ended; on a busy machine a start takes long.
    await waitUntil(`${this.#role} answers`, async () => child.exitCode !== null || answers(), {
      timeoutMs: 180_000,
    });
    if (child.exitCode !== null)
      throw new Error(`${this.#role} ended: ${readFileSync(this.logFile, 'utf8')}`);
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** Its resident memory, according to the kernel. */
  get residentMb(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024;
  }

  /** What this process has logged: an earlier one on the same port may have written to the same file. */
  log(): string {
    return readFileSync(this.logFile).subarray(this.#logStart).toString();
  }

  /** Sends a signal and waits for the exit. Resolves to the exit code, or to the signal that ended it. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode!;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code, endedBy] = (await exit) as [number | null, NodeJS.Signals | null];
    return code ?? endedBy!;
  }

  /** Resolves when the process has ended, for whatever reason. */
  async ended(): Promise<void> {
    const child = this.#child!;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  kill(signal: NodeJS.Signals): void {
    this.#child!.kill(signal);
  }
}

/** Runs a command of the server until it exits. */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  program = main,
  input = '',
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { env: { ...own, ...env } });
  child.stdin.on('error', () => undefined).end(input);
  let output = '';
  child.stdout.on('data', data => {
    output += data;
  });
  child.stderr.on('data', data => {
    output += data;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
