import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { LinkRules } from '../../rules/link-rules.ts';

export const linkStatuses = ['active', 'paused', 'draft', 'deleted'] as const;

/** What a redirect needs to know about a code. */
export type Link = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  /** Both ids as bytes, 16 each, as scans hold them. */
  readonly idBytes: Uint8Array;
  readonly mode: Mode;
  readonly status: (typeof linkStatuses)[number];
  /** Stopped for safety, whatever status its owner has set. */
  readonly suspended: boolean;
  /** The destination as the Location header carries it. */
  readonly location: string;
  /** The host of the destination, in the form that blocked hosts are stored in. */
  readonly host: string;
  /** Null for a code that always leads to its destination: most do, and it costs them nothing. */
  readonly routing: LinkRules | null;
};
