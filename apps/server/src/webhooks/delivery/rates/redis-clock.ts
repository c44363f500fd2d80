/** Translates times of Redis' clock to `performance.now`. */
export type RedisClock = {
  /** A time that Redis answered with, and when the request was sent and answered. */
  note(redisMs: number, sentMs: number, answeredMs: number): void;
  toLocal(redisMs: number): number;
};

/**
 * Redis read its clock between the request and the answer, which bounds the offset of the two clocks. The estimate moves
 * only as far as an answer proves it wrong, so an answer that was read late shifts nothing.
 */
export function createRedisClock(): RedisClock {
  let offsetMs: number | undefined;
  return {
    note(redisMs, sentMs, answeredMs) {
      const [min, max] = [redisMs - answeredMs, redisMs - sentMs];
      offsetMs = Math.min(Math.max(offsetMs ?? min, min), max);
    },
    toLocal: redisMs => redisMs - (offsetMs ?? 0),
  };
}
