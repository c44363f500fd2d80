import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from './engines/wait.ts';

/** Commands do not print this. */
const endMarker = '\0end\n';

/** An interactive shell: it keeps its directory and variables from one block of commands to the next. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #closed: Promise<unknown>;
  #output = '';
  #printed = '';

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    // Its own process group, so that the foreground process can be interrupted with it.
    this.#shell = spawn('bash', ['--noprofile', '--norc', '-e'], { cwd: folder, env, detached: true });
    this.#closed = once(this.#shell, 'close');
    this.#shell.stdout!.on('data', chunk => {
      this.#output += chunk;
      this.#printed += chunk;
    });
    this.#shell.stderr!.on('data', chunk => (this.#printed += chunk));
    this.#shell.stdin!.on('error', () => undefined);
    process.once('exit', this.#kill);
  }

  /** Runs a block, and returns its standard output. Throws if a command fails. */
  async type(block: string, timeoutMs = 240_000): Promise<string> {
    this.#output = '';
    this.start(`${block}\nprintf '\\0end\\n'`);
    await waitUntil(
      `the block ends: ${block}`,
      () => this.#output.endsWith(endMarker) || this.#shell.exitCode !== null,
      { timeoutMs },
    ).catch(error => {
      throw new Error(`${error.message}\n${this.#printed}`);
    });
    if (!this.#output.endsWith(endMarker)) throw new Error(`The block failed: ${block}\n${this.#printed}`);
    return this.#output.slice(0, -endMarker.length);
  }

  /** Starts a block that runs until the terminal is closed. */
  start(block: string): void {
    this.#shell.stdin!.write(`{\n${block}\n} < /dev/null\n`);
  }

  /** Everything that was printed, for error messages. */
  get printed(): string {
    return this.#printed;
  }

  /** Like Ctrl-C: interrupts the running process, and waits for it to end. */
  async close(): Promise<void> {
    this.#signal('SIGINT');
    const killTimer = setTimeout(this.#kill, 30_000);
    this.#shell.stdin!.end();
    await this.#closed;
    clearTimeout(killTimer);
    process.off('exit', this.#kill);
  }

  readonly #kill = () => this.#signal('SIGKILL');

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#shell.pid!, signal);
    } catch {
      // The process group has already ended.
    }
  }
}
