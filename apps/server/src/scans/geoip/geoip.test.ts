import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mmdbFile } from '@signpost/testing/mmdb.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bundledGeoipFiles,
  type GeoIp,
  type GeoLocation,
  openGeoip,
  readLocations,
  unknownLocation,
} from './geoip.ts';
import { openMmdbFile } from './mmdb-file.ts';

test('files that stay on disk give the same locations as files in memory', async () => {
  const [inMemory, onDisk] = await Promise.all([
    openGeoip(bundledGeoipFiles()),
    openGeoip(bundledGeoipFiles(), openMmdbFile),
  ]);
  // Most of the space of IPv6 is empty: half of the addresses are taken from networks that providers use.
  const networks = ['2001', '2003', '2400', '2600', '2804', '2a00', '2a02'];
  const provider = fc
    .tuple(fc.constantFrom(...networks), fc.nat(0xffff), fc.nat(0xffff))
    .map(([network, a, b]) => `${network}:${a.toString(16)}:${b.toString(16)}::1`);
  let located = 0;
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), provider, fc.ipV6()), address => {
      const location = onDisk.locate(address);
      expect(location).toEqual(inMemory.locate(address));
      if (location.city !== '') located++;
    }),
    { numRuns: 3_000 },
  );
  expect(located).toBeGreaterThan(500);
});

test('every location that an address has is among those that the files are read for', async () => {
  const places = await openGeoip(bundledGeoipFiles(), openMmdbFile);
  const wanted = new Map(
    fc.sample(fc.ipV4(), { numRuns: 3_000, seed: 7 }).map(address => {
      const location = places.locate(address);
      return [JSON.stringify(location), location];
    }),
  );
  wanted.delete(JSON.stringify(unknownLocation));
  expect(wanted.size).toBeGreaterThan(500);
  await readLocations(bundledGeoipFiles(), ({ country, region, city }) =>
    wanted.delete(JSON.stringify({ country, region, city })),
  );
  expect([...wanted.values()]).toEqual([]);
}, 120_000);

