import { operatorPermission } from '@signpost/contract';
import { formatId, type Uuid } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, warning } from './finding.ts';

type OperatorKey = { readonly id: Uuid; readonly expiresAt: Date | null; readonly endsSoon: boolean };

/** Whether operator keys end, and none of them will do so unnoticed. */
export async function checkKeys({ postgres }: Pick<DoctorContext, 'postgres'>): Promise<readonly Outcome[]> {
  if (!('db' in postgres)) return [notChecked('PostgreSQL cannot be reached')];
  try {
    return assessKeys(await postgres.db.query<OperatorKey>(findOperatorKeys, [operatorPermission]));
  } catch (error) {
    return [warning(describeError(error), 'Run `signpost migrate`, then run this again.')];
  }
}

function assessKeys(keys: readonly OperatorKey[]): readonly Outcome[] {
  if (keys.length === 0) return [ok('there is no operator key')];
  const list = (some: readonly OperatorKey[]) => some.map(({ id }) => formatId('key', id)).join(', ');
  const endless = keys.filter(({ expiresAt }) => expiresAt === null);
  const ending = keys.filter(({ endsSoon }) => endsSoon);
  const outcomes: Outcome[] = [];
  if (endless.length > 0)
    outcomes.push(
      warning(
        `operator keys that never expire: ${list(endless)}`,
        'Create each again with `signpost admin create-key --operator ACCOUNT --expires DATE`, and revoke the old one.',
      ),
    );
  if (ending.length > 0)
    outcomes.push(
      warning(
        `operator keys that expire within 14 days: ${list(ending)}`,
        'Create new ones with `signpost admin create-key --operator ACCOUNT --expires DATE`, and give them to the platforms.',
      ),
    );
  return outcomes.length > 0 ? outcomes : [ok(`operator keys: ${keys.length}, and each of them expires`)];
}

const findOperatorKeys = sql(
  'doctor-operator-keys',
  `select id, expires_at as "expiresAt", coalesce(expires_at < now() + interval '14 days', false) as "endsSoon"
     from api_keys
    where revoked_at is null and $1 = any(scopes) and (expires_at is null or expires_at > now())
    order by id limit 20`,
);
