import type {
  WebhookEventKind,
  Attempt as WireAttempt,
  Delivery as WireDelivery,
  Webhook as WireWebhook,
} from '@signpost/contract';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';

/** Where an account wants to hear of its scans and codes, as it can be shown: all but its secrets. */
export type Webhook = {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly url: string;
  readonly description: string;
  /** What it is told. */
  readonly events: readonly EventKind[];
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  /** The first success at this URL. */
  readonly provenAt: Date | null;
  readonly oldSecretUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type EventKind = WebhookEventKind;
export type DisabledReason = NonNullable<WireWebhook['disabled_reason']>;

/** What whoever dials must know besides: the secrets, sealed. */
export type Endpoint = Webhook & { readonly secret: Buffer; readonly oldSecret: Buffer | null };

/** An endpoint with what its account's plan says about the rate of its host, where it says something. */
export type Target = Endpoint & { readonly hostRate: number | null };

/** One event for one endpoint. The id is the webhook-id of every try. */
export type Message = {
  readonly id: Uuid;
  readonly endpointId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly event: EventKind;
  /** null: a test, or something that happened to the whole account. */
  readonly qrCodeId: Uuid | null;
  readonly body: string;
  readonly createdAt: Date;
  /** The trace that its scan is part of, as a `traceparent`. */
  readonly trace?: string | undefined;
};

type Told = Pick<Message, 'event' | 'qrCodeId'>;

/** A test tells of a scan of no code. */
export const isTest = ({ event, qrCodeId }: Told): boolean => event === 'scan.created' && qrCodeId === null;

/** Whether an endpoint, as it is now, takes a message. It takes every test. */
export const takes = ({ events }: Pick<Webhook, 'events'>, message: Told): boolean =>
  isTest(message) || events.includes(message.event);

/** Which limit a message waits for. */
export type WaitReason = NonNullable<WireDelivery['waiting_for']>;

export type AttemptError = NonNullable<WireAttempt['error']>;
/** Why nothing was sent: the endpoint is off, or takes this kind of event no more. */
export type NotSent = Extract<AttemptError, 'disabled' | 'event_removed'>;
export const isNotSent = (error: AttemptError | null): error is NotSent =>
  error === 'disabled' || error === 'event_removed';
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
  readonly waitingFor: WaitReason | null;
};

/** One line of the log. */
export type LoggedAttempt = Omit<Outcome, 'retryAfterSeconds'> & { readonly id: Uuid };
