import type { Database } from './postgres.ts';

/** Does the work in a transaction and takes it back, so that a dry run says exactly what would happen. */
export async function rolledBack<Result>(
  on: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const rollback = new Error('a dry run');
  let outcome: { readonly result: Result } | undefined;
  try {
    await on.transaction(async tx => {
      outcome = { result: await work(tx) };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return outcome!.result;
}
