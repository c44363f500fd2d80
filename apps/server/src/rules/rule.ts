import { weekdays } from '@signpost/contract/values.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Browser, Device } from '../scans/scan.ts';

/** Sends some of the scanners of a code elsewhere. Rules are tried in order, and the first that applies decides. */
export type Rule = {
  readonly id: Uuid;
  readonly name: string;
  readonly active: boolean;
  /** All of them must hold; with none the rule always applies. */
  readonly when: Conditions;
  /** The rule does not apply where all of these hold; with none this has no effect. */
  readonly unless: Conditions;
  /** More than one: scanners are split between them by weight. */
  readonly to: readonly RuleTarget[];
};

export type RuleTarget = {
  readonly id: Uuid;
  readonly url: string;
  readonly weight: number;
  readonly label: string;
};

/** Each condition that is given must hold. A list holds where one of its values does. */
export type Conditions = {
  readonly device?: readonly Device[];
  readonly browser?: readonly Browser[];
  /** ISO 3166 codes; `XX` is an unknown country. */
  readonly country?: readonly string[];
  readonly region?: readonly { readonly country: string; readonly region: string }[];
  readonly city?: readonly { readonly country: string; readonly city: string; readonly region?: string }[];
  /** Ranges of RFC 4647, such as `de` or `pt-BR`. */
  readonly language?: readonly string[];
  readonly time?: { readonly timezone: string; readonly windows: readonly TimeWindow[] };
  readonly date?: { readonly from?: string; readonly until?: string };
  readonly query?: readonly { readonly name: string; readonly value?: string }[];
  readonly placement?: readonly string[];
};

export { weekdays };

type Weekday = (typeof weekdays)[number];

/**
 * From `from` up to, not including, `to`, as `HH:MM`. Where `to` is not later than `from` the window runs past midnight and
 * belongs to the day on which it began.
 */
export type TimeWindow = {
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
};

/** What rules decide by. Each part is worked out when a condition asks for it, and at most once. */
export type Scanner = {
  readonly atMs: number;
  readonly device: Device;
  readonly browser: Browser;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** The languages that the scanner weighs highest, in lower case with their regions; empty if unknown. */
  readonly languages: readonly string[];
  /** The decoded query of the short link. */
  readonly query: URLSearchParams;
  /** The registered placement that the link names; otherwise empty. */
  readonly placement: string;
  /** The 16 bytes that identify the visitor within the window. */
  readonly visitor: Uint8Array;
};
