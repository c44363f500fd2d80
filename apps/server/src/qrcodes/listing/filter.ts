import type { Caller } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Availability } from '../availability.ts';
import type { Owner, Status } from '../qr-code.ts';

/** Which codes a list has. */
export type CodeFilter = {
  readonly status?: Status | undefined;
  /** Archived codes only, or the others only; left out: both. */
  readonly archived?: boolean | undefined;
  readonly ids?: readonly Uuid[] | undefined;
  /** Names of tags, all of which a code must have. */
  readonly tags?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly externalId?: string | undefined;
  readonly shortCode?: string | undefined;
  /** The host of the domain that codes are on. */
  readonly domain?: string | undefined;
  /** In the form of `qr_codes.host`. */
  readonly host?: string | undefined;
  /** Texts that a code must have under these keys, all of them. */
  readonly metadata?: readonly (readonly [key: string, text: string])[] | undefined;
  /** As of a moment. */
  readonly availability?: { readonly state: Availability['state']; readonly at: Date } | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdBefore?: Date | undefined;
};

/** Whose codes, where their short codes are unique, and what stops them all. */
export type ListOwner = Owner & Pick<Caller, 'testTag' | 'suspension' | 'heldSince'>;

export type Sort = { readonly by: 'created' | 'name' | 'scans'; readonly direction: Direction };
export type Direction = 'asc' | 'desc';

/** The codes of a whole list, which are counted without being read: those of one status, all that are listed, or the archived. */
export type WholeList = Status | 'listed' | 'archived';

/** Which whole list a filter means; null where it has anything that codes are not counted by. */
export function findWholeList({ status, archived, ...rest }: CodeFilter): WholeList | null {
  const isFiltered =
    rest.ids !== undefined ||
    Object.values(rest).some(value => (Array.isArray(value) ? value.length > 0 : value !== undefined));
  if (isFiltered || archived === undefined) return null;
  if (!archived) return status ?? 'listed';
  return status === undefined ? 'archived' : null;
}
