import type { ScanRecord, AccountScan as WireAccountScan } from '@signpost/contract';
import { formatId, type Uuid, zeroId } from '../kernel/ids.ts';
import type { AccountScan, StoredScan, Totals } from '../scans/stores/scan-queries.ts';

/** Scans grouped by some of their properties, most scans first. */
export type CountryCount = { readonly country: string; readonly scans: number };
export type CityCount = { readonly city: string; readonly country: string; readonly scans: number };
export type AgentCount = { readonly device: string; readonly browser: string; readonly scans: number };
/** Scans by the word that tells them apart. */
export type CountsByName = ReadonlyMap<string, number>;
export type CodeCount = { readonly qrCodeId: Uuid; readonly scans: number };

/** The figures of a summary, for a code or an account. */
export type SummaryFigures = {
  readonly totals: Totals;
  readonly countries: readonly CountryCount[];
  readonly cities: readonly CityCount[];
  readonly devices: CountsByName;
  readonly browsers: CountsByName;
};

/** Scans and visitors by where scans of a code led, and by where it is printed. */
export type TargetCount = Totals & { readonly targetId: Uuid };
export type PlacementCount = Totals & { readonly placement: string };

/** One point of a time series. */
export type SeriesPoint = Totals & { readonly date: string };

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
