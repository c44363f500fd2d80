import { browsers, devices } from '@signpost/contract/values.ts';
import type { Mode } from '../kernel/caller.ts';
import { type Uuid, zeroId } from '../kernel/ids.ts';

/** One scan as it is logged and stored: derived from a request, with nothing that identifies a person. */
export type Scan = {
  readonly id: Uuid;
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** ISO 3166 code of two letters; `XX` if unknown. */
  readonly country: string;
  /** Empty if unknown. */
  readonly region: string;
  readonly city: string;
  readonly device: Device;
  readonly browser: Browser;
  /** 128 bits in hex, hashed with the salt of the window: the same for the same visitor of an account within a window. */
  readonly visitor: string;
  /** The period in which the visitor counts once: `2026-11`, or `2026-11-15`. */
  readonly window: string;
} & AddedFields;

/** Fields that scans of older versions do not have; they have the defaults then. */
export type AddedFields = {
  /** The rule that chose the destination; zero: none did. */
  readonly ruleId: Uuid;
  /** The target that it led to; zero: the default one of the code. */
  readonly targetId: Uuid;
  /** Where the code was, as the owner named the place in its link. Empty if not named. */
  readonly placement: string;
  /** The language that the scanner prefers, without its region: `de`. Empty if unknown. */
  readonly language: string;
  /** Whether it was sent by a test and not made by a scanner. Only in test mode. */
  readonly sandbox: boolean;
};

export const defaultFields: AddedFields = {
  ruleId: zeroId,
  targetId: zeroId,
  placement: '',
  language: '',
  sandbox: false,
};

export { browsers, devices };
export type Device = (typeof devices)[number];
export type Browser = (typeof browsers)[number];

/** Scans that are appended to the log together. The id stays the same however often they are sent. */
export type ScanBatch = { readonly id: Uuid; readonly scans: readonly Scan[] };
