import type { ErrorBody } from './errors.ts';
import recorded from './examples.json' with { type: 'json' };
import type { operations } from './operations.ts';
import type { WebhookEventKind } from './webhooks.ts';

/**
 * Requests and answers of a running service, recorded by `npm run examples`. Ids, times and secrets are replaced by fixed ones
 * of the same form, the same id by the same one everywhere.
 */
export const operationExamples = recorded.operations as Readonly<
  Record<keyof typeof operations, OperationExample>
>;

export type OperationExample = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly contentType: string;
  /** JSON, or the text of a file. Of the OpenAPI document only its first members. */
  readonly response: unknown;
  /** Where the operation answers in several media types: the same in another one. */
  readonly otherResponses?: Readonly<Record<string, unknown>>;
};

/** Refusals, at least one for each code. */
export const errorExamples = recorded.errors as readonly ErrorExample[];

export type ErrorExample = {
  /** Null for a path that is not an operation. */
  readonly operation: keyof typeof operations | null;
  readonly status: number;
  readonly response: ErrorBody;
};

/** What a receiver of webhooks gets. */
export const eventExamples = recorded.events as Readonly<Record<WebhookEventKind, EventExample>>;

export type EventExample = {
  /** The signature verifies with `secret` and the bytes of `body`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
};
