import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';

/** The properties of a scan that a query can ask for, by the names of their columns. */
export const filterNames = [
  'country',
  'city',
  'device',
  'browser',
  'target_id',
  'rule_id',
  'placement',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = { readonly [Name in FilterName]?: string | undefined };

/** The scans that a query covers: of one code, of some codes, or of all codes of an account in a mode. */
export type Scope = {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly qrCodeId?: Uuid;
  /** Only these codes of the account. */
  readonly codes?: readonly Uuid[];
  /** Deleted codes whose scans may still be stored; not counted. */
  readonly excludedCodes?: readonly Uuid[];
  /** Only scans with all of these values. */
  readonly filters?: Filters;
};

export const filteredNames = ({ filters = {} }: Scope): readonly FilterName[] =>
  filterNames.filter(name => filters[name] !== undefined);
