import type { Verdict } from '../kernel/sliding-windows.ts';

/** The rate limit as every answer under /v1 tells it. */
export function limitHeaders(verdict: Verdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.remaining),
    'x-ratelimit-reset': String(verdict.resetAtSeconds),
  };
}
