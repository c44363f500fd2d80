import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';

/** What a scanner's request needs to know of a code. */
export type Link = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly status: 'active' | 'paused' | 'draft' | 'deleted';
  /** The destination as the bytes of a header: UTF-8 read as Latin-1, which Node writes back byte for byte. */
  readonly location: string;
};

/** The form of a header value that carries these characters byte for byte. */
export const toLocation = (destinationUrl: string): string => Buffer.from(destinationUrl).toString('latin1');
