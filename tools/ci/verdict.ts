/** What became of one part. */
export type PartResult = {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  /** Names of what failed, on the rerun too. */
  readonly failed: readonly string[];
  /** Tests that passed only when they ran again. */
  readonly flaky?: readonly string[];
  readonly isLeftOut?: boolean;
};

/** A test that is known to fail now and then. It may stay on the list for 30 days. */
export type KnownFlaky = { readonly test: string; readonly reason: string; readonly since: string };

/** How long fixed work took in this run, and how long it takes on the machine that the gate is made for. */
export type Speed = { readonly measuredMs: number; readonly quietMs: number };

const maxDays = 30;
/** A machine that needs this many times as long for the same work is slow. */
const slowRatio = 1.5;

const isSlow = ({ measuredMs, quietMs }: Speed): boolean => measuredMs > slowRatio * quietMs;

/** Entries that have been on the list for too long. */
const findExpired = (known: readonly KnownFlaky[], today: Date): readonly KnownFlaky[] =>
  known.filter(({ since }) => today.getTime() - Date.parse(since) > maxDays * 86_400_000);

/**
 * The result of a run. Unless the machine is slow, a test that passed only on its rerun fails the run if it is not listed,
 * and so does a part that was left out.
 */
export function judge(
  results: readonly PartResult[],
  known: readonly KnownFlaky[],
  speed: Speed,
  today: Date,
): { readonly lines: readonly string[]; readonly failed: number } {
  const listed = new Set(known.map(({ test }) => test));
  const flaky = results.flatMap(result => result.flaky ?? []);
  const unlisted = isSlow(speed) ? [] : flaky.filter(test => !listed.has(test));
  const leftOut = results.filter(result => result.isLeftOut).map(({ name }) => name);
  const failures = [
    ...results.flatMap(({ name, failed }) => failed.map(what => (what === name ? name : `${name}: ${what}`))),
    ...unlisted.map(test => `${test} (passed only when rerun, and is not in tools/ci/flaky.json)`),
    ...(isSlow(speed) ? [] : leftOut.map(name => `${name} (left out, on a machine that is not slow)`)),
  ];
  const passed = results.reduce((sum, result) => sum + result.passed, 0) - unlisted.length;
  return {
    failed: failures.length,
    lines: [
      ...results.map(({ name, seconds }) => `${Math.round(seconds)} s  ${name}`),
      `${Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0))} s  together`,
      `speed: ${Math.round(speed.measuredMs)} ms for fixed work, ${speed.quietMs} ms when quiet`,
      ...flaky
        .filter(test => !unlisted.includes(test))
        .map(test => `flaky, ${listed.has(test) ? 'as listed' : 'on a slow machine'}: ${test}`),
      ...findExpired(known, today).map(
        ({ test, since }) => `listed as flaky since ${since}, fix it: ${test}`,
      ),
      ...failures.map(failure => `failed: ${failure}`),
      ...(leftOut.length > 0 ? [`left out, the machine is too slow: ${leftOut.join(', ')}`] : []),
      `${passed} passed, ${failures.length} failed`,
    ],
  };
}
