import type { ScanRecord } from '@signpost/contract';
import type { Mode } from '../kernel/caller.ts';
import { formatId, type Uuid } from '../kernel/ids.ts';

/** Whose scans a question is about: one code, or all codes of an account in a mode. */
export type Scope = {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly qrCodeId?: Uuid;
  /** Deleted codes whose scans may still be there; not counted. */
  readonly without?: readonly Uuid[];
};

export type Totals = { readonly scans: number; readonly visitors: number };

/** Scans by some of their properties, most scans first. */
export type CountryCount = { readonly country: string; readonly scans: number };
export type CityCount = { readonly city: string; readonly country: string; readonly scans: number };
export type ToolCount = { readonly device: string; readonly browser: string; readonly scans: number };
export type CodeCount = { readonly qrCodeId: Uuid; readonly scans: number };

/** What a summary tells, of a code or of an account. */
export type Figures = {
  readonly totals: Totals;
  readonly countries: readonly CountryCount[];
  readonly cities: readonly CityCount[];
  readonly tools: readonly ToolCount[];
};

/** One entry of a series. */
export type Entry = Totals & { readonly date: string };

/** A scan as it is kept. */
export type StoredScan = {
  readonly id: Uuid;
  readonly atMs: number;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly device: string;
  readonly browser: string;
  readonly isUnique: boolean;
};

/** A scan as callers see it: in lists, in exports, and as it comes in. */
export const presentScan = (scan: StoredScan): ScanRecord => ({
  id: formatId('scan', scan.id),
  timestamp: new Date(scan.atMs).toISOString(),
  country: scan.country,
  region: scan.region,
  city: scan.city,
  device: scan.device,
  browser: scan.browser,
  is_unique: scan.isUnique,
});

/** Scans a calendar day, to one decimal. */
export const dailyAverage = (scans: number, days: number) => Math.round((scans / days) * 10) / 10;
