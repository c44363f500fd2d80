import { listIncludes } from '@signpost/contract/values.ts';
import { noisyPng } from '@signpost/testing/noisy-png.ts';
import type { HeavyAccount } from './heavy-account.ts';
import {
  codesPerCall,
  fullMetadata,
  heavyStyle,
  heavyText,
  largeCode,
  largestRules,
  placementItems,
  smallRule,
} from './heavy-account.ts';

/** A call as an account of the free plan may make it. */
export type Call = {
  readonly method: string;
  /** Below /v1, or a path of the dashboard. */
  readonly path: string;
  readonly body?: object;
  readonly by?: 'key' | 'session';
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that shows that the work was done. */
  readonly status?: number;
};

/** The heaviest calls of an operation, each under what makes it heavy. `run` is another number each time. */
export type Row = {
  readonly operation: string;
  readonly cases: Readonly<Record<string, (run: number) => Call>>;
  /** Runs also in CI, as the one case of its kind. */
  readonly inCi?: true;
};

const year = 'start_date=2026-01-01&end_date=2026-12-31';
const month = 'start_date=2026-09-01&end_date=2026-11-20';

const get = (path: string): Call => ({ method: 'GET', path });
const post = (path: string, body: object, status = 201): Call => ({ method: 'POST', path, body, status });
const bySession = (call: Call): Call => ({ ...call, by: 'session' });
const repeated = (call: Call): Call => ({ ...call, headers: { 'idempotency-key': crypto.randomUUID() } });

const letterOf = (run: number) => 'abcdefghijklmnopqrstuvwxyz'[run % 26]!;
const codes = (run: number, make: (index: number) => object) =>
  Array.from({ length: codesPerCall }, (_, index) => make(index + run * codesPerCall));

/** As many shapes as fit into 200 KiB. */
const largestSvg = (run: number, shape: string) => {
  const [head, tail] = [svgHead(run), '</svg>'];
  const room = 200 * 1024 - head.length - tail.length;
  return head + shape.repeat(Math.floor(room / shape.length)) + tail;
};
const svgHead = (run: number) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${100 + run} 100">`;
const deepSvg = () => `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(60_000)}`.slice(0, 200 * 1024);
const logo = (run: number) => noisyPng(2048, 480 * 1024, 1000 + run).toString('base64');

const widestLink = (run: number) => ({
  title: letterOf(run).repeat(100),
  start_date: '1970-01-01',
  end_date: '2099-12-31',
  timezone: 'America/Argentina/ComodRivadavia',
});

