/** Makes every redirect process forget these links. Resolves when all have. */
export type CacheInvalidator = { invalidate(keys: readonly string[]): Promise<void> };
