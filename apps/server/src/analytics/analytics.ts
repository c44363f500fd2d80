import type { ScanRecord, AccountScan as WireAccountScan } from '@signpost/contract';
import type { Mode } from '../kernel/caller.ts';
import { formatId, type Uuid, zeroId } from '../kernel/ids.ts';

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

export type Totals = { readonly scans: number; readonly visitors: number };

/** Scans grouped by some of their properties, most scans first. */
export type CountryCount = { readonly country: string; readonly scans: number };
export type CityCount = { readonly city: string; readonly country: string; readonly scans: number };
export type AgentCount = { readonly device: string; readonly browser: string; readonly scans: number };
export type CodeCount = { readonly qrCodeId: Uuid; readonly scans: number };

/** The figures of a summary, for a code or an account. */
export type SummaryFigures = {
  readonly totals: Totals;
  readonly countries: readonly CountryCount[];
  readonly cities: readonly CityCount[];
  readonly agents: readonly AgentCount[];
};

/** Scans and visitors by where scans of a code led, and by where it is printed. */
export type TargetCount = Totals & { readonly targetId: Uuid };
export type PlacementCount = Totals & { readonly placement: string };

/** One point of a time series. */
export type SeriesPoint = Totals & { readonly date: string };

/** Scans at an hour of the week, from 0 for Monday at midnight to 167. */
export type WeekHourCount = { readonly hourOfWeek: number; readonly scans: number };

/** A scan as stored in ClickHouse. */
export type StoredScan = {
  readonly id: Uuid;
  readonly atMs: number;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly device: string;
  readonly browser: string;
  readonly isUnique: boolean;
  readonly language: string;
  readonly targetId: Uuid;
  readonly ruleId: Uuid;
  readonly placement: string;
};

/** A scan of any code of an account. */
export type AccountScan = StoredScan & { readonly qrCodeId: Uuid };

export function presentAccountScan(scan: AccountScan): WireAccountScan {
  const { id, ...rest } = presentScan(scan);
  return { id, qr_id: formatId('qr', scan.qrCodeId), ...rest };
}

/** A scan as the API shows it: in lists, in exports and in the live feed. */
export const presentScan = (scan: StoredScan): ScanRecord => ({
  id: formatId('scan', scan.id),
  timestamp: new Date(scan.atMs).toISOString(),
  country: scan.country,
  region: scan.region,
  city: scan.city,
  device: scan.device,
  browser: scan.browser,
  is_unique: scan.isUnique,
  language: scan.language,
  target_id: scan.targetId === zeroId ? '' : formatId('tgt', scan.targetId),
  rule_id: scan.ruleId === zeroId ? '' : formatId('rul', scan.ruleId),
  placement: scan.placement,
});

/** Scans per calendar day, to one decimal. */
export const dailyAverage = (scans: number, days: number) => Math.round((scans / days) * 10) / 10;
