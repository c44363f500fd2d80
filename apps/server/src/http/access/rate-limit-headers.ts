import type { RateDecision } from '../../kernel/rate-decision.ts';

/** The rate limit as every response under /v1 states it. */
export function rateLimitHeaders({ limit, remaining, resetAtSeconds }: RateDecision): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAtSeconds),
  };
}
