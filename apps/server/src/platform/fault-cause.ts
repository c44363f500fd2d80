/** What was seen, and what to do about it. */
export type Cause = {
  /** `away` may pass by itself: it is down, restarts, or recovers. `wrong` stays until somebody changes a setting. */
  readonly kind: 'away' | 'wrong';
  readonly seen: string;
  readonly cure: string;
};

export const wrong = (seen: string, cure: string): Cause => ({ kind: 'wrong', seen, cure });
export const away = (seen: string, cure: string): Cause => ({ kind: 'away', seen, cure });
