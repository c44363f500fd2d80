/**
 * How many answers short links gave with which status, and how soon: plain numbers that are counted up in place, since this is
 * on the way of every scan. Prometheus gets its form when it asks.
 */
export type AnswerTimes = {
  /** For `count`: microseconds in 32 bits, which need no memory of their own. They wrap around, and differences stay right. */
  now(): number;
  /** Once for each answer, when its head is written. */
  count(status: number, arrivedUs: number): void;
  /** By status: answers up to each bound and up to any time, and the sum of their seconds. */
  read(): readonly StatusTimes[];
};

export type StatusTimes = {
  readonly status: number;
  readonly upTo: readonly (readonly [boundSeconds: number, answers: number])[];
  readonly answers: number;
  readonly seconds: number;
};

/** 50 ms is the objective, so it is a bound. */
const boundsUs = [
  1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
];
const width = boundsUs.length + 1;

/** `statuses`: all that can be answered. */
export function createAnswerTimes(
  statuses: Iterable<number>,
  nowMs: () => number = () => performance.now(),
): AnswerTimes {
  const rows = [...new Set(statuses)].sort((a, b) => a - b);
  const rowOf = new Uint8Array(600);
  for (const [row, status] of rows.entries()) rowOf[status] = row;
  const counts = new Float64Array(rows.length * width);
  const sumsUs = new Float64Array(rows.length);
  const now = () => (nowMs() * 1_000) | 0;
  return {
    now,
    count(status, arrivedUs) {
      const tookUs = (now() - arrivedUs) | 0;
      const row = rowOf[status]!;
      let bucket = 0;
      while (bucket < boundsUs.length && tookUs > boundsUs[bucket]!) bucket++;
      counts[row * width + bucket]! += 1;
      sumsUs[row]! += tookUs;
    },
    read: () =>
      rows.map((status, row) => {
        let answers = 0;
        const upTo = boundsUs.map((boundUs, bucket) => {
          answers += counts[row * width + bucket]!;
          return [boundUs / 1e6, answers] as const;
        });
        answers += counts[row * width + boundsUs.length]!;
        return { status, upTo, answers, seconds: sumsUs[row]! / 1e6 };
      }),
  };
}
