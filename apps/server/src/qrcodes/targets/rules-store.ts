import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CodeRules } from '../../rules/code-rules.ts';
import * as statements from '../statements.ts';
import { writeRuleTargets } from './targets.ts';

type CodeWithRules = { readonly id: Uuid; readonly routing: CodeRules; readonly usedUpAt?: Date | null };

/** Writes where a code leads by rules, in the transaction that creates or changes it. */
export async function writeRules(
  tx: Database,
  ids: Ids,
  { id, routing, usedUpAt = null }: CodeWithRules,
  before: CodeRules,
  now: Date,
): Promise<void> {
  const { rules, appendQuery } = routing;
  await tx.query(statements.updateRouting, [
    id,
    rules.length === 0 ? null : JSON.stringify(rules),
    routing.fallbackUrl,
    routing.startsAt,
    routing.expiresAt,
    routing.maxScans,
    usedUpAt,
    routing.forwardQuery,
    Object.keys(appendQuery).length === 0 ? null : JSON.stringify(appendQuery),
  ]);
  if (rules !== before.rules || routing.fallbackUrl !== before.fallbackUrl)
    await writeRuleTargets(tx, ids, id, before, routing, now);
}
