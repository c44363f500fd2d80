/**
 * Runs a piece of work now and then again for all calls that came meanwhile: one run at a time, and at least so long between
 * two starts. The last call is always followed by a run.
 */
export class Throttle {
  readonly #work: () => Promise<unknown>;
  readonly #everyMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #isAsked = false;

  constructor(work: () => Promise<unknown>, everyMs: number) {
    this.#work = work;
    this.#everyMs = everyMs;
  }

  ask(): void {
    this.#isAsked = true;
    if (!this.#timer && !this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isAsked = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#isAsked = false;
    this.#isRunning = true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#next();
    }, this.#everyMs);
    await this.#work().catch(() => {});
    this.#isRunning = false;
    this.#next();
  }

  #next(): void {
    if (this.#isAsked && !this.#timer && !this.#isRunning) void this.#run();
  }
}
