import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resumeTree, stopTree } from './process-tree.ts';
import { waitUntil } from './wait.ts';

/** fast shuts down cleanly; immediate leaves recovery to the next start. */
export type StopMode = 'fast' | 'immediate';

/** The OS user to run as, if it must not be the current one. */
export type OsUser = { readonly uid: number; readonly gid: number };

export type EngineSpec = {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  /** Holds everything the engine writes. */
  readonly dir: string;
  /** The directory was created for this engine and is removed with it. */
  readonly temporary: boolean;
  readonly command: string;
  readonly args: readonly string[];
  readonly user?: OsUser | undefined;
  /** The engine outlives the process that starts it. */
  readonly detached?: boolean | undefined;
  readonly stopSignals: Readonly<Record<StopMode, NodeJS.Signals>>;
  /** True once the engine answers. */
  readonly answers: () => Promise<boolean>;
  /** Whether the log of a failed start shows that a retry may succeed. */
  readonly worthRetrying?: (log: string) => boolean;
};

/** The directory of one engine: the given one, or a new one that is removed with the engine. */
export function engineDirectory(name: string, given: string | undefined) {
  return given === undefined
    ? { dir: mkdtempSync(join(tmpdir(), `signpost-${name}-`)), temporary: true }
    : { dir: given, temporary: false };
}

/** One engine: it can be stopped in any way and started again on the same port and data. */
export class Engine {
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  readonly #spec: EngineSpec;
  #child: ChildProcess | undefined;
  #hasAnswered = false;

  constructor(spec: EngineSpec) {
    this.#spec = spec;
    this.url = spec.url;
    this.port = spec.port;
    this.dir = spec.dir;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.#spec.name} is not running`);
    return pid;
  }

  /** Resolves when the engine answers. */
  async start(): Promise<this> {
    const { name, temporary } = this.#spec;
    if (this.running) throw new Error(`${name} is already running`);
    this.#spawn();
    try {
      await waitUntil(`${name} answers`, () => this.#isUp());
      if (!this.running) throw new Error('it ended');
      this.#hasAnswered = true;
    } catch (error) {
      const log = this.#log();
      await this.kill('SIGKILL');
      if (temporary && !this.#hasAnswered) this.#deleteDirectory();
      throw new Error(`${name} did not start: ${String(error)}\n${log}`, { cause: error });
    }
    return this;
  }

  /** Sends a signal. If it is one that ends the engine, resolves when the engine has ended. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.kill(signal);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT' || signal === 'SIGHUP') return;
    await waitUntil(`${this.#spec.name} is gone after ${signal}`, () => this.#child !== child);
  }

  /** Freezes the engine and its children: connections stay open without a response, as on a machine that hangs. */
  freeze(): void {
    stopTree(this.pid);
  }

  /** Resumes a frozen engine. */
  thaw(): void {
    if (this.running) resumeTree(this.pid);
  }

  /** Also a frozen one. */
  async stop(mode: StopMode = 'fast'): Promise<void> {
    this.thaw();
    await this.kill(this.#spec.stopSignals[mode]);
  }

  /** Whether it runs or not. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops it and deletes its directory. */
  async remove(): Promise<void> {
    await this.stop('immediate');
    this.#deleteDirectory();
  }

  /** Also true when the process has ended: then there is nothing to wait for. */
  async #isUp(): Promise<boolean> {
    if (!this.running) {
      if (!this.#spec.worthRetrying?.(this.#log())) return true;
      this.#spawn();
    }
    return this.#spec.answers();
  }

  #spawn(): void {
    const { command, args, dir, user, detached = false } = this.#spec;
    const log = openSync(this.#logFile, 'w');
    const child = spawn(command, args, { cwd: dir, stdio: ['ignore', log, log], detached, ...user });
    closeSync(log);
    const endWithUs = () => child.kill('SIGKILL');
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
      process.off('exit', endWithUs);
    };
    child.once('exit', forget);
    child.once('error', forget);
    if (detached) child.unref();
    else process.once('exit', endWithUs);
    this.#child = child;
  }

  get #logFile(): string {
    return join(this.dir, 'engine.log');
  }

  #log(): string {
    try {
      return readFileSync(this.#logFile, 'utf8').slice(-4_000);
    } catch {
      return '(no log)';
    }
  }

  #deleteDirectory(): void {
    // The children of a killed PostgreSQL may still write for a moment.
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 20 });
  }
}
