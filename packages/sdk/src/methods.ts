// Made by `npm run generate` from docs/openapi.json. Change the contract, not this file.

import type { ApiPromise } from './api-promise.ts';
import type {
  AggregateAnalytics,
  AnalyticsSummary,
  BulkCreateQrCodes,
  BulkResult,
  CreateQrCode,
  CreateWebhook,
  CreatedWebhook,
  DeletedQrCode,
  DeletedWebhook,
  DownloadQrCodeQuery,
  ExportScansQuery,
  GetAggregateAnalyticsQuery,
  GetAggregateWeekHoursQuery,
  GetAnalyticsQuery,
  GetTimeseriesQuery,
  GetWeekHoursQuery,
  ListQrCodesQuery,
  ListScansQuery,
  ListWebhookDeliveriesQuery,
  QrCode,
  QrCodeList,
  ReplayFailed,
  ReplayResult,
  RotateWebhookSecret,
  ScanList,
  Timeseries,
  UpdateQrCode,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookList,
  WeekHours,
} from './generated.ts';
import type { Pages } from './pages.ts';
import type { RequestOptions } from './transport.ts';

/** The methods of `signpost.qrcodes`. */
export type QrcodesMethods = {
  /**
   * Create a QR code.
   *
   * Creates a code that redirects immediately. If you omit `short_code`, one is generated.
   *
   * @example
   * ```ts
   * const qrCode = await signpost.qrcodes.create({
   *   name: 'Spring menu',
   *   destination_url: 'https://harbour-roasters.example/menu/spring',
   *   short_code: 'spring-menu',
   *   style: { dotsType: 'rounded', dotsColor: '#0B3D2E', cornersSquareType: 'extra-rounded' },
   * });
   * ```
   */
  create(params: CreateQrCode, options?: RequestOptions): ApiPromise<QrCode>;

  /**
   * Create many QR codes.
   *
   * Creates up to 500 codes in one call. The call counts as one request against the rate limit, and every item counts against the creation limit. Each item succeeds or fails on its own, unless `atomic` is true: then nothing is created if any item is invalid, and `errors` in the response lists every invalid item.
   *
   * @example
   * ```ts
   * const bulkResult = await signpost.qrcodes.bulkCreate({
   *   items: [
   *     {
   *       name: 'Takeaway cup',
   *       destination_url: 'https://harbour-roasters.example/loyalty?from=cup',
   *     },
   *     {
   *       name: 'Window poster',
   *       destination_url: 'https://harbour-roasters.example/offers',
   *       short_code: 'window-poster',
   *     },
   *     {
   *       name: 'Receipt',
   *       destination_url: 'https://harbour-roasters.example/review',
   *       short_code: 'docs',
   *     },
   *   ],
   * });
   * ```
   */
  bulkCreate(params: BulkCreateQrCodes, options?: RequestOptions): ApiPromise<BulkResult>;

  /**
   * List QR codes.
   *
   * Returns the newest first. A page after the last one is empty.
   *
   * One page when you await it, every item when you iterate it with `for await`.
   *
   * @example
   * ```ts
   * const { data, pagination } = await signpost.qrcodes.list({ limit: 20, status: 'active' });
   *
   * for await (const item of signpost.qrcodes.list()) {
   *   console.log(item.id);
   * }
   * ```
   */
  list(params?: ListQrCodesQuery, options?: RequestOptions): Pages<QrCodeList>;

  /**
   * Get a QR code.
   *
   * Returns the code with its style and scan counts.
   *
   * @example
   * ```ts
   * const qrCode = await signpost.qrcodes.get('qr_01kj4wgfgte01tvwmb8h5aqamb');
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<QrCode>;

  /**
   * Update a QR code.
   *
   * Changes the name or the destination, or pauses, resumes or publishes the code. The printed image keeps working.
   *
   * @example
   * ```ts
   * const qrCode = await signpost.qrcodes.update('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   name: 'Summer menu',
   *   destination_url: 'https://harbour-roasters.example/menu/summer',
   * });
   * ```
   */
  update(id: string, params: UpdateQrCode, options?: RequestOptions): ApiPromise<QrCode>;

  /**
   * Delete a QR code.
   *
   * Permanently deletes the code. The short link stops working immediately, and its short code is never reused. The short code of a test code becomes available again.
   *
   * @example
   * ```ts
   * const deletedQrCode = await signpost.qrcodes.delete('qr_01kj4wa8yye00s6tay7ss8fhch');
   * ```
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedQrCode>;

  /**
   * Download the image.
   *
   * Returns the image as a file. For a given format and size it never changes: send its `ETag` as `If-None-Match` to get a 304 instead. Images with at least 3 pixels per module (about 130 pixels for a typical short link) are large enough to scan.
   *
   * Returns a `Response`: read it with `.arrayBuffer()`, `.text()` or `.body`.
   *
   * @example
   * ```ts
   * const file = await signpost.qrcodes.download('qr_01kj4wa8yye01aqfh21zr9kh9r', {
   *   format: 'svg',
   *   size: 512,
   * });
   * const bytes = await file.arrayBuffer();
   * ```
   */
  download(id: string, params?: DownloadQrCodeQuery, options?: RequestOptions): ApiPromise<Response>;
};

