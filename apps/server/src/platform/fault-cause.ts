/** What was seen, and what to do about it. */
export type Cause = {
  /** `away` may pass by itself: it is down, restarts, or recovers. `wrong` stays until somebody changes a setting. */
  readonly kind: 'away' | 'wrong';
  readonly seen: string;
  readonly cure: string;
};
