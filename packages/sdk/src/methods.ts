// Made by `npm run generate` from docs/guides/openapi.json. Change the contract, not this file.

import type { ApiPromise } from './api-promise.ts';
import type {
  AccountScanList,
  AccountUsage,
  AggregateAnalytics,
  AnalyticsSummary,
  Asset,
  AssetList,
  AuditFeed,
  BulkCreatePlacements,
  BulkCreateQrCodes,
  BulkDeleteQrCodes,
  BulkDeleteResult,
  BulkEditQrCodes,
  BulkEditResult,
  BulkResult,
  CreateAsset,
  CreateDesign,
  CreatePlacement,
  CreateQrCode,
  CreateQrCodeShareLink,
  CreateShareLink,
  CreateSheet,
  CreateTenant,
  CreateTenantKey,
  CreateWebhook,
  CreatedPlacements,
  CreatedTenant,
  CreatedWebhook,
  DeletedAsset,
  DeletedDesign,
  DeletedPlacement,
  DeletedQrCode,
  DeletedTag,
  DeletedWebhook,
  Design,
  DesignList,
  DomainList,
  DownloadAssetQuery,
  DownloadQrCodeQuery,
  ExportAccountScansQuery,
  ExportScansQuery,
  GetAggregateAnalyticsQuery,
  GetAggregateWeekHoursQuery,
  GetAnalyticsQuery,
  GetTimeseriesQuery,
  GetWeekHoursQuery,
  ListAccountScansQuery,
  ListAuditEventsQuery,
  ListQrCodesQuery,
  ListScansQuery,
  ListShareLinksQuery,
  ListTenantsQuery,
  ListWebhookDeliveriesQuery,
  NewApiKey,
  NewShareLink,
  Placement,
  QrCode,
  QrCodeList,
  ReplayFailed,
  ReplayResult,
  RevokedShareLink,
  RotateWebhookSecret,
  RulesTest,
  ScanList,
  SendTestScans,
  SentTestScans,
  ShareLinkList,
  Tag,
  TagList,
  Tenant,
  TenantList,
  TestRules,
  Timeseries,
  UpdateDesign,
  UpdatePlacement,
  UpdateQrCode,
  UpdateTag,
  UpdateTenant,
  UpdateWebhook,
  UpsertQrCode,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookList,
  WeekHours,
  ZipImages,
} from './generated.ts';
import type { Feed, Pages } from './pages.ts';
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
   *   tags: ['Menu', 'Spring 2026'],
   *   external_id: 'menu-1',
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
   * Returns the newest first, unless you choose another order. A page after the last one is empty. With filters other than `status`, up to 1,000 matches are counted and can be reached by page, and a page beyond them is 400 `too_many_codes`: use `starting_after` to walk through all matches. With `search`, likewise in every order. A search text without three letters or digits in a row is looked for in the newest 20,000 codes.
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
   * Changes the fields that the body names: the name or the destination, for example. `active` pauses, resumes or publishes the code. The printed image keeps working. You can also send the whole code back as you read it, with some fields changed: read-only fields are ignored if they change by themselves, and refused if their value was changed. `metadata` is merged: a key that you leave out stays, and null removes it.
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
   * Permanently deletes the code. The short link stops working immediately, and its short code is never given to another account: create with `reclaim` to use it again. The short code of a test code becomes available again.
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
   * Returns the image as a file, in the style of the code or, for this download only, in that of a design. For given parameters it never changes unless the design does: send its `ETag` as `If-None-Match` to get a 304 instead. Images with at least 3 pixels per module (about 130 pixels for a typical short link) are large enough to scan.
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

  /**
   * Create or update a QR code.
   *
   * Creates the code with this external id, or updates it if it exists. An update sets the fields that the body names and leaves the others. `status` only counts on creation. `short_code` and `style` cannot change: if they differ from those of the code, nothing is changed. Repeating the request is safe.
   *
   * @example
   * ```ts
   * const qrCode = await signpost.qrcodes.upsert('ext:menu-1', {
   *   name: 'Summer menu',
   *   destination_url: 'https://harbour-roasters.example/menu/summer',
   *   tags: ['Menu', 'Summer 2026'],
   *   metadata: { branch: 'Hamburg' },
   * });
   * ```
   */
  upsert(id: string, params: UpsertQrCode, options?: RequestOptions): ApiPromise<QrCode>;

  /**
   * Edit many QR codes.
   *
   * Changes up to 500 codes in one call, named by `ids` or found by `filter`. Each code succeeds or fails on its own. The call counts as one request against the rate limit, and every code counts against the creation limit, except in a dry run.
   *
   * @example
   * ```ts
   * const bulkEditResult = await signpost.qrcodes.bulkEdit({
   *   filter: { tag: ['Menu'], status: 'active' },
   *   expected_count: 1,
   *   set: { tags_add: ['Printed'], note: 'On every table since April.' },
   * });
   * ```
   */
  bulkEdit(params: BulkEditQrCodes, options?: RequestOptions): ApiPromise<BulkEditResult>;

  /**
   * Delete many QR codes.
   *
   * Permanently deletes up to 500 codes in one call. Their short links stop working immediately, and their short codes are never given to another account: create with `reclaim` to use one again.
   *
   * @example
   * ```ts
   * const bulkDeleteResult = await signpost.qrcodes.bulkDelete({
   *   ids: ['qr_01kn3t37cte02r3cadya4w4bja', 'qr_01kn3t37cte03a4xek6zwanktb'],
   *   expected_count: 2,
   * });
   * ```
   */
  bulkDelete(params: BulkDeleteQrCodes, options?: RequestOptions): ApiPromise<BulkDeleteResult>;

  /**
   * Try the rules of a QR code.
   *
   * Says where a scan would be redirected, and why. With `rules`, it tries those without saving them. No scan is recorded.
   *
   * @example
   * ```ts
   * const rulesTest = await signpost.qrcodes.testRules('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   at: '2026-04-02T12:15:00+02:00',
   *   device: 'ios',
   *   country: 'DE',
   * });
   * ```
   */
  testRules(id: string, params?: TestRules, options?: RequestOptions): ApiPromise<RulesTest>;

  /**
   * Send test scans.
   *
   * Scans one of your test codes, without a phone. The scans take the way of real ones through the scan log: counts, analytics, `max_scans`, the live view and webhooks follow. In test mode only: a live key is refused. On a plan without webhooks an account can send 10,000 test scans in 24 hours, on other plans 100,000. If the response is 503, send the request again with the same `Idempotency-Key`: scans that were recorded after all are not recorded twice on the same day.
   *
   * @example
   * ```ts
   * const sentTestScans = await signpost.qrcodes.sendTestScans({
   *   qr_id: 'qr_01kmcxcz0je02b9qma0qmac07c',
   *   count: 200,
   *   unique: 80,
   *   country: 'DE',
   *   city: 'Hamburg',
   *   device: 'ios',
   *   browser: 'safari',
   *   language: 'de',
   * });
   * ```
   */
  sendTestScans(params: SendTestScans, options?: RequestOptions): ApiPromise<SentTestScans>;

  /**
   * Add a placement.
   *
   * Adds a place where the code is printed. Its link is the short link with a dot and the key; it leads where the code leads, and its scans are counted apart. A code has at most 1,000 placements.
   *
   * @example
   * ```ts
   * const placement = await signpost.qrcodes.createPlacement('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   key: 'window',
   *   name: 'Shop window',
   * });
   * ```
   */
  createPlacement(id: string, params: CreatePlacement, options?: RequestOptions): ApiPromise<Placement>;

  /**
   * Add many placements.
   *
   * Adds up to 1,000 placements in one call, all of them or none: if any item is invalid or its key is taken, nothing is added, and `errors` in the response lists every such item with its position.
   *
   * @example
   * ```ts
   * const createdPlacements = await signpost.qrcodes.bulkCreatePlacements('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   items: [
   *     { key: 'table-1', name: 'Table 1' },
   *     { key: 'table-2', name: 'Table 2', note: 'By the door' },
   *   ],
   * });
   * ```
   */
  bulkCreatePlacements(id: string, params: BulkCreatePlacements, options?: RequestOptions): ApiPromise<CreatedPlacements>;

  /**
   * Update a placement.
   *
   * Changes its name or note. The key is printed and cannot change.
   *
   * @example
   * ```ts
   * const placement = await signpost.qrcodes.updatePlacement('qr_01kj4wgfgte01tvwmb8h5aqamb', 'window', {
   *   note: 'Left of the door, A4',
   * });
   * ```
   */
  updatePlacement(id: string, key: string, params: UpdatePlacement, options?: RequestOptions): ApiPromise<Placement>;

  /**
   * Delete a placement.
   *
   * Removes the placement. Links that are printed with its key keep working: they count as the code without a placement.
   *
   * @example
   * ```ts
   * const deletedPlacement = await signpost.qrcodes.deletePlacement('qr_01kj4wgfgte01tvwmb8h5aqamb', 'till');
   * ```
   */
  deletePlacement(id: string, key: string, options?: RequestOptions): ApiPromise<DeletedPlacement>;
};

