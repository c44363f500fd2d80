import type { IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createClientAddress } from '../kernel/addresses/client-address.ts';
import { createIds, toIdBytes, zeroId } from '../kernel/ids.ts';
import { createEnricher, type Enricher, type Hit } from './enrich.ts';
import { bundledGeoipFiles, type GeoIp, openGeoip } from './geoip/geoip.ts';
import { decodeBatch, openBatch } from './log/format/batch.ts';
import { defaultFields, type Scan } from './scan.ts';
import { createSaltBytes, toSalt } from './visitor.ts';

const link = {
  qrCodeId: '0199a6c0-0000-7000-8000-000000000001',
  accountId: '0199a6c0-0000-7000-8000-000000000002',
  mode: 'live',
} as const;
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const atMs = Date.UTC(2026, 10, 15, 12);
const salt = toSalt(createSaltBytes());
const ids = createIds({ now: () => new Date() });

let geoip: GeoIp;
let enricher: Enricher;
beforeAll(async () => {
  geoip = await openGeoip(bundledGeoipFiles());
  enricher = createEnricher({ geoip, salts: { of: () => salt }, ids, windowKind: 'month' });
});

const hit = (more: Partial<Hit> = {}): Hit => ({
  link: { ...link, idBytes: toIdBytes(link.qrCodeId, link.accountId) },
  method: 'GET',
  headers: {
    'user-agent': iphone,
    'sec-fetch-dest': 'document',
    'accept-language': 'de-AT,de;q=0.9,en;q=0.8',
  },
  address: '8.8.8.8',
  atMs,
  ...more,
});
const toScan = (more?: Partial<Hit>, by: Enricher = enricher): Scan => {
  const scan = by.toScan(hit(more));
  if (typeof scan === 'string') throw new Error(`not counted: ${scan}`);
  const batch = openBatch(1);
  batch.add(scan);
  const decoded = decodeBatch(batch.close(ids.next()).bytes);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.batch.scans[0]!;
};

describe('enrichment', () => {
  test('turns a hit into a scan with location, device and visitor, and nothing that identifies a person', () => {
    const scan = toScan();
    expect(scan).toEqual({
      ...link,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      atMs,
      country: 'US',
      region: 'California',
      city: 'Mountain View',
      device: 'ios',
      browser: 'safari',
      visitor: expect.stringMatching(/^[0-9a-f]{32}$/),
      window: '2026-11',
      ...defaultFields,
      language: 'de',
    });
    expect(JSON.stringify(scan)).not.toContain('8.8.8.8');
    expect(JSON.stringify(scan)).not.toContain('iPhone');
  });

  test.each([
    ['method', { method: 'HEAD' }],
    ['prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
    ['embed', { headers: { 'sec-fetch-dest': 'image' } }],
    ['link_preview', { headers: { 'user-agent': 'Twitterbot/1.0' } }],
    ['crawler', { headers: { 'user-agent': 'Googlebot/2.1' } }],
  ] as const)('a hit that is no scan ends with its reason: %s', (reason, more) => {
    expect(enricher.toScan(hit(more))).toBe(reason);
    expect(enricher.toScan(hit(more))).toBe(reason);
  });

  test.each([
    ['de-AT,en;q=0.5', 'de'],
    ['en;q=0.3, FR-ca;q=0.9', 'fr'],
    ['*', ''],
    ['*, es;q=0.1', 'es'],
    ['de;q=0', ''],
    ['', ''],
    ['<script>', ''],
    [`${'x,'.repeat(10_000)}`, 'x'],
  ])('the language of %j is %j, and nothing else of the header is in the scan', (header, language) => {
    expect(toScan({ headers: { 'user-agent': iphone, 'accept-language': header } }).language).toBe(language);
  });

  test('every scan has its own id, and the same visitor keeps the same id', () => {
    const scans = Array.from({ length: 100 }, () => toScan());
    expect(new Set(scans.map(scan => scan.id)).size).toBe(100);
    expect(new Set(scans.map(scan => scan.visitor)).size).toBe(1);
  });

  test('a scan belongs to the window of its own time, whatever came before', () => {
    const daily = createEnricher({ geoip, salts: { of: () => salt }, ids, windowKind: 'day' });
    const day = 24 * 60 * 60 * 1000;
    const windows = [0, day, -day, 0.49 * day, 0.51 * day].map(
      shift => toScan({ atMs: atMs + shift }, daily).window,
    );
    expect(windows).toEqual(['2026-11-15', '2026-11-16', '2026-11-14', '2026-11-15', '2026-11-16']);
  });

  test('each window uses its own salt', () => {
    const byWindow = new Map(['2026-11', '2026-12'].map(window => [window, toSalt(createSaltBytes())]));
    const salted = createEnricher({
      geoip,
      salts: { of: name => byWindow.get(name)! },
      ids,
      windowKind: 'month',
    });
    const december = Date.UTC(2026, 11, 1);
    const visitors = [atMs, december, atMs, december].map(at => toScan({ atMs: at }, salted).visitor);
    expect(visitors[0]).toBe(visitors[2]);
    expect(visitors[1]).toBe(visitors[3]);
    expect(visitors[0]).not.toBe(visitors[1]);
  });

  test('without the shared salt a scan still has a visitor, which is counted as valid in this process only', () => {
    let withoutSalt = 0;
    const saltless = () =>
      createEnricher({
        geoip,
        salts: { of: () => null },
        ids,
        windowKind: 'month',
        onVisitorWithoutSalt: () => withoutSalt++,
      });
    const [one, other] = [saltless(), saltless()];
    expect(toScan({}, one).visitor).toBe(toScan({}, one).visitor);
    expect(toScan({}, one).visitor).not.toBe(toScan({}, other).visitor);
    expect(withoutSalt).toBe(4);
  });
});

/** Headers by which proxies, networks and browsers state, or forge, who and where a client is. */
const forgeable = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'cf-ipcountry',
  'cf-ipcity',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-appengine-user-ip',
  'x-appengine-country',
  'x-azure-clientip',
  'x-vercel-forwarded-for',
  'x-vercel-ip-country',
  'x-vercel-ip-city',
  'cloudfront-viewer-address',
  'cloudfront-viewer-country',
  'x-plausible-ip',
  'b-forwarded-for',
  'via',
  'client-ip',
  'remote-addr',
  'sec-ch-ua',
  'sec-ch-ua-platform',
  'sec-ch-ua-mobile',
  'sec-ch-ua-model',
  'cookie',
  'dnt',
  'x-device-user-agent',
  'x-original-user-agent',
  'x-operamini-phone-ua',
] as const;

