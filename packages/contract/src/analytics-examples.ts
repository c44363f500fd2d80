/** Real answers about a seeded account. Written by `UPDATE_EXAMPLES=1` of the test that holds them to be so. */
export const analyticsExamples = {
  summary: {
    qr_id: 'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
    period: {
      start: '2026-03-02T00:00:00Z',
      end: '2026-03-08T23:59:59Z',
    },
    summary: {
      total_scans: 40,
      unique_visitors: 32,
      avg_daily_scans: 5.7,
    },
    top_countries: [
      {
        country: 'DE',
        scans: 29,
      },
      {
        country: 'XX',
        scans: 6,
      },
      {
        country: 'AT',
        scans: 5,
      },
    ],
    top_cities: [
      {
        city: 'Munich',
        country: 'DE',
        scans: 18,
      },
      {
        city: 'Berlin',
        country: 'DE',
        scans: 11,
      },
      {
        city: '',
        country: 'XX',
        scans: 6,
      },
      {
        city: 'Vienna',
        country: 'AT',
        scans: 5,
      },
    ],
    devices: {
      ios: 16,
      android: 16,
      desktop: 8,
      other: 0,
    },
    browsers: {
      safari: 16,
      chrome: 8,
      samsung_browser: 8,
      firefox: 8,
      edge: 0,
      other: 0,
    },
  },
  scans: {
    data: [
      {
        id: 'scan_01kk7rj2qme00800000000002r',
        timestamp: '2026-03-08T22:19:50.900Z',
        country: 'DE',
        region: 'Berlin',
        city: 'Berlin',
        device: 'desktop',
        browser: 'firefox',
        is_unique: true,
      },
      {
        id: 'scan_01kk75q8kpe00800000000002p',
        timestamp: '2026-03-08T16:50:37.814Z',
        country: 'DE',
        region: 'Bavaria',
        city: 'Munich',
        device: 'android',
        browser: 'chrome',
        is_unique: false,
      },
    ],
    pagination: {
      page: 1,
      limit: 2,
      total: 40,
      total_pages: 20,
    },
  },
  series: {
    qr_id: 'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
    interval: 'day',
    data: [
      {
        date: '2026-03-02',
        total_scans: 5,
        unique_visitors: 5,
      },
      {
        date: '2026-03-03',
        total_scans: 6,
        unique_visitors: 6,
      },
      {
        date: '2026-03-04',
        total_scans: 5,
        unique_visitors: 5,
      },
      {
        date: '2026-03-05',
        total_scans: 7,
        unique_visitors: 7,
      },
      {
        date: '2026-03-06',
        total_scans: 5,
        unique_visitors: 5,
      },
      {
        date: '2026-03-07',
        total_scans: 6,
        unique_visitors: 6,
      },
      {
        date: '2026-03-08',
        total_scans: 6,
        unique_visitors: 6,
      },
    ],
  },
  csv: 'id,timestamp,country,region,city,device,browser,is_unique\r\nscan_01kjrervh8e008000000000006,2026-03-02T23:40:10.664Z,XX,,,android,chrome,true\r\nscan_01kjqvy1dae008000000000004,2026-03-02T18:10:57.578Z,AT,Vienna,Vienna,android,samsung_browser,true\r\nscan_01kjq9379ce008000000000002,2026-03-02T12:41:44.492Z,DE,Berlin,Berlin,ios,safari,true\r\nscan_01kjpznt7de008000000000001,2026-03-02T09:57:07.949Z,DE,Bavaria,Munich,android,chrome,true\r\nscan_01kjpp8d5ee008000000000000,2026-03-02T07:12:31.406Z,DE,Bavaria,Munich,ios,safari,true\r\n',
  json: {
    qr_id: 'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
    period: {
      start: '2026-03-02T00:00:00Z',
      end: '2026-03-02T23:59:59Z',
    },
    data: [
      {
        id: 'scan_01kjrervh8e008000000000006',
        timestamp: '2026-03-02T23:40:10.664Z',
        country: 'XX',
        region: '',
        city: '',
        device: 'android',
        browser: 'chrome',
        is_unique: true,
      },
      {
        id: 'scan_01kjqvy1dae008000000000004',
        timestamp: '2026-03-02T18:10:57.578Z',
        country: 'AT',
        region: 'Vienna',
        city: 'Vienna',
        device: 'android',
        browser: 'samsung_browser',
        is_unique: true,
      },
      {
        id: 'scan_01kjq9379ce008000000000002',
        timestamp: '2026-03-02T12:41:44.492Z',
        country: 'DE',
        region: 'Berlin',
        city: 'Berlin',
        device: 'ios',
        browser: 'safari',
        is_unique: true,
      },
      {
        id: 'scan_01kjpznt7de008000000000001',
        timestamp: '2026-03-02T09:57:07.949Z',
        country: 'DE',
        region: 'Bavaria',
        city: 'Munich',
        device: 'android',
        browser: 'chrome',
        is_unique: true,
      },
      {
        id: 'scan_01kjpp8d5ee008000000000000',
        timestamp: '2026-03-02T07:12:31.406Z',
        country: 'DE',
        region: 'Bavaria',
        city: 'Munich',
        device: 'ios',
        browser: 'safari',
        is_unique: true,
      },
    ],
    total: 5,
  },
  aggregate: {
    period: {
      start: '2026-03-02T00:00:00Z',
      end: '2026-03-08T23:59:59Z',
    },
    summary: {
      total_scans: 59,
      unique_visitors: 37,
      avg_daily_scans: 8.4,
      qr_codes: 3,
    },
    top_qr_codes: [
      {
        qr_id: 'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
        name: 'Spring menu',
        scans: 40,
      },
      {
        qr_id: 'qr_01k9z3w8fdm5v7c2n4s6t8r0xc',
        name: 'Window sticker',
        scans: 10,
      },
      {
        qr_id: 'qr_01k9z3w8fdm5v7c2n4s6t8r0xd',
        name: 'Business card',
        scans: 9,
      },
    ],
    top_countries: [
      {
        country: 'DE',
        scans: 43,
      },
      {
        country: 'AT',
        scans: 8,
      },
      {
        country: 'XX',
        scans: 8,
      },
    ],
    top_cities: [
      {
        city: 'Munich',
        country: 'DE',
        scans: 26,
      },
      {
        city: 'Berlin',
        country: 'DE',
        scans: 17,
      },
      {
        city: '',
        country: 'XX',
        scans: 8,
      },
      {
        city: 'Vienna',
        country: 'AT',
        scans: 8,
      },
    ],
    devices: {
      ios: 24,
      android: 23,
      desktop: 12,
      other: 0,
    },
    browsers: {
      safari: 24,
      chrome: 12,
      samsung_browser: 11,
      firefox: 12,
      edge: 0,
      other: 0,
    },
    timeseries: [
      {
        date: '2026-03-02',
        total_scans: 7,
        unique_visitors: 7,
      },
      {
        date: '2026-03-03',
        total_scans: 8,
        unique_visitors: 8,
      },
      {
        date: '2026-03-04',
        total_scans: 9,
        unique_visitors: 9,
      },
      {
        date: '2026-03-05',
        total_scans: 9,
        unique_visitors: 9,
      },
      {
        date: '2026-03-06',
        total_scans: 9,
        unique_visitors: 9,
      },
      {
        date: '2026-03-07',
        total_scans: 8,
        unique_visitors: 8,
      },
      {
        date: '2026-03-08',
        total_scans: 9,
        unique_visitors: 9,
      },
    ],
  },
};
