import type {
  WebhookEventKind,
  Attempt as WireAttempt,
  Delivery as WireDelivery,
  Webhook as WireWebhook,
} from '@signpost/contract';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';

/** An account's URL that gets events, as its owner sees it: everything but its secrets. */
export type Webhook = {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly url: string;
  readonly description: string;
  /** The kinds of event that it subscribes to. */
  readonly events: readonly EventKind[];
  /** Whether its scan events say the rule, the target, the placement, and what the owner knows the code by. */
  readonly includeCodeDetails: boolean;
  /** Only scans of these codes, or of codes with one of these tags, are sent. Both null: all. */
  readonly qrIds: readonly Uuid[] | null;
  readonly tags: readonly string[] | null;
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

/** A webhook with its secrets, encrypted. */
export type Endpoint = Webhook & { readonly secret: Buffer; readonly oldSecret: Buffer | null };

/** An endpoint with the rate of its host, where its account's plan sets one. */
export type EndpointWithRate = Endpoint & { readonly hostRate: number | null };

/** One event for one endpoint. The id is the webhook-id of every attempt. */
export type Message = {
  readonly id: Uuid;
  readonly endpointId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly event: EventKind;
  /** Null for a test and for an event of the whole account. */
  readonly qrCodeId: Uuid | null;
  readonly body: string;
  readonly createdAt: Date;
  /** The trace that its scan is part of, as a `traceparent`. */
  readonly trace?: string | undefined;
};

type MessageEvent = Pick<Message, 'event' | 'qrCodeId'>;

/** A test is a scan of no code. */
export const isTest = ({ event, qrCodeId }: MessageEvent): boolean =>
  event === 'scan.created' && qrCodeId === null;

/** Whether an endpoint subscribes to the event of a message. It accepts every test. */
export const accepts = ({ events }: Pick<Webhook, 'events'>, message: MessageEvent): boolean =>
  isTest(message) || events.includes(message.event);

/** The limit that a message waits for. */
export type WaitReason = NonNullable<WireDelivery['waiting_for']>;

export type AttemptError = NonNullable<WireAttempt['error']>;
/** Why nothing was sent: the endpoint is disabled, or no longer subscribes to this kind of event. */
export type NotSent = Extract<AttemptError, 'disabled' | 'event_removed'>;
export const isNotSent = (error: AttemptError | null): error is NotSent =>
  error === 'disabled' || error === 'event_removed';
export type DeliveryStatus = WireDelivery['status'];

/** The result of one attempt. */
export type AttemptResult = {
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  readonly response: string;
  /** As the response asked for. */
  readonly retryAfterSeconds: number | null;
};

/** A message and its state. */
export type Delivery = Message & {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  readonly lastAt: Date | null;
  readonly nextAt: Date | null;
  readonly waitingFor: WaitReason | null;
};

/** One entry of the log. */
export type LoggedAttempt = Omit<AttemptResult, 'retryAfterSeconds'>;
