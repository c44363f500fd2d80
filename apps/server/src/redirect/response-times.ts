/**
 * How many responses short links gave by status, and how long each took. Plain numbers are counted in place, since every
 * scan passes here; Prometheus gets its form when it scrapes.
 */
export type ResponseTimes = {
  /** For `record`: microseconds in 32 bits, which are not allocated on the heap. They wrap around; differences stay right. */
  now(): number;
  /** Once for each response, when its head is written. */
  record(status: number, arrivedUs: number): void;
  /** By status: cumulative buckets, the number of responses and the sum of their seconds. */
  read(): readonly StatusTimes[];
};

type StatusTimes = {
  readonly status: number;
  readonly buckets: readonly (readonly [boundSeconds: number, responses: number])[];
  readonly responses: number;
  readonly seconds: number;
};

/** 50 ms is the objective, so it is a bucket. */
const boundsUs = [
  1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
];
const width = boundsUs.length + 1;

/** `statuses`: every status that can occur. */
export function createResponseTimes(
  statuses: Iterable<number>,
  nowMs: () => number = () => performance.now(),
): ResponseTimes {
  const rows = [...new Set(statuses)].sort((a, b) => a - b);
  const rowOf = new Uint8Array(600);
  for (const [row, status] of rows.entries()) rowOf[status] = row;
  const counts = new Float64Array(rows.length * width);
  const sumsUs = new Float64Array(rows.length);
  const now = () => (nowMs() * 1_000) | 0;
  return {
    now,
    record(status, arrivedUs) {
      const tookUs = (now() - arrivedUs) | 0;
      const row = rowOf[status]!;
      let bucket = 0;
      while (bucket < boundsUs.length && tookUs > boundsUs[bucket]!) bucket++;
      counts[row * width + bucket]! += 1;
      sumsUs[row]! += tookUs;
    },
    read: () =>
      rows.map((status, row) => {
        let responses = 0;
        const buckets = boundsUs.map((boundUs, bucket) => {
          responses += counts[row * width + bucket]!;
          return [boundUs / 1e6, responses] as const;
        });
        responses += counts[row * width + boundsUs.length]!;
        return { status, buckets, responses, seconds: sumsUs[row]! / 1e6 };
      }),
  };
}
