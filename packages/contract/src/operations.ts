import Type from 'typebox';
import {
  AggregateAnalytics,
  AnalyticsSummary,
  ExportQuery,
  PeriodQuery,
  ScanExport,
  ScanList,
  ScansQuery,
  SeriesQuery,
  Timeseries,
} from './analytics.ts';
import { analyticsExamples as examples } from './analytics-examples.ts';
import type { ErrorCode } from './errors.ts';
import { ImageQuery } from './images.ts';
import type { Operation } from './operation.ts';
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
import { webhookOperations } from './webhook-operations.ts';

export type { Operation, Success } from './operation.ts';

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

const params = Type.Object({ id: Type.String({ description: 'Id of the QR code, qr_….' }) });

const createErrors = [
  'invalid_url',
  'invalid_short_code',
  'reserved_short_code',
  'unscannable_style',
  'destination_blocked',
  'forbidden',
  'quota_exceeded',
  'short_code_taken',
] as const;

const summary = {
  method: 'GET',
  tag: 'Analytics',
  params,
  query: PeriodQuery,
  success: { status: 200, description: 'The summary.', schema: AnalyticsSummary, example: examples.summary },
  errors: ['not_found', 'timeout'],
} as const;

export const operations = {
  createQrCode: {
    id: 'createQrCode',
    method: 'POST',
    path: '/v1/qrcodes',
    tag: 'QR codes',
    summary: 'Create a QR code',
    description: 'Makes a code that redirects at once. Without `short_code` the service makes one up.',
    body: CreateQrCode,
    success: { status: 201, description: 'The new code.', schema: QrCode },
    errors: createErrors,
  },
  listQrCodes: {
    id: 'listQrCodes',
    method: 'GET',
    path: '/v1/qrcodes',
    tag: 'QR codes',
    summary: 'List QR codes',
    description: 'Newest first. A page past the last is empty.',
    query: ListQrCodesQuery,
    success: { status: 200, description: 'One page of codes.', schema: QrCodeList },
    errors: [],
  },
  bulkCreateQrCodes: {
    id: 'bulkCreateQrCodes',
    method: 'POST',
    path: '/v1/qrcodes/bulk',
    tag: 'QR codes',
    summary: 'Create many QR codes',
    description:
      'Up to 500 in one call, which counts once against the rate of requests and with every item against that of creations. Each item succeeds or fails by itself, unless `atomic` is true: then one bad item makes nothing, and `errors` of the answer names every bad one.',
    body: BulkCreateQrCodes,
    bodyLimit: 5 * 1024 * 1024,
    success: { status: 200, description: 'What became of each item.', schema: BulkResult },
    errors: createErrors,
  },
  getQrCode: {
    id: 'getQrCode',
    method: 'GET',
    path: '/v1/qrcodes/{id}',
    tag: 'QR codes',
    summary: 'Get a QR code',
    description: 'The whole code, with its style and scan counts.',
    params,
    success: { status: 200, description: 'The code.', schema: QrCode },
    errors: ['not_found'],
  },
  updateQrCode: {
    id: 'updateQrCode',
    method: 'PATCH',
    path: '/v1/qrcodes/{id}',
    tag: 'QR codes',
    summary: 'Update a QR code',
    description:
      'Changes the name or the destination, pauses, resumes or publishes. The printed image keeps working.',
    params,
    body: UpdateQrCode,
    success: { status: 200, description: 'The code as it is now.', schema: QrCode },
    errors: ['invalid_url', 'destination_blocked', 'not_found', 'invalid_transition'],
  },
  deleteQrCode: {
    id: 'deleteQrCode',
    method: 'DELETE',
    path: '/v1/qrcodes/{id}',
    tag: 'QR codes',
    summary: 'Delete a QR code',
    description:
      'For ever: the short link stops at once, and its short code is never given out again. That of a test code you may use again.',
    params,
    whileSuspended: true,
    success: { status: 200, description: 'Deleted.', schema: DeletedQrCode },
    errors: ['not_found'],
  },
  downloadQrCode: {
    id: 'downloadQrCode',
    method: 'GET',
    path: '/v1/qrcodes/{id}/download',
    tag: 'QR codes',
    summary: 'Download the image',
    description:
      'The image as a file. It never changes for a given format and size: keep the `ETag` and send it as `If-None-Match` to be told so with 304. From 3 pixels a module up (about 130 pixels for a usual short link) it is made to scan.',
    params,
    query: ImageQuery,
    success: { status: 200, description: 'The image.', files: ['image/png', 'image/svg+xml'] },
    errors: ['not_found'],
  },
  getAnalytics: {
    id: 'getAnalytics',
    path: '/v1/qrcodes/{id}/analytics',
    summary: 'Analytics summary',
    description:
      'Scans and visitors of a period, and where and with what they scanned. Without dates: the last 30 days with today.',
    ...summary,
  },
  listScans: {
    id: 'listScans',
    method: 'GET',
    path: '/v1/qrcodes/{id}/analytics/scans',
    tag: 'Analytics',
    summary: 'Individual scans',
    description: 'Newest first. A page past the last is empty.',
    params,
    query: ScansQuery,
    success: { status: 200, description: 'One page of scans.', schema: ScanList, example: examples.scans },
    errors: ['not_found', 'timeout'],
  },
  getTimeseries: {
    id: 'getTimeseries',
    method: 'GET',
    path: '/v1/qrcodes/{id}/analytics/timeseries',
    tag: 'Analytics',
    summary: 'Scans over time',
    description:
      'One entry an interval, from the one that holds the start of the period to the one that holds its end; of the first and the last, only what lies in the period is counted.',
    params,
    query: SeriesQuery,
    success: { status: 200, description: 'The series.', schema: Timeseries, example: examples.series },
    errors: ['not_found', 'timeout'],
  },
  exportScans: {
    id: 'exportScans',
    method: 'GET',
    path: '/v1/qrcodes/{id}/analytics/export',
    tag: 'Analytics',
    summary: 'Export scans',
    description:
      'Every scan of the period as a file, newest first. The name of the file has the first and the last day in `timezone`. CSV is RFC 4180 with a header line; a cell that a spreadsheet could take for a formula begins with an apostrophe; `bom=true` makes it one that Excel opens in UTF-8 by itself. A file that could not be finished ends with the connection: without its last bytes it is not whole.',
    params,
    query: ExportQuery,
    success: {
      status: 200,
      description: 'The file.',
      streams: { 'text/csv': null, 'application/json': ScanExport },
      examples: { 'text/csv': examples.csv, 'application/json': examples.json },
    },
    errors: ['not_found', 'timeout'],
  },
  getAggregateAnalytics: {
    id: 'getAggregateAnalytics',
    method: 'GET',
    path: '/v1/analytics/aggregate',
    tag: 'Analytics',
    summary: 'Aggregate analytics',
    description: 'All codes of the account together. A deleted code is no longer counted.',
    query: SeriesQuery,
    success: {
      status: 200,
      description: 'The aggregate.',
      schema: AggregateAnalytics,
      example: examples.aggregate,
    },
    errors: ['timeout'],
  },
  getAnalyticsOfQrCode: {
    id: 'getAnalyticsOfQrCode',
    path: '/v1/analytics/qrcodes/{id}',
    summary: 'Analytics summary, by another path',
    description: 'Answers as `/v1/qrcodes/{id}/analytics`.',
    ...summary,
  },
  ...webhookOperations,
  getOpenApi: {
    id: 'getOpenApi',
    method: 'GET',
    path: '/v1/openapi.json',
    tag: 'About',
    summary: 'This document',
    description: 'OpenAPI 3.1. Needs no key.',
    public: true,
    constant: true,
    success: {
      status: 200,
      description: 'The document.',
      schema: Type.Object({}, { additionalProperties: true }),
    },
    errors: [],
  },
} as const satisfies Record<string, Operation>;

/** Whether an Idempotency-Key gives its first answer again. */
export const isReplayed = (operation: Operation) => operation.method === 'POST' && !operation.noReplay;

/** Whether a suspended account may do it: read, delete its codes, leave, and appeal. */
export const isForSuspended = ({ method, whileSuspended, public: isPublic }: Operation): boolean =>
  method === 'GET' || whileSuspended === true || isPublic === true;

/** Every refusal that an operation can give. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const common = operation.public ? commonErrors.filter(code => code !== 'unauthorized') : commonErrors;
  const all: readonly ErrorCode[] = [
    ...common,
    ...(operation.method === 'GET' ? [] : bodyErrors),
    ...(isReplayed(operation) ? idempotencyErrors : []),
    ...operation.errors,
    ...(isForSuspended(operation) ? [] : (['forbidden'] as const)),
  ];
  return [...new Set(all)];
}
