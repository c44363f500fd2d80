export type Step = {
  readonly name: string;
  /** Returns what the summary says of it; throws if it fails. `skipped: …` says why it did nothing. */
  readonly run: () => string | Promise<string>;
};

type Result = { readonly outcome: 'ok' | 'skipped' | 'failed' | 'not run'; readonly said: string };

/** Runs steps one after the other until one fails. Returns whether all passed. */
export async function runSteps(steps: readonly Step[], print: (line: string) => void): Promise<boolean> {
  let isGood = true;
  for (const { name, run } of steps) {
    const start = performance.now();
    const { outcome, said }: Result = isGood ? await attempt(run) : { outcome: 'not run', said: '' };
    if (outcome === 'failed') isGood = false;
    const seconds = `${((performance.now() - start) / 1_000).toFixed(1)} s`;
    print(`${outcome.padEnd(8)}${name.padEnd(10)}${seconds.padStart(8)}  ${said}`.trimEnd());
  }
  return isGood;
}

async function attempt(run: Step['run']): Promise<Result> {
  try {
    const said = await run();
    return said.startsWith('skipped: ')
      ? { outcome: 'skipped', said: said.slice('skipped: '.length) }
      : { outcome: 'ok', said };
  } catch (error) {
    return { outcome: 'failed', said: (error as Error).message };
  }
}
