import type { Uuid } from '../kernel/ids.ts';

/** A host that an account prints on its codes. */
export type Domain = {
  readonly id: Uuid;
  readonly accountId: Uuid;
  /** Lower case, punycode, no trailing dot. */
  readonly host: string;
  /** Of the key space of its codes. */
  readonly tag: string;
  /** Released: its links answer 404, and work again when the host returns to the account. */
  readonly status: 'active' | 'released';
  /** Whether the dashboard preselects it. */
  readonly isDefault: boolean;
  /** Where the bare host leads; null: a page that says what the host is for. */
  readonly rootUrl: string | null;
  /** Where links lead that do not exist; null: a page that says so. */
  readonly notFoundUrl: string | null;
  /** Its codes, without deleted ones. */
  readonly codes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What can be changed of a domain. What is left out stays. */
export type DomainChange = {
  readonly rootUrl?: string | null | undefined;
  readonly notFoundUrl?: string | null | undefined;
  readonly isDefault?: true | undefined;
};

/** The two places where a domain leads by itself, as `domain_targets` names them. */
export const targetKinds = ['root', 'not_found'] as const;
export type TargetKind = (typeof targetKinds)[number];
