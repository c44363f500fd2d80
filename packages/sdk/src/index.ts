export * from './errors.ts';
export type * from './generated.ts';
export type { Method } from './method.ts';
export type { Page, Pages } from './pages.ts';
export { Signpost, type SignpostOptions } from './signpost.ts';
export type { Fetch, RequestOptions } from './transport.ts';
export {
  type AccountReleased,
  type AccountSuspended,
  type QrCodeReleased,
  type QrCodeSuspended,
  type ScanCreated,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
  webhooks,
} from './webhooks.ts';