/** The methods of `signpost.tags`. */
export type TagsMethods = {
  /**
   * List tags.
   *
   * Returns all tags in alphabetical order, including those that no code has.
   *
   * @example
   * ```ts
   * const tagList = await signpost.tags.list();
   * ```
   */
  list(options?: RequestOptions): ApiPromise<TagList>;

  /**
   * Rename or merge a tag.
   *
   * Changes the name or the color. If another tag already has the new name, the two are merged: every code of either has that tag, and this one is gone.
   *
   * @example
   * ```ts
   * const tag = await signpost.tags.update('Printed', { name: 'In print', color: 'teal' });
   * ```
   */
  update(name: string, params: UpdateTag, options?: RequestOptions): ApiPromise<Tag>;

  /**
   * Delete a tag.
   *
   * Removes the tag from all codes. The codes stay.
   *
   * @example
   * ```ts
   * const deletedTag = await signpost.tags.delete('Spring 2026');
   * ```
   */
  delete(name: string, options?: RequestOptions): ApiPromise<DeletedTag>;
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
   * Returns every scan in the period as a file, newest first. The file name contains the first and the last day in `timezone`. CSV files follow RFC 4180 and have a header row; what a spreadsheet could read as a formula has an apostrophe before it, also after a semicolon, a tab or a line break. If the export fails midway, the connection is closed before the end of the file.
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
   * Returns analytics for all codes in the account, or for those with a tag. Deleted codes are not counted.
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

  /**
   * List scans of all codes.
   *
   * Returns the scans of all codes in the order in which they were recorded, oldest first, so that a program can follow them: send `next_cursor` as `after` to get the scans that came since. A scan that a server could only deliver later comes later, whatever its timestamp. A page may have fewer scans than `limit`; `has_more` tells whether more are there already. Scans of deleted codes are left out.
   *
   * One page when you await it, every item from there to the newest when you iterate it with `for await`.
   *
   * @example
   * ```ts
   * const { data, next_cursor } = await signpost.analytics.accountScans({ limit: 3 });
   *
   * for await (const item of signpost.analytics.accountScans()) {
   *   console.log(item.id);
   * }
   * ```
   */
  accountScans(params?: ListAccountScansQuery, options?: RequestOptions): Feed<AccountScanList>;

  /**
   * Export scans of all codes.
   *
   * Returns every scan of every code in the period as a file, grouped by code. Otherwise like the export of one code.
   *
   * Returns a `Response`: read it with `.arrayBuffer()`, `.text()` or `.body`.
   *
   * @example
   * ```ts
   * const file = await signpost.analytics.exportAll({
   *   format: 'csv',
   *   start_date: '2026-03-22T20:00:00Z',
   *   end_date: '2026-03-22T23:59:59Z',
   * });
   * const bytes = await file.arrayBuffer();
   * ```
   */
  exportAll(params?: ExportAccountScansQuery, options?: RequestOptions): ApiPromise<Response>;
};

