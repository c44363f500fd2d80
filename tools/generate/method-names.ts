/** What the SDK calls each operation: one line per method. The generator fails when an operation has none. */
export const methodNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  qrcodes: {
    create: 'createQrCode',
    bulkCreate: 'bulkCreateQrCodes',
    list: 'listQrCodes',
    get: 'getQrCode',
    update: 'updateQrCode',
    delete: 'deleteQrCode',
    download: 'downloadQrCode',
  },
  analytics: {
    summary: 'getAnalytics',
    scans: 'listScans',
    timeseries: 'getTimeseries',
    weekHours: 'getWeekHours',
    export: 'exportScans',
    aggregate: 'getAggregateAnalytics',
    aggregateWeekHours: 'getAggregateWeekHours',
  },
  webhooks: {
    create: 'createWebhook',
    list: 'listWebhooks',
    get: 'getWebhook',
    update: 'updateWebhook',
    delete: 'deleteWebhook',
    rotateSecret: 'rotateWebhookSecret',
    test: 'testWebhook',
    deliveries: 'listWebhookDeliveries',
    getDelivery: 'getWebhookDelivery',
    replayDelivery: 'replayWebhookDelivery',
    replayFailed: 'replayFailedDeliveries',
  },
  openapi: {
    get: 'getOpenApi',
  },
};

/** What the API accepts for compatibility only. The SDK has one name for each thing. */
export const compatibility = {
  operations: ['getAnalyticsOfQrCode'],
  fields: { CreateQrCode: ['type', 'destination'] } as Readonly<Record<string, readonly string[]>>,
};
