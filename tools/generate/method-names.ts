import { fixedFields, ignoredFields } from '@signpost/contract';

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
    upsert: 'upsertQrCode',
    bulkEdit: 'bulkEditQrCodes',
    bulkDelete: 'bulkDeleteQrCodes',
    testRules: 'testRules',
    sendTestScans: 'sendTestScans',
    createPlacement: 'createPlacement',
    bulkCreatePlacements: 'bulkCreatePlacements',
    updatePlacement: 'updatePlacement',
    deletePlacement: 'deletePlacement',
  },
  tags: {
    list: 'listTags',
    update: 'updateTag',
    delete: 'deleteTag',
  },
  analytics: {
    summary: 'getAnalytics',
    scans: 'listScans',
    timeseries: 'getTimeseries',
    weekHours: 'getWeekHours',
    export: 'exportScans',
    aggregate: 'getAggregateAnalytics',
    aggregateWeekHours: 'getAggregateWeekHours',
    accountScans: 'listAccountScans',
    exportAll: 'exportAccountScans',
  },
  shareLinks: {
    create: 'createShareLink',
    createForQrCode: 'createQrCodeShareLink',
    list: 'listShareLinks',
    revoke: 'revokeShareLink',
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
  account: {
    get: 'getAccount',
  },
  audit: {
    events: 'listAuditEvents',
  },
  accounts: {
    create: 'createTenant',
    list: 'listTenants',
    get: 'getTenant',
    update: 'updateTenant',
    createKey: 'createTenantKey',
  },
  assets: {
    create: 'createAsset',
    list: 'listAssets',
    get: 'getAsset',
    download: 'downloadAsset',
    delete: 'deleteAsset',
  },
  designs: {
    create: 'createDesign',
    list: 'listDesigns',
    get: 'getDesign',
    update: 'updateDesign',
    delete: 'deleteDesign',
  },
  domains: {
    list: 'listDomains',
  },
  sheets: {
    create: 'createSheet',
  },
  images: {
    zip: 'zipImages',
  },
  openapi: {
    get: 'getOpenApi',
  },
};

/** What the API accepts for compatibility only. The SDK has one name for each thing. */
export const compatibility = {
  operations: ['getAnalyticsOfQrCode'],
  fields: {
    CreateQrCode: ['type', 'destination'],
    UpsertQrCode: ['type', 'destination'],
    UpdateQrCode: [...ignoredFields, ...Object.keys(fixedFields)],
    BulkEditQrCodes: ['qr_ids'],
    BulkDeleteQrCodes: ['qr_ids'],
    CreateSheet: ['ids', 'design'],
    ZipImages: ['ids', 'design'],
  } as Readonly<Record<string, readonly string[]>>,
};
