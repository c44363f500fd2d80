import Type from 'typebox';
import { AccountUsage } from './account-usage.ts';
import {
  AccountScanExport,
  AccountScanList,
  AccountScansQuery,
  AggregateAnalytics,
  AggregateExportQuery,
  AggregatePeriodQuery,
  AggregateQuery,
  AnalyticsSummary,
  ExportQuery,
  PeriodQuery,
  ScanExport,
  ScanList,
  ScansQuery,
  SeriesQuery,
  Timeseries,
  WeekHours,
} from './analytics.ts';
import { auditOperations } from './audit-operations.ts';
import { designOperations } from './design-operations.ts';
import { domainOperations } from './domains.ts';
import type { ErrorCode } from './errors.ts';
import { DownloadQuery } from './images.ts';
import type { Operation } from './operation.ts';
import {
  codeBodyLimit,
  codeParams,
  createErrors,
  organiseOperations,
  wholeCodeBodyLimit,
} from './organise-operations.ts';
import { rolePermissions } from './permissions.ts';
import { placementOperations } from './placement-operations.ts';
import {
  BulkCreateQrCodes,
  BulkResult,
  CreateQrCode,
  DeletedQrCode,
  ListQrCodesQuery,
  QrCode,
  QrCodeList,
  UpdateQrCode,
} from './qrcodes.ts';
import { RulesTest, TestRules } from './rules.ts';
import { shareLinkOperations } from './share-link-operations.ts';
import { tenantOperations } from './tenant-operations.ts';
import { testScanOperations } from './test-scans.ts';
import { webhookOperations } from './webhook-operations.ts';

export type { AuthScheme, Operation, Success } from './operation.ts';

/** Refusals that any operation can give. */
export const commonErrors: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'uri_too_long',
  'rate_limit_exceeded',
  'internal_error',
  'unavailable',
];

/** Refusals of a body, also of one that nobody asked for: only with GET is it passed over unread. */
export const bodyErrors: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
];

/** Refusals that come with an Idempotency-Key. */
export const idempotencyErrors: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused'];

const params = codeParams;

const summary = {
  method: 'GET',
  tag: 'Analytics',
  params,
  query: PeriodQuery,
  success: { status: 200, description: 'The summary.', schema: AnalyticsSummary },
  errors: ['not_found', 'period_not_retained', 'timeout'],
} as const;

const weekHours = {
  method: 'GET',
  tag: 'Analytics',
  query: PeriodQuery,
  success: { status: 200, description: 'The hours of the week.', schema: WeekHours },
} as const;

