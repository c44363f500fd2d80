import type {
  Attempt as WireAttempt,
  Delivery as WireDelivery,
  Webhook as WireWebhook,
} from '@signpost/contract';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';

/** Where an account wants to hear of its scans, as it can be shown: all but its secrets. */
export type Webhook = {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly url: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  readonly oldSecretUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type DisabledReason = NonNullable<WireWebhook['disabled_reason']>;

/** What whoever dials must know besides: the secrets, sealed. */
export type Endpoint = Webhook & { readonly secret: Buffer; readonly oldSecret: Buffer | null };

/** One event for one endpoint. The id is the webhook-id of every try. */
export type Message = {
  readonly id: Uuid;
  readonly endpointId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** null: a test. */
  readonly qrCodeId: Uuid | null;
  readonly body: string;
  readonly createdAt: Date;
  /** The trace that its scan is part of, as a `traceparent`. */
  readonly trace?: string | undefined;
};

export type AttemptError = NonNullable<WireAttempt['error']>;
export type DeliveryStatus = WireDelivery['status'];

/** What came of one try. */
export type Outcome = {
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  readonly response: string;
  /** As the answer asked for it, in seconds. */
  readonly retryAfterSeconds: number | null;
};

/** A message and how far it has come. */
export type Delivery = Message & {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  readonly lastAt: Date | null;
  readonly nextAt: Date | null;
};

/** One line of the log. */
export type LoggedAttempt = Omit<Outcome, 'retryAfterSeconds'> & { readonly id: Uuid };
