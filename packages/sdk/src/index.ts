export type { ApiPromise, WithResponse } from './api-promise.ts';
export * from './errors.ts';
export type * from './generated.ts';
export type * from './methods.ts';
export type { Feed, FeedPage, Page, Pages } from './pages.ts';
export { Signpost, type SignpostOptions } from './signpost.ts';
export type { Fetch, OnRetry, RequestOptions, Retry } from './transport.ts';
export { type VerifyOptions, type WebhookHeaders, webhooks } from './webhooks.ts';