export const operations = {
  createQrCode: {
    id: 'createQrCode',
    method: 'POST',
    path: '/v1/qrcodes',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Create a QR code',
    description: 'Creates a code that redirects immediately. If you omit `short_code`, one is generated.',
    body: CreateQrCode,
    bodyLimit: codeBodyLimit,
    etag: true,
    success: { status: 201, description: 'The new code.', schema: QrCode },
    errors: [...createErrors, 'external_id_taken'],
  },
  listQrCodes: {
    id: 'listQrCodes',
    method: 'GET',
    path: '/v1/qrcodes',
    authScheme: 'apiKey',
    permission: 'qrcodes:read',
    tag: 'QR codes',
    summary: 'List QR codes',
    description:
      'Returns the newest first, unless you choose another order. A page after the last one is empty. With filters other than `status`, up to 1,000 matches are counted and can be reached by page, and a page beyond them is 400 `too_many_codes`: use `starting_after` to walk through all matches. With `search`, likewise in every order. A search text without three letters or digits in a row is looked for in the newest 20,000 codes.',
    query: ListQrCodesQuery,
    success: { status: 200, description: 'One page of codes.', schema: QrCodeList },
    errors: ['too_many_codes'],
  },
  bulkCreateQrCodes: {
    id: 'bulkCreateQrCodes',
    method: 'POST',
    path: '/v1/qrcodes/bulk',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Create many QR codes',
    description:
      'Creates up to 500 codes in one call. The call counts as one request against the rate limit, and every item counts against the creation limit. Each item succeeds or fails on its own, unless `atomic` is true: then nothing is created if any item is invalid, and `errors` in the response lists every invalid item.',
    body: BulkCreateQrCodes,
    bodyLimit: 5 * 1024 * 1024,
    ifMatch: 'refused',
    success: { status: 200, description: 'The outcome of each item.', schema: BulkResult },
    errors: [...createErrors, 'external_id_taken'],
  },
  getQrCode: {
    id: 'getQrCode',
    method: 'GET',
    path: '/v1/qrcodes/{id}',
    authScheme: 'apiKey',
    permission: 'qrcodes:read',
    tag: 'QR codes',
    summary: 'Get a QR code',
    description: 'Returns the code with its style and scan counts.',
    params,
    etag: true,
    success: { status: 200, description: 'The code.', schema: QrCode },
    errors: ['not_found'],
  },
  updateQrCode: {
    id: 'updateQrCode',
    method: 'PATCH',
    path: '/v1/qrcodes/{id}',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    summary: 'Update a QR code',
    description:
      'Changes the fields that the body names: the name or the destination, for example. `active` pauses, resumes or publishes the code. The printed image keeps working. You can also send the whole code back as you read it, with some fields changed: read-only fields are ignored if they change by themselves, and refused if their value was changed. `metadata` is merged: a key that you leave out stays, and null removes it.',
    params,
    body: UpdateQrCode,
    bodyLimit: wholeCodeBodyLimit,
    ifMatch: 'code',
    etag: true,
    success: { status: 200, description: 'The updated code.', schema: QrCode },
    errors: [
      'invalid_url',
      'invalid_rule',
      'destination_blocked',
      'quota_exceeded',
      'not_found',
      'external_id_taken',
      'invalid_transition',
      'precondition_failed',
    ],
  },
  testRules: {
    id: 'testRules',
    method: 'POST',
    path: '/v1/qrcodes/{id}/rules/test',
    authScheme: 'apiKey',
    permission: 'qrcodes:read',
    tag: 'QR codes',
    summary: 'Try the rules of a QR code',
    description:
      'Says where a scan would be redirected, and why. With `rules`, it tries those without saving them. No scan is recorded.',
    params,
    body: TestRules,
    bodyOptional: true,
    bodyLimit: codeBodyLimit,
    whileSuspended: true,
    changesNothing: true,
    success: { status: 200, description: 'What the scan would lead to.', schema: RulesTest },
    errors: ['not_found', 'invalid_rule', 'invalid_url'],
  },
  deleteQrCode: {
    id: 'deleteQrCode',
    method: 'DELETE',
    path: '/v1/qrcodes/{id}',
    authScheme: 'apiKey',
    permission: 'qrcodes:delete',
    tag: 'QR codes',
    summary: 'Delete a QR code',
    description:
      'Permanently deletes the code. The short link stops working immediately, and its short code is never given to another account: create with `reclaim` to use it again. The short code of a test code becomes available again.',
    params,
    whileSuspended: true,
    ifMatch: 'code',
    success: { status: 200, description: 'The code was deleted.', schema: DeletedQrCode },
    errors: ['not_found', 'precondition_failed'],
  },
  downloadQrCode: {
    id: 'downloadQrCode',
    method: 'GET',
    path: '/v1/qrcodes/{id}/download',
    authScheme: 'apiKey',
    permission: 'qrcodes:read',
    tag: 'QR codes',
    summary: 'Download the image',
    description:
      'Returns the image as a file, in the style of the code or, for this download only, in that of a design. For given parameters it never changes unless the design does: send its `ETag` as `If-None-Match` to get a 304 instead. Images with at least 3 pixels per module (about 130 pixels for a typical short link) are large enough to scan.',
    params,
    query: DownloadQuery,
    success: {
      status: 200,
      description: 'The image.',
      files: ['image/png', 'image/svg+xml', 'application/pdf', 'application/postscript'],
    },
    errors: ['not_found', 'unscannable_style'],
  },
  ...organiseOperations,
  ...placementOperations,
  getAnalytics: {
    id: 'getAnalytics',
    path: '/v1/qrcodes/{id}/analytics',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    summary: 'Get the analytics summary',
    description:
      'Returns scans and visitors in a period by country, city, device and browser. Defaults to the last 30 days, including today.',
    ...summary,
  },
  listScans: {
    id: 'listScans',
    method: 'GET',
    path: '/v1/qrcodes/{id}/analytics/scans',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    tag: 'Analytics',
    summary: 'List scans',
    description: 'Returns the newest first. A page after the last one is empty.',
    params,
    query: ScansQuery,
    success: { status: 200, description: 'One page of scans.', schema: ScanList },
    errors: ['not_found', 'timeout'],
  },
  getTimeseries: {
    id: 'getTimeseries',
    method: 'GET',
    path: '/v1/qrcodes/{id}/analytics/timeseries',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    tag: 'Analytics',
    summary: 'Get scans over time',
    description:
      'Returns one entry per interval, from the one that contains the start of the period to the one that contains its end. The first and the last entry count only scans within the period.',
    params,
    query: SeriesQuery,
    success: { status: 200, description: 'The series.', schema: Timeseries },
    errors: ['not_found', 'period_not_retained', 'timeout'],
  },
  getWeekHours: {
    id: 'getWeekHours',
    path: '/v1/qrcodes/{id}/analytics/week-hours',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    summary: 'Get scans by weekday and hour',
    description:
      'Returns the number of scans in the period for each hour of the week, in `timezone`. When clocks go back, scans from both passes of the repeated hour count into the same entry.',
    params,
    ...weekHours,
    errors: ['not_found', 'period_not_retained', 'timeout'],
  },
  exportScans: {
    id: 'exportScans',
    method: 'GET',
    path: '/v1/qrcodes/{id}/analytics/export',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    tag: 'Analytics',
    summary: 'Export scans',
    description:
      'Returns every scan in the period as a file, newest first. The file name contains the first and the last day in `timezone`. CSV files follow RFC 4180 and have a header row; what a spreadsheet could read as a formula has an apostrophe before it, also after a semicolon, a tab or a line break. If the export fails midway, the connection is closed before the end of the file.',
    params,
    query: ExportQuery,
    success: {
      status: 200,
      description: 'The file.',
      streams: { 'text/csv': null, 'application/json': ScanExport },
    },
    errors: ['not_found', 'timeout'],
  },
  getAggregateAnalytics: {
    id: 'getAggregateAnalytics',
    method: 'GET',
    path: '/v1/analytics/aggregate',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    tag: 'Analytics',
    summary: 'Get aggregate analytics',
    description:
      'Returns analytics for all codes in the account, or for those with a tag. Deleted codes are not counted.',
    query: AggregateQuery,
    success: {
      status: 200,
      description: 'The aggregate.',
      schema: AggregateAnalytics,
    },
    errors: ['too_many_codes', 'period_not_retained', 'timeout'],
  },
  getAggregateWeekHours: {
    id: 'getAggregateWeekHours',
    path: '/v1/analytics/week-hours',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    summary: 'Get scans of all codes by weekday and hour',
    description:
      'Returns the same data as for one code, for all codes in the account. Deleted codes are not counted.',
    ...weekHours,
    query: AggregatePeriodQuery,
    errors: ['too_many_codes', 'period_not_retained', 'timeout'],
  },
  listAccountScans: {
    id: 'listAccountScans',
    method: 'GET',
    path: '/v1/analytics/scans',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    tag: 'Analytics',
    summary: 'List scans of all codes',
    description:
      'Returns the scans of all codes in the order in which they were recorded, oldest first, so that a program can follow them: send `next_cursor` as `after` to get the scans that came since. A scan that a server could only deliver later comes later, whatever its timestamp. A page may have fewer scans than `limit`; `has_more` tells whether more are there already. Scans of deleted codes are left out.',
    query: AccountScansQuery,
    success: { status: 200, description: 'The next scans.', schema: AccountScanList },
    errors: ['timeout'],
  },
  exportAccountScans: {
    id: 'exportAccountScans',
    method: 'GET',
    path: '/v1/analytics/export',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    tag: 'Analytics',
    summary: 'Export scans of all codes',
    description:
      'Returns every scan of every code in the period as a file, grouped by code. Otherwise like the export of one code.',
    query: AggregateExportQuery,
    success: {
      status: 200,
      description: 'The file.',
      streams: { 'text/csv': null, 'application/json': AccountScanExport },
    },
    errors: ['too_many_codes', 'timeout'],
  },
  getAnalyticsOfQrCode: {
    id: 'getAnalyticsOfQrCode',
    path: '/v1/analytics/qrcodes/{id}',
    authScheme: 'apiKey',
    permission: 'analytics:read',
    summary: 'Get the analytics summary (alternative path)',
    description: 'Same as `/v1/qrcodes/{id}/analytics`.',
    ...summary,
  },
  ...shareLinkOperations,
  ...designOperations,
  ...domainOperations,
  ...testScanOperations,
  ...webhookOperations,
  getAccount: {
    id: 'getAccount',
    method: 'GET',
    path: '/v1/account',
    authScheme: 'apiKey',
    permission: 'account:read',
    tag: 'Account',
    summary: 'Get the account',
    description:
      'Returns the account with its plan, every limit and what is used of it, in the mode of the API key, and whether it is suspended.',
    success: { status: 200, description: 'The account.', schema: AccountUsage },
    errors: [],
  },
  ...auditOperations,
  ...tenantOperations,
  getOpenApi: {
    id: 'getOpenApi',
    method: 'GET',
    path: '/v1/openapi.json',
    authScheme: 'anonymous',
    tag: 'About',
    summary: 'Get the OpenAPI document',
    description: 'Returns this document in OpenAPI 3.1. No API key needed.',
    constant: true,
    success: {
      status: 200,
      description: 'The document.',
      schema: Type.Object({}, { additionalProperties: true }),
    },
    errors: [],
  },
} as const satisfies Record<string, Operation>;

