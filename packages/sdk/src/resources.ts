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
  webhooks: {
    /** An address of yours that is told of every scan. The answer has the secret, this once. */
    create: 'createWebhook',
    list: 'listWebhooks',
    get: 'getWebhook',
    /** Changes the address, switches off and on. */
    update: 'updateWebhook',
    delete: 'deleteWebhook',
    /** A new secret, shown this once; the old one signs along for a while. */
    rotateSecret: 'rotateWebhookSecret',
    /** Sends an event that is marked as a test. */
    test: 'testWebhook',
    /** What was sent and what became of it: one page when awaited, every delivery when iterated. */
    deliveries: 'listWebhookDeliveries',
    /** One delivery, by its own id. */
    getDelivery: 'getWebhookDelivery',
    /** Sends one delivery again, by its own id. */
    replayDelivery: 'replayWebhookDelivery',
    /** Sends all again that failed since a time. */
    replayFailed: 'replayFailedDeliveries',
  },
  openapi: {
    /** The OpenAPI document of the server. */
    get: 'getOpenApi',
  },
} as const;

/** Operations that are only another path to one above. */
export const aliases: Readonly<Record<string, string>> = { getAnalyticsOfQrCode: 'getAnalytics' };
