import type { Caller } from '../../kernel/caller.ts';
import type { Owner, Status } from '../qr-code.ts';

/** Which codes a list has. */
export type CodeFilter = {
  readonly status?: Status | undefined;
  /** Names of tags, all of which a code must have. */
  readonly tags?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly externalId?: string | undefined;
  readonly shortCode?: string | undefined;
  /** In the form of `qr_codes.host`. */
  readonly host?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdBefore?: Date | undefined;
};

/** Whose codes, and where their short codes are unique. */
export type ListOwner = Owner & Pick<Caller, 'testTag'>;

export type Sort = { readonly by: 'created' | 'name' | 'scans'; readonly direction: Direction };
export type Direction = 'asc' | 'desc';

/** Whether it has anything besides a status, by which codes are counted anyway. */
export const isFiltered = ({ status: _status, ...rest }: CodeFilter): boolean =>
  Object.values(rest).some(value => (Array.isArray(value) ? value.length > 0 : value !== undefined));
