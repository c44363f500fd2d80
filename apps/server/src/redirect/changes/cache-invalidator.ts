/** Makes every redirect process forget these links. Resolves when all have. */
export type CacheInvalidator = { invalidate(keys: readonly string[]): Promise<void> };

export type NumberingInvalidator = CacheInvalidator & {
  /** The same. Resolves to whether the change has a number, by which a process that missed it finds it. */
  number(keys: readonly string[]): Promise<boolean>;
};