/** The methods of `signpost.analytics`. */
export type AnalyticsMethods = {
  /**
   * Get the analytics summary.
   *
   * Returns scans and visitors in a period by country, city, device and browser. Defaults to the last 30 days, including today.
   *
   * @example
   * ```ts
   * const analyticsSummary = await signpost.analytics.summary('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   start_date: '2026-03-16',
   *   end_date: '2026-03-22',
   *   timezone: 'Europe/Berlin',
   * });
   * ```
   */
  summary(id: string, params?: GetAnalyticsQuery, options?: RequestOptions): ApiPromise<AnalyticsSummary>;

  /**
   * List scans.
   *
   * Returns the newest first. A page after the last one is empty.
   *
   * One page when you await it, every item when you iterate it with `for await`.
   *
   * @example
   * ```ts
   * const { data, pagination } = await signpost.analytics.scans('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   start_date: '2026-03-16',
   *   end_date: '2026-03-22',
   *   timezone: 'Europe/Berlin',
   *   limit: 3,
   * });
   *
   * for await (const item of signpost.analytics.scans('qr_01kj4wgfgte01tvwmb8h5aqamb')) {
   *   console.log(item.id);
   * }
   * ```
   */
  scans(id: string, params?: ListScansQuery, options?: RequestOptions): Pages<ScanList>;

  /**
   * Get scans over time.
   *
   * Returns one entry per interval, from the one that contains the start of the period to the one that contains its end. The first and the last entry count only scans within the period.
   *
   * @example
   * ```ts
   * const timeseries = await signpost.analytics.timeseries('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   start_date: '2026-03-16',
   *   end_date: '2026-03-22',
   *   timezone: 'Europe/Berlin',
   *   interval: 'day',
   * });
   * ```
   */
  timeseries(id: string, params?: GetTimeseriesQuery, options?: RequestOptions): ApiPromise<Timeseries>;

  /**
   * Get scans by weekday and hour.
   *
   * Returns the number of scans in the period for each hour of the week, in `timezone`. When clocks go back, scans from both passes of the repeated hour count into the same entry.
   *
   * @example
   * ```ts
   * const weekHours = await signpost.analytics.weekHours('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   start_date: '2026-03-16',
   *   end_date: '2026-03-22',
   *   timezone: 'Europe/Berlin',
   * });
   * ```
   */
  weekHours(id: string, params?: GetWeekHoursQuery, options?: RequestOptions): ApiPromise<WeekHours>;

  /**
   * Export scans.
   *
   * Returns every scan in the period as a file, newest first. The file name contains the first and the last day in `timezone`. CSV files follow RFC 4180 and have a header row; a cell that a spreadsheet could read as a formula starts with an apostrophe. If the export fails midway, the connection is closed before the end of the file.
   *
   * Returns a `Response`: read it with `.arrayBuffer()`, `.text()` or `.body`.
   *
   * @example
   * ```ts
   * const file = await signpost.analytics.export('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   format: 'csv',
   *   start_date: '2026-03-22',
   *   end_date: '2026-03-22',
   *   timezone: 'Europe/Berlin',
   * });
   * const bytes = await file.arrayBuffer();
   * ```
   */
  export(id: string, params?: ExportScansQuery, options?: RequestOptions): ApiPromise<Response>;

  /**
   * Get aggregate analytics.
   *
   * Returns analytics for all codes in the account. Deleted codes are not counted.
   *
   * @example
   * ```ts
   * const aggregateAnalytics = await signpost.analytics.aggregate({
   *   start_date: '2026-03-16',
   *   end_date: '2026-03-22',
   *   timezone: 'Europe/Berlin',
   *   interval: 'day',
   * });
   * ```
   */
  aggregate(params?: GetAggregateAnalyticsQuery, options?: RequestOptions): ApiPromise<AggregateAnalytics>;

  /**
   * Get scans of all codes by weekday and hour.
   *
   * Returns the same data as for one code, for all codes in the account. Deleted codes are not counted.
   *
   * @example
   * ```ts
   * const weekHours = await signpost.analytics.aggregateWeekHours({
   *   start_date: '2026-03-16',
   *   end_date: '2026-03-22',
   *   timezone: 'Europe/Berlin',
   * });
   * ```
   */
  aggregateWeekHours(params?: GetAggregateWeekHoursQuery, options?: RequestOptions): ApiPromise<WeekHours>;
};