/** Every row; an operation of the contract that is heavy and has none fails the test. */
export function worstCalls({ ids, placed, assetId, designId }: HeavyAccount): readonly Row[] {
  const [first, second] = [ids[0]!, ids[9]!];
  const code = `/qrcodes/${first}`;
  const style = heavyStyle(assetId);
  const scans = `${code}/analytics`;
  const wholeCode = (run: number) => ({
    ...largeCode(run, `single-${run}`, { style }),
    metadata: fullMetadata(letterOf(run)),
    rules: largestRules(letterOf(run)),
    append_query: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`q${at}`, 'v'.repeat(500)])),
  });
  const { external_id: _, ...upserted } = wholeCode(0);
  return [
    { operation: 'createQrCode', cases: { 'rules of 64 KiB': run => post('/qrcodes', wholeCode(run)) } },
    {
      operation: 'updateQrCode',
      cases: {
        'rules of 64 KiB': run => ({
          method: 'PATCH',
          path: code,
          body: { rules: largestRules(letterOf(run)), metadata: fullMetadata(letterOf(run)) },
        }),
      },
    },
    {
      operation: 'upsertQrCode',
      cases: {
        'rules of 64 KiB': run => ({
          method: 'PUT',
          path: `/qrcodes/ext:upserted-${run}`,
          body: { ...upserted, rules: largestRules(letterOf(run)) },
          status: 201,
        }),
      },
    },
    {
      operation: 'listQrCodes',
      cases: {
        '100 codes with every field': () =>
          get(`/qrcodes?limit=100&sort=created&include=${listIncludes.join(',')}`),
        'fifty texts of metadata': () =>
          get(
            `/qrcodes?limit=100&${Object.entries(fullMetadata('m'))
              .map(([key, text]) => `metadata=${key}:${text.slice(0, 100)}`)
              .join('&')}`,
          ),
        'a search': () => get(`/qrcodes?limit=100&sort=name&search=${encodeURIComponent('a'.repeat(100))}`),
      },
    },
    { operation: 'getQrCode', cases: { '1,000 placements': () => get(code) } },
    {
      operation: 'bulkCreateQrCodes',
      inCi: true,
      cases: {
        '500 codes of 10 kB, each with a logo': run =>
          repeated(
            post(
              '/qrcodes/bulk',
              {
                items: codes(run, index =>
                  largeCode(index, `bulk-${run}`, { style: heavyStyle(assetId, index, 2) }),
                ),
              },
              200,
            ),
          ),
        '500 codes with rules': run =>
          post(
            '/qrcodes/bulk',
            {
              items: codes(run, index => ({
                name: heavyText(255),
                destination_url: 'https://example.com/',
                rules: [smallRule(index)],
              })),
            },
            200,
          ),
        '500 invalid codes': run =>
          post(
            '/qrcodes/bulk',
            {
              dry_run: true,
              items: codes(run, index => ({
                ...largeCode(index, 'bad'),
                nmae: 'x',
                short_code: '!',
                max_scans: 'many',
              })),
            },
            200,
          ),
      },
    },
    {
      operation: 'testRules',
      inCi: true,
      cases: {
        'rules of 64 KiB': run =>
          post(
            `${code}/rules/test`,
            {
              rules: largestRules(letterOf(run)),
              query: Array.from({ length: 500 }, (_, at) => `a${at}=`)
                .join('&')
                .slice(0, 2048),
              language: Array.from({ length: 80 }, (_, at) => `a${letterOf(at)};q=1`)
                .join(',')
                .slice(0, 500),
              city: 'Köln 1',
              country: 'DE',
            },
            200,
          ),
      },
    },
    {
      operation: 'bulkEditQrCodes',
      inCi: true,
      cases: {
        '500 codes with rules, full metadata, tags and a replaced destination': run => ({
          method: 'PATCH',
          path: '/qrcodes/bulk',
          body: {
            ids,
            set: {
              metadata: fullMetadata(letterOf(run)),
              note: letterOf(run).repeat(2000),
              destination_replace: run % 2 ? { find: 'aa', replace: 'cc' } : { find: 'cc', replace: 'aa' },
              tags_add: Array.from({ length: 10 }, (_, at) => `added-${run}-${at}`),
              tags_remove: Array.from({ length: 10 }, (_, at) => `added-${run - 1}-${at}`),
            },
          },
        }),
      },
    },
    {
      operation: 'bulkDeleteQrCodes',
      cases: {
        '500 codes, dry run': () =>
          post('/qrcodes/bulk-delete', { ids, expected_count: ids.length, dry_run: true }, 200),
      },
    },
    {
      operation: 'updateTag',
      cases: {
        'of 500 codes': run => ({
          method: 'PATCH',
          path: `/tags/${encodeURIComponent('first-1-'.padEnd(50, 't'))}`,
          body: { color: run % 2 ? 'red' : 'blue' },
        }),
      },
    },
    {
      operation: 'deleteTag',
      cases: {
        'of many codes': run => ({
          method: 'DELETE',
          path: `/tags/${encodeURIComponent(`first-${10 + (run % 60)}-`.padEnd(50, 't'))}`,
        }),
      },
    },
    { operation: 'listTags', cases: { '10,000 tags': () => get('/tags') } },
    {
      operation: 'createPlacement',
      cases: {
        'beside few': run =>
          post(`/qrcodes/${second}/placements`, { key: `one-${run}`, name: heavyText(80) }),
      },
    },
    {
      operation: 'bulkCreatePlacements',
      cases: {
        '1,000 placements': run =>
          repeated(
            post(`/qrcodes/${ids[20 + run]!}/placements/bulk`, { items: placementItems(`run-${run}`) }),
          ),
        '1,000 invalid ones': run =>
          post(
            `/qrcodes/${ids[20 + run]!}/placements/bulk`,
            { items: placementItems('Bad!').map(item => ({ ...item, nmae: 'x' })) },
            400,
          ),
      },
    },
    { operation: 'getAnalytics', cases: { '1,000 placements, 500 targets': () => get(`${scans}?${year}`) } },
    { operation: 'listScans', cases: { '500 scans': () => get(`${scans}/scans?${year}&limit=500`) } },
    {
      operation: 'getTimeseries',
      cases: { '2,000 hours': () => get(`${scans}/timeseries?${month}&interval=hour`) },
    },
    { operation: 'getWeekHours', cases: { 'a year': () => get(`${scans}/week-hours?${year}`) } },
    {
      operation: 'exportScans',
      cases: {
        csv: () => get(`${scans}/export?${year}`),
        json: () => get(`${scans}/export?${year}&format=json`),
      },
    },
    {
      operation: 'getAggregateAnalytics',
      cases: { '2,000 hours': () => get(`/analytics/aggregate?${month}&interval=hour`) },
    },
    { operation: 'getAggregateWeekHours', cases: { 'a year': () => get(`/analytics/week-hours?${year}`) } },
    { operation: 'listAccountScans', cases: { '500 scans': () => get('/analytics/scans?limit=500') } },
    { operation: 'exportAccountScans', cases: { csv: () => get(`/analytics/export?${year}`) } },
    {
      operation: 'createShareLink',
      cases: {
        'every section': run =>
          post('/share-links', { ...widestLink(run), sections: ['chart', 'map', 'codes'] }),
      },
    },
    {
      operation: 'createQrCodeShareLink',
      cases: {
        'every section': run =>
          post(`${code}/share-links`, {
            ...widestLink(run),
            sections: ['chart', 'map', 'placements', 'destinations'],
          }),
      },
    },
    { operation: 'listShareLinks', cases: { all: () => get('/share-links') } },
    {
      operation: 'createAsset',
      inCi: true,
      cases: {
        '2,048 pixels and 512 KiB': run => post('/assets', { image: logo(run) }),
        'an SVG of 2,000 shapes': run =>
          post('/assets', {
            image: logo(run + 100),
            vector: largestSvg(run, `<path d="M0 0${'h1'.repeat(45)}"/>`),
          }),
        'an SVG of one path': run =>
          post('/assets', {
            image: logo(run + 200),
            vector: `${svgHead(run)}<path d="M0 0${'h1'.repeat(102_000)}"/></svg>`,
          }),
        'a deep SVG': run => post('/assets', { image: logo(run + 300), vector: deepSvg() }, 400),
      },
    },
    { operation: 'listAssets', cases: { all: () => get('/assets') } },
    { operation: 'downloadAsset', cases: { png: () => get(`/assets/${assetId}/download`) } },
    {
      operation: 'createDesign',
      cases: {
        'logo, gradient and frame': run => ({
          ...post('/designs', {
            name: 'd'.repeat(100),
            style: heavyStyle(assetId, run),
            frame: { type: 'card', text: heavyText(40) },
          }),
        }),
      },
    },
    { operation: 'listDesigns', cases: { '100 designs': () => get('/designs') } },
    { operation: 'getDesign', cases: { one: () => get(`/designs/${designId}`) } },
    {
      operation: 'updateDesign',
      cases: {
        'logo, gradient and frame': run => ({
          method: 'PATCH',
          path: `/designs/${designId}`,
          body: { style: heavyStyle(assetId, run) },
        }),
      },
    },
    {
      operation: 'downloadQrCode',
      inCi: true,
      cases: Object.fromEntries(
        ['png', 'svg', 'pdf', 'eps'].map(format => [
          `${format} with logo, gradient and frame`,
          (run: number) =>
            get(
              `/qrcodes/${ids[30 + run]}/download?format=${format}&size=2048&frame=card&frame_text=${encodeURIComponent(heavyText(40))}`,
            ),
        ]),
      ),
    },
    {
      operation: 'createSheet',
      inCi: true,
      cases: {
        '500 codes, 10 copies, names of 255 letters': () =>
          post('/sheets', { qr_ids: ids, layout: 'avery-l7160', caption: 'name', copies: 10 }, 200),
        '5,000 placements': () =>
          post('/sheets', { qr_ids: placed, layout: 'avery-l7160', caption: 'name', placements: 'all' }, 200),
      },
    },
    {
      operation: 'zipImages',
      cases: {
        '500 codes of 2,048 pixels': () => post('/images/zip', { qr_ids: ids, size: 2048 }, 200),
        '500 codes as svg': () => post('/images/zip', { qr_ids: ids, format: 'svg' }, 200),
      },
    },
    {
      operation: 'listAudit',
      cases: { '200 events of bulks': () => bySession(get('/account/audit?limit=200')) },
    },
    {
      operation: 'listAuditEvents',
      inCi: true,
      cases: { '1,000 events of bulks of 500 codes': () => get('/audit-events?limit=1000') },
    },
    { operation: 'listKeys', cases: { all: () => bySession(get('/account/keys')) } },
    {
      operation: 'browseQrCodes',
      cases: { '100 codes': () => bySession(get('/account/qrcodes?limit=100&sort=name')) },
    },
    {
      operation: 'exportQrCodes',
      inCi: true,
      cases: { 'all codes': () => bySession(get('/account/qrcodes/export')) },
    },
    {
      operation: 'sendTestScans',
      cases: {
        '1,000 scans by as many visitors': () =>
          post('/test/scans', { qr_id: ids[0], count: 1000, unique: 1000 }, 200),
      },
    },
    { operation: 'listViews', cases: { all: () => bySession(get('/account/views')) } },
    {
      operation: 'createView',
      cases: {
        'the longest query': run =>
          bySession(post('/account/views', { name: `${run}`.padEnd(60, 'v'), query: 'q'.repeat(2000) })),
      },
    },
    {
      operation: 'getHistory',
      cases: { '100 edits of rules': () => bySession(get(`/account${code}/history?limit=100`)) },
    },
  ];
}
