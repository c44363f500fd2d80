/** Moments of Redis' clock as moments of `performance.now`. */
export type RedisTime = {
  /** What Redis said the time was, in answer to a question of ours. */
  note(redisMs: number, askedMs: number, answeredMs: number): void;
  toLocal(redisMs: number): number;
};

/**
 * The difference of the two clocks lies between what it would be had Redis answered at the last moment and at the first.
 * It moves only as far as an answer proves it wrong, so that an answer that was read late shifts nothing.
 */
export function createRedisTime(): RedisTime {
  let aheadMs: number | undefined;
  return {
    note(redisMs, askedMs, answeredMs) {
      const [least, most] = [redisMs - answeredMs, redisMs - askedMs];
      aheadMs = Math.min(Math.max(aheadMs ?? least, least), most);
    },
    toLocal: redisMs => redisMs - (aheadMs ?? 0),
  };
}