describe('forged headers', () => {
  const clientAddress = createClientAddress([]);
  const forged = fc.dictionary(
    fc.constantFrom(...forgeable),
    fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.tuple(fc.ipV4(), fc.ipV4()).map(pair => pair.join(', ')),
      fc.ipV4().map(address => `for=${address};proto=https;by=203.0.113.43`),
      fc.constantFrom('DE', 'Berlin', '"Android"', '?1', '"Chromium";v="141"', 'unknown', '127.0.0.1'),
      fc.string(),
    ),
    { minKeys: 1, maxKeys: forgeable.length },
  );

  test.each(['8.8.8.8', '2001:4860:4860::8888'])(
    '200 sets of them change neither place, device nor visitor of %s when no proxy is trusted',
    socket => {
      const { id: _, ...honest } = toScan({ address: clientAddress(socket, undefined) });
      const used = new Set<string>();
      fc.assert(
        fc.property(forged, headers => {
          for (const name of Object.keys(headers)) used.add(name);
          const address = clientAddress(socket, headers['x-forwarded-for']);
          const { id, ...scan } = toScan({ address, headers: { ...hit().headers, ...headers } });
          expect(scan).toEqual(honest);
        }),
        { numRuns: 200 },
      );
      expect(used.size).toBe(forgeable.length);
    },
  );

  test('enrichment reads the user agent, the language, the purpose and the kind of request, and no other header', () => {
    const read = new Set<string>();
    const headers: IncomingHttpHeaders = new Proxy(
      { 'user-agent': iphone },
      {
        get(target, name) {
          read.add(String(name));
          return Reflect.get(target, name);
        },
        ownKeys() {
          throw new Error('all headers were listed');
        },
      },
    );
    toScan({ headers });
    expect([...read].sort()).toEqual([
      'accept-language',
      'purpose',
      'sec-fetch-dest',
      'sec-purpose',
      'user-agent',
      'x-moz',
      'x-purpose',
    ]);
  });
});

describe('the scanner of a code with rules', () => {
  const seen = (more: Partial<Hit> = {}, query = '', placement = '') =>
    enricher.createScanner({ ...hit(more), query, placement });
  const decodedOf = (scan: ReturnType<Enricher['toRoutedScan']>): Scan => {
    if (typeof scan === 'string') throw new Error(`not counted: ${scan}`);
    const batch = openBatch(1);
    batch.add(scan);
    const decoded = decodeBatch(batch.close(ids.next()).bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    return decoded.batch.scans[0]!;
  };

  test('is what the scan is filed under', () => {
    const scanner = seen({}, 'a=1&b=%C3%A4', 'till');
    const scan = toScan();
    const { device, browser, country, region, city, atMs: at, placement } = scanner;
    expect({ device, browser, country, region, city, atMs: at }).toEqual({
      device: scan.device,
      browser: scan.browser,
      country: scan.country,
      region: scan.region,
      city: scan.city,
      atMs: scan.atMs,
    });
    expect([placement, scanner.languages, scanner.query.get('b')]).toEqual(['till', ['de-at'], 'ä']);
    expect(scanner.visitor.toString('hex')).toBe(scan.visitor);
    expect(scanner.query).toBe(scanner.query);
  });

  test.each([true, false])('is recorded with its route; a rule has looked at the visitor: %s', hasLooked => {
    const route = { ruleId: ids.next(), targetId: ids.next() };
    const scanner = seen({}, '', 'till');
    if (hasLooked) expect(scanner.visitor).toHaveLength(16);
    const routed = decodedOf(
      enricher.toRoutedScan(scanner, { idBytes: toIdBytes(route.ruleId, route.targetId) }),
    );
    const plain = toScan();
    expect(routed).toEqual({ ...plain, id: routed.id, ...route, placement: 'till' });
    // Nothing of it is in the next one.
    expect(toScan()).toMatchObject({ ruleId: zeroId, targetId: zeroId, placement: '' });
  });

  test('for which no rule decided is recorded without a route', () => {
    const routed = decodedOf(enricher.toRoutedScan(seen(), { idBytes: null }));
    expect(routed).toEqual({ ...toScan(), id: routed.id });
  });

  test('that is no scan is not recorded', () => {
    expect(enricher.toRoutedScan(seen({ method: 'HEAD' }), { idBytes: null })).toBe('method');
  });
});
