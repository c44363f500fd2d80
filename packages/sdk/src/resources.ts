/** Which operation each method is: one line a method. A test fails when an operation has none. */
export const resources = {
  qrcodes: {
    /** Makes a code that redirects at once. */
    create: 'createQrCode',
    /** Up to 500 at once, which is one request against the rate. Each item succeeds or fails by itself. */
    bulkCreate: 'bulkCreateQrCodes',
    /** Newest first: one page when awaited, every code when iterated. */
    list: 'listQrCodes',
    /** The whole code, with its style and scan counts. */
    get: 'getQrCode',
    /** Changes the name or the destination, pauses, resumes or publishes. */
    update: 'updateQrCode',
    /** For ever: the short link stops at once. */
    delete: 'deleteQrCode',
    /** The image as a file: a `Response`, to be read as bytes, text or a stream. */
    download: 'downloadQrCode',
  },
  analytics: {
    /** Totals, places, devices and browsers of a code over a period. */
    summary: 'getAnalytics',
    /** The scans of a code, newest first: one page when awaited, every scan when iterated. */
    scans: 'listScans',
    /** Scans over time, by hour, day, week or month. */
    timeseries: 'getTimeseries',
    /** The scans as a CSV or JSON file: a `Response`, to be read as text or a stream. */
    export: 'exportScans',
    /** All codes of the account together. */
    aggregate: 'getAggregateAnalytics',
  },
  openapi: {
    /** The OpenAPI document of the server. */
    get: 'getOpenApi',
  },
} as const;

/** Operations that are only another path to one above. */
export const aliases: Readonly<Record<string, string>> = { getAnalyticsOfQrCode: 'getAnalytics' };