/** The methods of `signpost.webhooks`. */
export type WebhooksMethods = {
  /**
   * Create a webhook.
   *
   * Sends every scan from now on, or the events that you list, to the URL. Deliveries are signed with the secret in the response, which is shown only once. An account can have at most 10 webhooks per mode.
   *
   * @example
   * ```ts
   * const createdWebhook = await signpost.webhooks.create({
   *   url: 'https://hooks.harbour-roasters.example/signpost',
   *   description: 'Loyalty programme',
   *   events: [
   *     'scan.created',
   *     'qrcode.suspended',
   *     'qrcode.released',
   *     'account.suspended',
   *     'account.released',
   *   ],
   * });
   * ```
   */
  create(params: CreateWebhook, options?: RequestOptions): ApiPromise<CreatedWebhook>;

  /**
   * List webhooks.
   *
   * Returns all webhooks, oldest first.
   *
   * @example
   * ```ts
   * const webhookList = await signpost.webhooks.list();
   * ```
   */
  list(options?: RequestOptions): ApiPromise<WebhookList>;

  /**
   * Get a webhook.
   *
   * Returns the webhook without its secret.
   *
   * @example
   * ```ts
   * const webhook = await signpost.webhooks.get('whk_01kmcxq6wne00r4b8w2cpvfqf2');
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<Webhook>;

  /**
   * Update a webhook.
   *
   * Changes the URL, the description or the events, or enables or disables the webhook. Applies to every attempt that starts after the response.
   *
   * @example
   * ```ts
   * const webhook = await signpost.webhooks.update('whk_01kmcxq6wne00r4b8w2cpvfqf2', {
   *   description: 'Loyalty programme and newsletter',
   *   events: ['scan.created', 'qrcode.suspended'],
   * });
   * ```
   */
  update(id: string, params: UpdateWebhook, options?: RequestOptions): ApiPromise<Webhook>;

  /**
   * Delete a webhook.
   *
   * Permanently deletes the webhook and its deliveries. Nothing more is sent to it.
   *
   * @example
   * ```ts
   * const deletedWebhook = await signpost.webhooks.delete('whk_01kn3t5dcre01a08g5qtvp4t1f');
   * ```
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedWebhook>;

  /**
   * Rotate the webhook secret.
   *
   * Creates a new secret. Until the old one expires, every delivery carries two signatures, one per secret, so that you can switch without missing events. Without a body, the old secret expires after one day.
   *
   * @example
   * ```ts
   * const createdWebhook = await signpost.webhooks.rotateSecret('whk_01kmcxq6wne00r4b8w2cpvfqf2', {
   *   old_secret_expires_in: 3600,
   * });
   * ```
   */
  rotateSecret(id: string, params?: RotateWebhookSecret, options?: RequestOptions): ApiPromise<CreatedWebhook>;

  /**
   * Send a test event.
   *
   * Sends an event like any other about a scan that never happened, with the header `X-Signpost-Test: true`. Get the delivery to see its outcome.
   *
   * @example
   * ```ts
   * const webhookDelivery = await signpost.webhooks.test('whk_01kmcxq6wne00r4b8w2cpvfqf2');
   * ```
   */
  test(id: string, options?: RequestOptions): ApiPromise<WebhookDelivery>;

  /**
   * List deliveries.
   *
   * Returns the deliveries of the last 30 days, newest event first. A delivery appears about a second after its first attempt; pending and failed ones appear immediately.
   *
   * One page when you await it, every item when you iterate it with `for await`.
   *
   * @example
   * ```ts
   * const { data, pagination } = await signpost.webhooks.deliveries('whk_01kmcxq6wne00r4b8w2cpvfqf2', {
   *   limit: 3,
   * });
   *
   * for await (const item of signpost.webhooks.deliveries('whk_01kmcxq6wne00r4b8w2cpvfqf2')) {
   *   console.log(item.id);
   * }
   * ```
   */
  deliveries(id: string, params?: ListWebhookDeliveriesQuery, options?: RequestOptions): Pages<WebhookDeliveryList>;

  /**
   * Get a delivery.
   *
   * Returns the delivery with its body and every attempt.
   *
   * @example
   * ```ts
   * const webhookDeliveryDetail = await signpost.webhooks.getDelivery('msg_01kmt9e2wye00r3z3gzdp9b2ye');
   * ```
   */
  getDelivery(id: string, options?: RequestOptions): ApiPromise<WebhookDeliveryDetail>;

  /**
   * Replay a delivery.
   *
   * Retries the delivery immediately, whatever its status, with the same webhook-id.
   *
   * @example
   * ```ts
   * const webhookDelivery = await signpost.webhooks.replayDelivery('msg_01kmt9e2wye00r3z3gzdp9b2ye');
   * ```
   */
  replayDelivery(id: string, options?: RequestOptions): ApiPromise<WebhookDelivery>;

  /**
   * Replay failed deliveries.
   *
   * Retries every event since the given time that failed and has not been delivered since, with the same webhook-id. New events take precedence.
   *
   * @example
   * ```ts
   * const replayResult = await signpost.webhooks.replayFailed('whk_01kmcxq6wne00r4b8w2cpvfqf2', {
   *   since: '2026-03-24T00:00:00Z',
   * });
   * ```
   */
  replayFailed(id: string, params: ReplayFailed, options?: RequestOptions): ApiPromise<ReplayResult>;
};

/** The methods of `signpost.openapi`. */
export type OpenapiMethods = {
  /**
   * Get the OpenAPI document.
   *
   * Returns this document in OpenAPI 3.1. No API key needed.
   *
   * @example
   * ```ts
   * const answer = await signpost.openapi.get();
   * ```
   */
  get(options?: RequestOptions): ApiPromise<Readonly<Record<string, unknown>>>;
};

/** Which operation each method is. */
export const resources = {
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
} as const;