describe('locations of the bundled files', () => {
  let places: GeoIp;
  beforeAll(async () => {
    places = await openGeoip(bundledGeoipFiles());
  });

  test.each([
    ['8.8.8.8', 'US', 'California', 'Mountain View'],
    ['193.0.6.139', 'NL', 'North Holland', 'Amsterdam'],
    ['2001:4860:4860::8888', 'CA', 'Quebec', 'Montreal'],
  ])('%s is in %s, %s, %s', (address, country, region, city) => {
    expect(places.locate(address)).toEqual({ country, region, city });
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.178.20',
    '169.254.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'FE80::1',
    '',
    'unknown',
    '8.8.8',
    '8.8.8.8, 1.1.1.1',
    '1'.repeat(5000),
  ])('%s has no location', address => {
    expect(places.locate(address)).toEqual(unknownLocation);
  });

  test('districts and streets, which the files write in brackets after a city, are removed', () => {
    const addresses = fc.sample(fc.ipV4(), { numRuns: 20_000, seed: 4 });
    const cities = addresses.map(address => places.locate(address).city);
    expect(cities.filter(city => city !== '').length).toBeGreaterThan(10_000);
    expect(cities.filter(city => /[([]/.test(city))).toEqual([]);
  });

  test('neighbours of private networks have locations', () => {
    for (const address of [
      '172.15.0.1',
      '172.32.0.1',
      '100.63.0.1',
      '100.128.0.1',
      '192.169.0.1',
      '11.0.0.1',
    ]) {
      expect(places.locate(address).country).not.toBe('XX');
    }
  });

  test('for any address, a location has a country of two letters, a region and a city, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), address => {
        const place = places.locate(address);
        expect(Object.keys(place).sort()).toEqual(['city', 'country', 'region']);
        expect(place.country).toMatch(/^[A-Z]{2}$/);
        expect(typeof place.region).toBe('string');
        expect(typeof place.city).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });
});

describe.each([
  ['in memory', undefined],
  ['on disk', openMmdbFile],
])("locations of the operator's file, %s", (_, openFile) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signpost-places-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function open(records: Parameters<typeof mmdbFile>[0]): Promise<GeoIp> {
    const file = join(folder, 'city.mmdb');
    await writeFile(file, mmdbFile(records));
    return openGeoip([file], openFile);
  }

  test('are read in the layout of GeoLite2 and GeoIP2 City, IPv4 and IPv6 from one file', async () => {
    const vienna = {
      country: { iso_code: 'AT', names: { en: 'Austria' } },
      subdivisions: [{ iso_code: '9', names: { de: 'Wien', en: 'Vienna' } }],
      city: { names: { de: 'Wien', en: 'Vienna' } },
      location: { latitude: 48.2049, longitude: 16.3662 },
      postal: { code: '1010' },
    };
    const places = await open({
      '192.0.2.0/24': vienna,
      '2001:db8::/32': vienna,
      '198.51.100.0/24': { country: { iso_code: 'JP' } },
      '203.0.113.0/24': { registered_country: { iso_code: 'FR' } },
      '10.0.0.0/8': vienna,
    });
    const expected = { country: 'AT', region: 'Vienna', city: 'Vienna' };
    expect(places.locate('192.0.2.200')).toEqual(expected);
    expect(places.locate('2001:db8:1::7')).toEqual(expected);
    expect(places.locate('198.51.100.1')).toEqual({ country: 'JP', region: '', city: '' });
    for (const address of ['203.0.113.1', '10.0.0.1', '8.8.8.8', '2001:db9::1']) {
      expect(places.locate(address)).toEqual(unknownLocation);
    }
  });

  test('are read in the flat layout too, and an invalid country is unknown', async () => {
    const places = await open({
      '192.0.2.0/24': {
        country_code: 'BR',
        state1: 'Bahia',
        city: 'Salvador (Barra (Farol))',
        latitude: -12.97,
      },
      '198.51.100.0/24': { country_code: 'ZZ', state1: '', city: '' },
      '203.0.113.0/24': { country_code: 'nowhere' },
    });
    expect(places.locate('192.0.2.1')).toEqual({ country: 'BR', region: 'Bahia', city: 'Salvador' });
    expect(places.locate('198.51.100.1')).toEqual(unknownLocation);
    expect(places.locate('203.0.113.1')).toEqual(unknownLocation);
  });

  test('are read one by one in both layouts, with what they do not use left out', async () => {
    const vienna = {
      subdivisions: [{ names: { de: 'Wien', en: 'Vienna' } }],
      city: { names: { en: 'Vienna' } },
    };
    await open({
      '192.0.2.0/24': {
        location: { latitude: 48.2049, accuracy_radius: 20 },
        country: { iso_code: 'AT', names: { en: 'Austria' } },
        ...vienna,
        traits: ['a', { city: 'none' }],
      },
      '198.51.100.0/24': { country_code: 'BR', state1: 'Bahia', city: 'Salvador (Barra)', latitude: -12.97 },
      '203.0.113.0/24': { country: { iso_code: 'JP' } },
      '2001:db8::/32': { description: 'x'.repeat(200), country_code: 'FR', city: 'y'.repeat(100) },
    });
    const found: GeoLocation[] = [];
    await readLocations([join(folder, 'city.mmdb')], location => found.push(location));
    expect(found).toEqual([
      { country: 'AT', region: 'Vienna', city: 'Vienna' },
      { country: 'BR', region: 'Bahia', city: 'Salvador' },
      { country: 'JP', region: '', city: '' },
      { country: 'FR', region: '', city: 'y'.repeat(100) },
    ]);
  });

  test('without a file every location is unknown; an invalid file is refused at start', async () => {
    expect((await openGeoip([])).locate('8.8.8.8')).toEqual(unknownLocation);
    const file = join(folder, 'broken.mmdb');
    await writeFile(file, 'not a database');
    await expect(openGeoip([file], openFile)).rejects.toThrow();
    await expect(openGeoip([join(folder, 'absent.mmdb')], openFile)).rejects.toThrow(/absent/);
  });
});