/** The methods of `signpost.shareLinks`. */
export type ShareLinksMethods = {
  /**
   * Share the figures of a tag or the account.
   *
   * Creates a page that shows the figures to everybody who has its link, without signing in. It names no city with fewer than 5 visitors in the period, and no single scan. Only this response shows the link. An account can have 100 links in each mode.
   *
   * @example
   * ```ts
   * const newShareLink = await signpost.shareLinks.create({
   *   tag: 'Menu',
   *   sections: ['chart', 'map', 'codes'],
   *   start_date: '2026-03-01',
   *   timezone: 'Europe/Berlin',
   * });
   * ```
   */
  create(params?: CreateShareLink, options?: RequestOptions): ApiPromise<NewShareLink>;

  /**
   * Share the figures of a QR code.
   *
   * Creates a page that shows the figures of the code to everybody who has its link, without signing in. Only this response shows the link. It ends with the code.
   *
   * @example
   * ```ts
   * const newShareLink = await signpost.shareLinks.createForQrCode('qr_01kj4wgfgte01tvwmb8h5aqamb', {
   *   title: 'Our menu in spring',
   *   days: 90,
   *   timezone: 'Europe/Berlin',
   *   expires_at: '2030-12-31T23:00:00Z',
   * });
   * ```
   */
  createForQrCode(id: string, params?: CreateQrCodeShareLink, options?: RequestOptions): ApiPromise<NewShareLink>;

  /**
   * List share links.
   *
   * Returns the newest first, including those that have ended, without the links themselves.
   *
   * @example
   * ```ts
   * const shareLinkList = await signpost.shareLinks.list();
   * ```
   */
  list(params?: ListShareLinksQuery, options?: RequestOptions): ApiPromise<ShareLinkList>;

  /**
   * Revoke a share link.
   *
   * By the time of the response, no process shows the page.
   *
   * @example
   * ```ts
   * const revokedShareLink = await signpost.shareLinks.revoke('shr_01kn3t4c66e01tpf4gtraz50wa');
   * ```
   */
  revoke(id: string, options?: RequestOptions): ApiPromise<RevokedShareLink>;
};

