import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from '../../tools/engines/wait.ts';

/** Cannot stand in what a command prints. */
const end = '\0end\n';

/** A shell that a person has open: it keeps its folder and its variables from one block of commands to the next. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #closed: Promise<unknown>;
  #output = '';
  #printed = '';

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    // A process group of its own, so that what runs in the foreground can be interrupted with it.
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

  /** Runs a block to its end, and gives what it wrote to standard output. Throws when a command of it fails. */
  async type(block: string, timeoutMs = 240_000): Promise<string> {
    this.#output = '';
    this.start(`${block}\nprintf '\\0end\\n'`);
    await waitUntil(
      `this has ended: ${block}`,
      () => this.#output.endsWith(end) || this.#shell.exitCode !== null,
      { timeoutMs },
    ).catch(error => {
      throw new Error(`${error.message}\n${this.#printed}`);
    });
    if (!this.#output.endsWith(end)) throw new Error(`This failed: ${block}\n${this.#printed}`);
    return this.#output.slice(0, -end.length);
  }

  /** Begins a block that goes on until the terminal is closed. */
  start(block: string): void {
    this.#shell.stdin!.write(`{\n${block}\n} < /dev/null\n`);
  }

  /** Everything that was printed, to look at when something else went wrong. */
  get printed(): string {
    return this.#printed;
  }

  /** As by Ctrl-C: whatever runs is interrupted, and has its time to end. */
  async close(): Promise<void> {
    this.#signal('SIGINT');
    const late = setTimeout(this.#kill, 30_000);
    this.#shell.stdin!.end();
    await this.#closed;
    clearTimeout(late);
    process.off('exit', this.#kill);
  }

  readonly #kill = () => this.#signal('SIGKILL');

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#shell.pid!, signal);
    } catch {
      // Nobody of the group is left.
    }
  }
}
