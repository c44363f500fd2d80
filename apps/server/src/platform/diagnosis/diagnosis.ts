/** Why an engine cannot be used, for an operator: what was found, and what to do about it. */
export type Diagnosis = {
  /**
   * An `outage` may pass by itself: the engine is down, restarts or recovers. A `misconfiguration` stays until somebody
   * changes a setting.
   */
  readonly kind: 'outage' | 'misconfiguration';
  readonly finding: string;
  readonly remedy: string;
};

export const outage = (finding: string, remedy: string): Diagnosis => ({ kind: 'outage', finding, remedy });

export const misconfiguration = (finding: string, remedy: string): Diagnosis => ({
  kind: 'misconfiguration',
  finding,
  remedy,
});
