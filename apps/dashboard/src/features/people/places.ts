import type { Invitation, Member } from '@signpost/contract';

/** How many people of the plan are taken: members, and invitations that can still be accepted. */
export const usedPlaces = (
  members: readonly Pick<Member, 'id'>[],
  invitations: readonly Pick<Invitation, 'expired'>[],
): number => members.length + invitations.filter(({ expired }) => !expired).length;