/** Whether it leaves an event in the audit log: everything that changes something, and exports of scans. */
export const isAudited = (operation: Operation): boolean =>
  operation.method === 'GET'
    ? 'streams' in operation.success && operation.permission === 'analytics:read'
    : !operation.changesNothing;

/** Whether an Idempotency-Key gives its first answer again. */
export const isReplayed = (operation: Operation) => operation.method === 'POST' && !operation.noReplay;

/** Whether it takes calls without credentials. */
export const isAnonymous = ({ authScheme }: Operation): boolean =>
  authScheme === 'anonymous' || authScheme === 'anonymousSameSite';

/** Whether a suspended account may do it: read, delete its codes, leave, and appeal. */
export const isForSuspended = (operation: Operation): boolean =>
  operation.method === 'GET' || operation.whileSuspended === true || isAnonymous(operation);

/** A key may lack any scope. */
const isForEveryCaller = ({ permission, authScheme }: Operation): boolean =>
  permission === undefined ||
  (authScheme !== 'apiKey' && Object.values(rolePermissions).every(held => held.has(permission)));

/** Every refusal that an operation can give. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const common = isAnonymous(operation) ? commonErrors.filter(code => code !== 'unauthorized') : commonErrors;
  const all: readonly ErrorCode[] = [
    ...common,
    ...(operation.method === 'GET' ? [] : bodyErrors),
    ...(isReplayed(operation) ? idempotencyErrors : []),
    ...operation.errors,
    ...(isForSuspended(operation) && isForEveryCaller(operation) ? [] : (['forbidden'] as const)),
  ];
  return [...new Set(all)];
}
