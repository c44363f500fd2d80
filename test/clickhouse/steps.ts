import { setTimeout as pause } from 'node:timers/promises';

/** What a check uses while it runs. */
export type StepTools = {
  /** Adds something to what the report says was seen. */
  see(what: string): void;
  progress(done: number, all: number, unit: string): void;
  readonly signal: AbortSignal;
};

export type Step = {
  readonly name: string;
  run(tools: StepTools): Promise<void>;
  /** The steps after it make no sense without it. */
  readonly isNeeded?: boolean;
};

export type StepResult = {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'not tried';
  readonly seconds: number;
  readonly seen: readonly string[];
};

/** The server or its user cannot do what a step checks. */
export class NotTried extends Error {}

export type Print = (text: string) => void;

/** Runs one step after another, also after a failure. Ends early if the signal aborts. */
export async function runSteps(
  steps: readonly Step[],
  print: Print,
  signal: AbortSignal,
  toText: (error: unknown) => string,
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  let missing: string | null = null;
  for (const step of steps) {
    const result: StepResult =
      missing === null
        ? await runStep(step, print, signal, toText)
        : { name: step.name, outcome: 'not tried', seconds: 0, seen: [`it needs: ${missing}`] };
    if (step.isNeeded && result.outcome !== 'passed') missing ??= step.name;
    results.push(result);
    print(formatResult(result));
    signal.throwIfAborted();
  }
  return results;
}

async function runStep(
  { name, run }: Step,
  print: Print,
  signal: AbortSignal,
  toText: (error: unknown) => string,
): Promise<StepResult> {
  print(`… ${name}`);
  const startedAt = performance.now();
  const seen: string[] = [];
  const tools = { see: (what: string) => void seen.push(what), progress: createProgress(print), signal };
  const end = (outcome: StepResult['outcome']): StepResult => ({
    name,
    outcome,
    seconds: (performance.now() - startedAt) / 1000,
    seen,
  });
  try {
    await Promise.race([run(tools), rejectOnAbort(signal)]);
    return end('passed');
  } catch (error) {
    seen.push(toText(error));
    return end(error instanceof NotTried ? 'not tried' : 'failed');
  }
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const marks = { passed: '✓', failed: '✗', 'not tried': '–' } as const;

const formatResult = ({ name, outcome, seconds, seen }: StepResult) =>
  [`${marks[outcome]} ${name}: ${outcome}, ${seconds.toFixed(1)} s`, ...seen.map(what => `    ${what}`)].join(
    '\n',
  );

/** A line per tenth. */
function createProgress(print: Print): StepTools['progress'] {
  let printed = 0;
  return (done, all, unit) => {
    const tenth = Math.floor((10 * done) / all);
    if (tenth <= printed) return;
    printed = tenth;
    print(`    ${done.toLocaleString('en')} of ${all.toLocaleString('en')} ${unit}`);
  };
}

/** Polls until it is true; false if it is not in time. */
export async function comesTrue(probe: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await probe())) {
    if (performance.now() > deadline) return false;
    await pause(100);
  }
  return true;
}

export function require(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
