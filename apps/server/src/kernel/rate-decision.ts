/** Whether a rate limit lets a call through, and what the response headers tell the caller about it. */
export type RateDecision = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the whole limit is available again. */
  readonly resetAtSeconds: number;
  /** Whole seconds after which a refused call would be allowed; 0 when allowed. */
  readonly retryAfterSeconds: number;
};