/** The methods of `signpost.webhooks`. */
export type WebhooksMethods = {
  /**
   * Create a webhook.
   *
   * Sends every scan from now on, or the events that you list, to the URL. Deliveries are signed with the secret in the response, which is shown only once. An account can have at most 10 webhooks per mode. On a plan without webhooks it can have test webhooks, which get 1,000 messages per day.
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
   * Changes the URL, the description, the events or what scan events include, or enables or disables the webhook. Applies to every attempt that starts after the response.
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
   * const deletedWebhook = await signpost.webhooks.delete('whk_01kqh8tr47e01a08g5qtvp4t1f');
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
   * Sends an event like any other about a scan that never happened, with the header `X-Signpost-Test: true`. Get the delivery to see its outcome. In test mode it counts against the 1,000 deliveries per day of a plan without webhooks.
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
   * Returns the deliveries of the last 30 days, newest event first. A delivery appears with its first attempt; `status=pending` also lists those that wait for it.
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

/** The methods of `signpost.account`. */
export type AccountMethods = {
  /**
   * Get the account.
   *
   * Returns the account with its plan, every limit and what is used of it, in the mode of the API key, and whether it is suspended.
   *
   * @example
   * ```ts
   * const accountUsage = await signpost.account.get();
   * ```
   */
  get(options?: RequestOptions): ApiPromise<AccountUsage>;
};

/** The methods of `signpost.audit`. */
export type AuditMethods = {
  /**
   * List audit events.
   *
   * Returns who changed what in the mode of the key, oldest first, so that a program can follow it: send `next_cursor` as `after`. Keys, people and settings of the account belong to live mode. With `Accept: application/x-ndjson` the response has one event per line, each with its `cursor`. An event has ids, hosts and names of fields; names of codes and people are those of today, and are gone with what they name.
   *
   * One page when you await it, every item from there to the newest when you iterate it with `for await`.
   *
   * @example
   * ```ts
   * const { data, next_cursor } = await signpost.audit.events({ limit: 3 });
   *
   * for await (const item of signpost.audit.events()) {
   *   console.log(item.id);
   * }
   * ```
   */
  events(params?: ListAuditEventsQuery, options?: RequestOptions): Feed<AuditFeed>;
};

/** The methods of `signpost.accounts`. */
export type AccountsMethods = {
  /**
   * Create an account.
   *
   * Creates an account for a customer of yours. It needs an operator key, which `signpost admin create-key --operator` creates; an operator key sees and changes the accounts that keys of its own account created, and no others. With `owner_email` that person is invited as the owner; without, the account has no people. To be safe against creating twice when you retry, send an `external_id`.
   *
   * @example
   * ```ts
   * const createdTenant = await signpost.accounts.create({
   *   name: 'Quay Bakery',
   *   plan: 'pro',
   *   external_id: 'customer-481',
   * });
   * ```
   */
  create(params: CreateTenant, options?: RequestOptions): ApiPromise<CreatedTenant>;

  /**
   * List accounts.
   *
   * Returns the accounts that keys of your account created, with their limits and what they use, newest first. Closed accounts are left out.
   *
   * One page when you await it, every item when you iterate it with `for await`.
   *
   * @example
   * ```ts
   * const { data, pagination } = await signpost.accounts.list({ limit: 20 });
   *
   * for await (const item of signpost.accounts.list()) {
   *   console.log(item.id);
   * }
   * ```
   */
  list(params?: ListTenantsQuery, options?: RequestOptions): Pages<TenantList>;

  /**
   * Get an account.
   *
   * Returns one of your accounts with its limits, what it uses, and whether it is suspended.
   *
   * @example
   * ```ts
   * const tenant = await signpost.accounts.get('acct_01kn6revsee019qs8ceg3c3r86');
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<Tenant>;

  /**
   * Update an account.
   *
   * Changes the name, plan, limits or external id, or suspends and releases the account. By the time of the response, every process applies it. Existing codes are not changed by another plan.
   *
   * @example
   * ```ts
   * const tenant = await signpost.accounts.update('acct_01kn6revsee019qs8ceg3c3r86', {
   *   plan: 'business',
   *   limits: { qr_codes: 400 },
   * });
   * ```
   */
  update(id: string, params: UpdateTenant, options?: RequestOptions): ApiPromise<Tenant>;

  /**
   * Create an API key of an account.
   *
   * Creates a key of one of your accounts, which is shown only once. `scopes` limit what it may do, `allowed_cidrs` from where, and `expires_at` until when. An account can have at most 100 keys.
   *
   * @example
   * ```ts
   * const newApiKey = await signpost.accounts.createKey('acct_01kn6revsee019qs8ceg3c3r86', {
   *   name: 'Till',
   *   mode: 'live',
   *   scopes: ['qrcodes:read', 'qrcodes:write', 'analytics:read'],
   * });
   * ```
   */
  createKey(id: string, params: CreateTenantKey, options?: RequestOptions): ApiPromise<NewApiKey>;
};

/** The methods of `signpost.assets`. */
export type AssetsMethods = {
  /**
   * Upload a logo.
   *
   * Stores a picture that codes and designs can use as their logo. A picture that is already stored is returned as it is.
   *
   * @example
   * ```ts
   * const asset = await signpost.assets.create({
   *   image: 'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAAFVUlEQVR4nO2bXUwcVRTHz50tTyyWR20TxUSjEYVtUh9su83ik1trqQ+FmpIIUiPWqPBgjGi0mhZjTKRq1BqLYELTQh8ErV2fhJS2PtiEbRWj0UTapB9vgtAnZK7nP3ZW3J0Z2HvvoN3hl7B77iZk5/zPxz0z2SsogMpUomrOtuuFFCkpKEFSVtGNgBBZIWlSCjlaZlnDU6PZSfLBUwDH8Xn5GpFsppJA9JXFxOteQhQIUJFMNEuyuyXrwMuSgR2dEjGrZWY0O8TLHPz5P8B5m+xeNksWi1iEsWwfXScnQBScd7Fi1qNuJjgCcM0n5ubtcTYjATs9tSpmrUNPYJsonqwdkSRTFCUEfXbt5PlmEU8lUnLeHuGPIkdZzLpdlG+u6SNJj/M6glgdIp6s+V1yG+BV5OD6HxblyRr2P6JgYoy0AMyKAMslwG23rKGHN9bRI8k6XhGtjldQzZ13s0V0/pefaHp2hi2iL8dG6KvTI3ThymVehU+oAlSyk3t27KJdD21jAdbyJ0vnwpVLdPjrL+jDY4dp6ro4YRCaAHD6rWdfoMqKm3ilztTMH/Ti+287YoSBcQGQ6kf2defS2xQok8de6eDMMFsaRgWA0ycOfKIddT+QDVvan3TEMIUxAZrS9XTwpTfYCp+2N1+l/swwW/oYEQCRP9MzwFYw3//6s9Plx7Jn6eLVS7l0RtncevNaSibWO7vEfXfcxZ8Gs6G10UgmaAuAiz99aCAw7eFwV+9BGhv/jleLk1x3P3W2tDmC+IFy2Li7MSeiKtoCIPLIAD900nWxskIGIBN00BIg6AIx2KSf3+1cpA7IhqP7u53ByQsdgYGyABhyfhg44Zv6iIyu8y4QIfPuIbYKQSnc27hFeVhSFqCz5Wn+a2OrEN2oeBGUbegvXb0fsVU8ygJMcPS9xls0vPRzrWyZJ/Nej2djxNhczVmggpIA6PwTAxm2CkHdL7XbF0tQKVQ3plmI4ncEJQGe2dHkzPn5YJ9/4IkGtsLj208HPecE3C98cKyfreJQEsAvFXVqcan49Z7jp0ZoZ2c7W8VhVIAw09/FrwxUe4+SAH7Dj2odFgO+F9+fD7ZcbL3FoiTA7Mlz/FpIfHMtv4aPye9fEUBFgB8HM3z3toatf/NfloDqDqQkQOSboJ8AkdkG/QYh1U5cDEh/lEE+yzoIRX4UBn6NEM5DhDCA8xAhn4tXL9M9DWm2ikdZAL9aBJG4HcYDkQnOAr8nNegF6AkmQNQRfS/w5Kmao7/sD0RAUFTwpMbEM3w4f2TfO75PnnSzTUsA4Hd76qJzgUECA9XhZyHaAmBHONMz6FsKAI2xq+9j530pIOqdzU85734g9Te0Nih1/oVoCwCwL2N/XgyUAwaWsfGzNH1t1lkD/P/q8jg7vJ62bqpz1othqscYEQAslq4m0SmrfIwJABA5dOugctABaY8Zw0TkXYwKANATju4/ENgYVUDD2/lyu3bN52NcABeUBO4XdLMBUcecbyrl8wlNAIBhaQ/fODWlt3mOzUFgvO3P4Ccy/cpDzlIIVYCFoDS2bnrQ6fTICojjlgnSG04i2tghjp/6xniq+7FsAvxfWRGgPFmbJZLFP00sCcQ5/Fh6iFOgnleRQ/z9Y+lEO5HdzesIYnWISueInP0bryKHc2CC3ymShybcIzNs4tBU1Z+2zEopV/Oy5BFCTK+yRCJ3aApUpBLb7Xn7czZLnoJjcy5RODvoe3DSBZkgbdlXauWAtBeWaHYj71IgAEBPmLPtvSXTGLnhlVnWXtQ85eEpgIsjxDxtF2SnJIkqumEmRp7wSE5KskbLYjTk5bjLX0ZRsn3tBhmcAAAAAElFTkSuQmCC',
   *   vector: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#0B3D2E"/><circle cx="32" cy="32" r="16" fill="none" stroke="#FFFFFF" stroke-width="6"/></svg>',
   * });
   * ```
   */
  create(params: CreateAsset, options?: RequestOptions): ApiPromise<Asset>;

  /**
   * List logos.
   *
   * Returns the newest 500 assets, newest first.
   *
   * @example
   * ```ts
   * const assetList = await signpost.assets.list();
   * ```
   */
  list(options?: RequestOptions): ApiPromise<AssetList>;

  /**
   * Get a logo.
   *
   * Returns what is known about the asset. Its picture has its own endpoint.
   *
   * @example
   * ```ts
   * const asset = await signpost.assets.get('ast_01kj51dcn1e00s78qhap6dcc1z');
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<Asset>;

  /**
   * Download a logo.
   *
   * Returns the picture as it is stored. `svg` needs an asset with a vector.
   *
   * Returns a `Response`: read it with `.arrayBuffer()`, `.text()` or `.body`.
   *
   * @example
   * ```ts
   * const file = await signpost.assets.download('ast_01kj51dcn1e00s78qhap6dcc1z', {
   *   format: 'svg',
   * });
   * const bytes = await file.arrayBuffer();
   * ```
   */
  download(id: string, params?: DownloadAssetQuery, options?: RequestOptions): ApiPromise<Response>;

  /**
   * Delete a logo.
   *
   * Deletes an asset that no code and no design uses. For about an hour its bytes still count against the limit of your plan, and uploading the same picture restores it.
   *
   * @example
   * ```ts
   * const deletedAsset = await signpost.assets.delete('ast_01kj51m65ge01az0y7ae5bzpvs');
   * ```
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedAsset>;
};

/** The methods of `signpost.designs`. */
export type DesignsMethods = {
  /**
   * Create a design.
   *
   * Saves a style, and a frame for downloads, under a name. An account can have at most 100 designs per mode.
   *
   * @example
   * ```ts
   * const design = await signpost.designs.create({
   *   name: 'House style',
   *   style: {
   *     dotsType: 'rounded',
   *     cornersSquareColor: '#0B3D2E',
   *     dotsGradient: {
   *       type: 'linear',
   *       rotation: 45,
   *       stops: [{ offset: 0, color: '#0B3D2E' }, { offset: 1, color: '#1F4E79' }],
   *     },
   *     logo: { asset_id: 'ast_01kj51dcn1e00s78qhap6dcc1z', size: 'medium', shape: 'circle' },
   *   },
   *   frame: { type: 'label-below', text: 'Scan for the menu' },
   *   is_default: true,
   * });
   * ```
   */
  create(params: CreateDesign, options?: RequestOptions): ApiPromise<Design>;

  /**
   * List designs.
   *
   * Returns all designs, oldest first.
   *
   * @example
   * ```ts
   * const designList = await signpost.designs.list();
   * ```
   */
  list(options?: RequestOptions): ApiPromise<DesignList>;

  /**
   * Get a design.
   *
   * Returns the design.
   *
   * @example
   * ```ts
   * const design = await signpost.designs.get('dsn_01kj51m65ge00t3wrw6jhpy23g');
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<Design>;

  /**
   * Update a design.
   *
   * Changes the design. Codes that were created with it stay as they are.
   *
   * @example
   * ```ts
   * const design = await signpost.designs.update('dsn_01kj51m65ge00t3wrw6jhpy23g', {
   *   name: 'House style 2026',
   * });
   * ```
   */
  update(id: string, params: UpdateDesign, options?: RequestOptions): ApiPromise<Design>;

  /**
   * Delete a design.
   *
   * Deletes the design. Codes that were created with it stay as they are.
   *
   * @example
   * ```ts
   * const deletedDesign = await signpost.designs.delete('dsn_01kj51m65ge01bx1mebg7z7tye');
   * ```
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedDesign>;
};

/** The methods of `signpost.domains`. */
export type DomainsMethods = {
  /**
   * List domains.
   *
   * Returns the domains of the account by host, in live and test mode alike. Short links of live codes can be on one of them instead of the host of the service: name it as `domain` when you create a code. The operator of the service adds and removes domains.
   *
   * @example
   * ```ts
   * const domainList = await signpost.domains.list();
   * ```
   */
  list(options?: RequestOptions): ApiPromise<DomainList>;
};

/** The methods of `signpost.sheets`. */
export type SheetsMethods = {
  /**
   * Print a sheet of labels.
   *
   * Returns a PDF with one label per code and copy, for sheets of adhesive labels. Codes whose links cannot be compact get usual images in a compact style; `X-Signpost-Warning` names them. Print it at its actual size. Nothing is stored. If it fails midway, the connection is closed before the end of the file.
   *
   * Returns a `Response`: read it with `.arrayBuffer()`, `.text()` or `.body`.
   *
   * @example
   * ```ts
   * const file = await signpost.sheets.create({
   *   qr_ids: ['qr_01kj4wa8yye01aqfh21zr9kh9r'],
   *   layout: 'avery-l7160',
   *   caption: 'short_url',
   *   copies: 21,
   *   design_id: 'dsn_01kj51m65ge00t3wrw6jhpy23g',
   * });
   * const bytes = await file.arrayBuffer();
   * ```
   */
  create(params: CreateSheet, options?: RequestOptions): ApiPromise<Response>;
};

/** The methods of `signpost.images`. */
export type ImagesMethods = {
  /**
   * Download many images.
   *
   * Returns a ZIP with the image of each code, named after its short code, and a `manifest.csv`. Codes whose links cannot be compact get usual images in a compact style; `X-Signpost-Warning` names them. Nothing is stored. If it fails midway, the connection is closed before the end of the file.
   *
   * Returns a `Response`: read it with `.arrayBuffer()`, `.text()` or `.body`.
   *
   * @example
   * ```ts
   * const file = await signpost.images.zip({ filter: { status: 'active' }, format: 'svg' });
   * const bytes = await file.arrayBuffer();
   * ```
   */
  zip(params: ZipImages, options?: RequestOptions): ApiPromise<Response>;
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
} as const;
