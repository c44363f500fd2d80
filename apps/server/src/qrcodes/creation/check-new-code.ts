import type { Ids } from '../../kernel/ids.ts';
import { checkRules, noIds, withIds } from '../../rules/checks.ts';
import { type CodeRulesChange, noRules } from '../../rules/code-rules.ts';
import { type NewQrCode, refuseEmptyPeriod } from '../qr-code.ts';
import { checkAll, refuseUnscannable } from '../refusals.ts';
import { distinctTags } from '../tags/tag.ts';
import { checkDestinations, type OwnAddressCheck } from '../targets/destination.ts';
import { refuseReserved, refuseShort } from './short-code.ts';

type Parts = {
  readonly ids: Ids;
  readonly ownAddresses: OwnAddressCheck;
  readonly minCustomCodeLength: number;
};

/** Everything that can be said of a wanted code without the database. Throws what is wrong, all of it at once. */
export function checkNewCode(wanted: NewQrCode, { ids, ownAddresses, minCustomCodeLength }: Parts): void {
  const { shortCode, style, tags, routing } = wanted;
  checkAll([
    () => checkDestinations(wanted, ownAddresses),
    () => shortCode !== undefined && refuseChosen(shortCode, minCustomCodeLength),
    () => refuseUnscannable(style),
    () => distinctTags(tags ?? []),
    () => routing && checkNewRouting(routing, ids),
  ]);
}

/** A new code has no ids that could be sent back. */
function checkNewRouting(routing: CodeRulesChange, ids: Ids): void {
  checkRules(routing);
  withIds(routing.rules ?? [], noIds, ids);
  const { startsAt = null, expiresAt = null } = routing;
  refuseEmptyPeriod({ ...noRules, startsAt, expiresAt });
}

function refuseChosen(shortCode: string, minLength: number): void {
  refuseShort(shortCode, minLength);
  refuseReserved(shortCode);
}
