import { isHostOrBelow } from '../../kernel/addresses/hosts.ts';
import type { CodeFilter, ListOwner } from './filter.ts';

type Asked = Pick<CodeFilter, 'availability'> & {
  readonly owner: ListOwner;
  readonly unmarkedHosts: readonly string[];
};

/** The conditions under which `getAvailability` gives the state that is asked for to a code `c` of account $1. */
export function availabilityConditions(
  { owner, availability, unmarkedHosts }: Asked,
  put: (value: unknown) => string,
): readonly string[] {
  if (availability === undefined) return [];
  const { state, at } = availability;
  const none = ['false'];
  if (owner.suspension) return state === 'suspended' ? [] : none;
  const blocked = () =>
    `code_targets t join unnest(${put(unmarkedHosts)}::text[]) as b (host) on ${isHostOrBelow('t.host', 'b.host')}`;
  const hasUnmarked = unmarkedHosts.length > 0;
  if (state === 'suspended')
    return [
      `c.id in (${suspendedCodes} ${hasUnmarked ? `union all select t.qr_code_id from ${blocked()}` : ''})`,
    ];
  if (owner.heldSince ? state !== 'held' : state === 'held') return none;
  const isNotStopped = [
    'not exists (select from suspensions s where s.qr_code_id = c.id and s.released_at is null)',
    ...(hasUnmarked ? [`not exists (select from ${blocked()} where t.qr_code_id = c.id)`] : []),
  ];
  if (state === 'held') return isNotStopped;
  if (state === 'off') return [...isNotStopped, "c.status in ('paused', 'draft')"];
  const now = `${put(at)}::timestamptz`;
  const isBegun = `(c.starts_at is null or c.starts_at <= ${now})`;
  const isNotEnded = `(c.expires_at is null or c.expires_at > ${now})`;
  const conditions = {
    scheduled: [`c.starts_at > ${now}`],
    ended: [isBegun, `c.expires_at <= ${now}`],
    used_up: [isBegun, isNotEnded, 'c.used_up_at is not null'],
    live: [isBegun, isNotEnded, 'c.used_up_at is null'],
  }[state];
  return [...isNotStopped, "c.status = 'active'", ...conditions];
}

/** A subquery, since they are few: each is then looked up by its id. */
const suspendedCodes = `select s.qr_code_id from suspensions s
    where s.account_id = $1 and s.qr_code_id is not null and s.released_at is null`;
