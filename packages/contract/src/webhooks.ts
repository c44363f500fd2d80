import Type from 'typebox';
import { Pagination, pageQuery } from './pages.ts';
import { WebhookUrl } from './urls.ts';
import { words } from './words.ts';

/** What an endpoint can be told. scan.created where it says nothing. */
export const webhookEventKinds = [
  'scan.created',
  'qrcode.suspended',
  'qrcode.released',
  'account.suspended',
  'account.released',
] as const;
export type WebhookEventKind = (typeof webhookEventKinds)[number];
export const disabledReasons = ['by_owner', 'gone', 'failing'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export const waitReasons = ['host_rate', 'first_success'] as const;
export const attemptErrors = [
  'status',
  'timeout',
  'dns',
  'blocked_address',
  'connection',
  'tls',
  'disabled',
  'event_removed',
] as const;

const reasonText =
  'Why, as text for people: written by the operator, or by the service where a list or a blocked host stopped it.';

const timestamp = (description: string) => Type.String({ format: 'date-time', description });
const maybeTimestamp = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const maybeInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
const maybeWord = <const Word extends string>(list: readonly Word[], description: string) =>
  Type.Unsafe<Word | null>({ type: ['string', 'null'], enum: [...list, null], description });
const webhookId = () =>
  Type.String({ pattern: '^whk_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like whk_…' });
const deliveryId = () =>
  Type.String({
    pattern: '^msg_[0-9a-hjkmnp-tv-z]{26}$',
    'x-form': 'an id that looks like msg_…',
    description: 'The same as the header webhook-id of every try.',
  });

const Description = Type.String({
  maxLength: 255,
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
  'x-form': 'at most 255 characters of well-formed text',
  description: 'A note for yourself.',
});

const eventKind = () =>
  words(
    webhookEventKinds,
    'scan.created: a code was scanned; qrcode.suspended: a code was stopped for safety; qrcode.released: its last suspension was released; account.suspended: the account was stopped for safety; account.released: it was released.',
  );

const Events = Type.Array(eventKind(), {
  minItems: 1,
  maxItems: webhookEventKinds.length,
  uniqueItems: true,
  'x-form': `a list of ${webhookEventKinds.join(', ')}, each at most once`,
  description: 'What is sent. Default ["scan.created"].',
});

export const Webhook = Type.Object(
  {
    id: webhookId(),
    url: Type.String(),
    description: Type.String(),
    events: Type.Array(eventKind(), { description: 'What is sent.' }),
    enabled: Type.Boolean({ description: 'false: nothing is sent.' }),
    disabled_reason: maybeWord(
      disabledReasons,
      'by_owner: an update said so; gone: the receiver answered 410; failing: nothing but failures for five days.',
    ),
    failing_since: maybeTimestamp('The first failed try since the last success; null while all is well.'),
    old_secret_expires_at: maybeTimestamp('While a secret rotates: until when the old one signs too.'),
    created_at: timestamp('ISO 8601, UTC.'),
    updated_at: timestamp('ISO 8601, UTC.'),
  },
  { title: 'Webhook', additionalProperties: false },
);

const secret = () =>
  Type.String({
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    'x-form': 'a secret that looks like whsec_…',
    description: 'Signs every delivery. Shown here and never again: keep it.',
  });

export const CreatedWebhook = Type.Object(
  { ...Webhook.properties, secret: secret() },
  { title: 'CreatedWebhook', additionalProperties: false },
);

export const CreateWebhook = Type.Object(
  {
    url: WebhookUrl,
    description: Type.Optional(Description),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean({ description: 'Default true.' })),
  },
  { title: 'CreateWebhook', additionalProperties: false },
);

export const UpdateWebhook = Type.Object(
  {
    url: Type.Optional(WebhookUrl),
    description: Type.Optional(Description),
    events: Type.Optional({
      ...Events,
      description: 'All that is sent from now on. What waits of a kind that is not named is not sent.',
    }),
    enabled: Type.Optional(
      Type.Boolean({ description: 'false stops deliveries at once; true resumes and clears failing_since.' }),
    ),
  },
  { title: 'UpdateWebhook', additionalProperties: false, description: 'Only the fields to change.' },
);

export const WebhookList = Type.Object(
  { data: Type.Array(Webhook) },
  { title: 'WebhookList', additionalProperties: false },
);

export const DeletedWebhook = Type.Object(
  { deleted: Type.Literal(true), id: webhookId() },
  { title: 'DeletedWebhook', additionalProperties: false },
);

export const RotateWebhookSecret = Type.Object(
  {
    old_secret_expires_in: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description:
          'Seconds for which the old secret signs too. Default a day, at most a week; 0 ends it at once.',
      }),
    ),
  },
  { title: 'RotateWebhookSecret', additionalProperties: false },
);

export const Attempt = Type.Object(
  {
    at: timestamp('When the try began.'),
    duration_ms: Type.Integer({ minimum: 0 }),
    succeeded: Type.Boolean(),
    response_status: maybeInteger('null where no answer came.'),
    error: maybeWord(
      attemptErrors,
      'Why it failed. status: an answer that is not 2xx; timeout: not answered in whole within 15 s; disabled: the endpoint was off, nothing was sent; event_removed: the endpoint no longer takes this event, nothing was sent.',
    ),
    response_body: Type.String({ description: 'The first 1,024 bytes of the answer.' }),
  },
  { title: 'WebhookAttempt', additionalProperties: false },
);

const deliveryFields = {
  id: deliveryId(),
  webhook_id: webhookId(),
  event: words(webhookEventKinds),
  test: Type.Boolean({ description: 'true for what `send test` made.' }),
  status: words(deliveryStatuses, 'pending: a try is to come; failed: no more are.'),
  attempts: Type.Integer({ minimum: 0, description: 'Tries so far, those of replays included.' }),
  response_status: maybeInteger('Of the last try.'),
  error: maybeWord(attemptErrors, 'Of the last try.'),
  created_at: timestamp('When the event happened.'),
  last_attempt_at: maybeTimestamp('ISO 8601, UTC.'),
  next_attempt_at: maybeTimestamp('null unless pending.'),
  waiting_for: maybeWord(
    waitReasons,
    'Why the next try waits, where a limit holds it back. host_rate: its host gets no more tries a second; first_success: the webhook has never answered 2xx at this URL, so it gets 10 tries a minute until it does. No try of the schedule is used up by the wait.',
  ),
};

export const Delivery = Type.Object(deliveryFields, {
  title: 'WebhookDelivery',
  additionalProperties: false,
});

export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    body: Type.String({ description: 'What is sent, byte for byte.' }),
    attempt_log: Type.Array(Attempt, { description: 'Oldest first; kept for 30 days.' }),
  },
  { title: 'WebhookDeliveryDetail', additionalProperties: false },
);

export const ListDeliveriesQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  status: Type.Optional(words(deliveryStatuses, 'Only deliveries of this status.')),
});

export const DeliveryList = Type.Object(
  { data: Type.Array(Delivery), pagination: Pagination },
  { title: 'WebhookDeliveryList', additionalProperties: false },
);

export const ReplayFailed = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Events that happened at or after this moment. ISO 8601.',
    }),
  },
  { title: 'ReplayFailed', additionalProperties: false },
);

export const ReplayResult = Type.Object(
  { replayed: Type.Integer({ minimum: 0, description: 'Deliveries that are tried again now.' }) },
  { title: 'ReplayResult', additionalProperties: false },
);

/** What is sent to the owner's URL when a code was scanned. */
export const ScanCreatedEvent = Type.Object(
  {
    event: Type.Literal('scan.created'),
    timestamp: timestamp('When the code was scanned.'),
    data: Type.Object(
      {
        qr_id: Type.String(),
        scan_id: Type.String(),
        country: Type.String({ description: 'Two letters; XX where it is not known.' }),
        city: Type.String({ description: 'Empty where it is not known.' }),
        device: Type.String(),
        is_unique: Type.Boolean(),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'ScanCreatedEvent', additionalProperties: false },
);

/** What is sent when a code was stopped for safety. */
export const QrCodeSuspendedEvent = Type.Object(
  {
    event: Type.Literal('qrcode.suspended'),
    timestamp: timestamp('When the code was stopped.'),
    data: Type.Object(
      {
        qr_id: Type.String(),
        reason: Type.String({ description: reasonText }),
        suspended_at: timestamp('ISO 8601, UTC.'),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'QrCodeSuspendedEvent', additionalProperties: false },
);

/** What is sent when the last suspension of a code was released. */
export const QrCodeReleasedEvent = Type.Object(
  {
    event: Type.Literal('qrcode.released'),
    timestamp: timestamp('When the code was released.'),
    data: Type.Object(
      {
        qr_id: Type.String(),
        reason: Type.String({ description: 'Why it had been stopped.' }),
        released_at: timestamp('ISO 8601, UTC.'),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'QrCodeReleasedEvent', additionalProperties: false },
);

/** What is sent when a whole account was stopped for safety. */
export const AccountSuspendedEvent = Type.Object(
  {
    event: Type.Literal('account.suspended'),
    timestamp: timestamp('When the account was stopped.'),
    data: Type.Object(
      {
        account_id: Type.String(),
        reason: Type.String({ description: 'Why, as text for people: written by the operator.' }),
        suspended_at: timestamp('ISO 8601, UTC.'),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'AccountSuspendedEvent', additionalProperties: false },
);

/** What is sent when an account that was stopped was released. */
export const AccountReleasedEvent = Type.Object(
  {
    event: Type.Literal('account.released'),
    timestamp: timestamp('When the account was released.'),
    data: Type.Object(
      {
        account_id: Type.String(),
        reason: Type.String({ description: 'Why it had been stopped.' }),
        released_at: timestamp('ISO 8601, UTC.'),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'AccountReleasedEvent', additionalProperties: false },
);

export type Webhook = Type.Static<typeof Webhook>;
export type CreatedWebhook = Type.Static<typeof CreatedWebhook>;
export type CreateWebhook = Type.Static<typeof CreateWebhook>;
export type UpdateWebhook = Type.Static<typeof UpdateWebhook>;
export type WebhookList = Type.Static<typeof WebhookList>;
export type RotateWebhookSecret = Type.Static<typeof RotateWebhookSecret>;
export type Attempt = Type.Static<typeof Attempt>;
export type Delivery = Type.Static<typeof Delivery>;
export type DeliveryDetail = Type.Static<typeof DeliveryDetail>;
export type ListDeliveriesQuery = Type.Static<typeof ListDeliveriesQuery>;
export type ReplayFailed = Type.Static<typeof ReplayFailed>;
export type ScanCreatedEvent = Type.Static<typeof ScanCreatedEvent>;
export type QrCodeSuspendedEvent = Type.Static<typeof QrCodeSuspendedEvent>;
export type QrCodeReleasedEvent = Type.Static<typeof QrCodeReleasedEvent>;
export type AccountSuspendedEvent = Type.Static<typeof AccountSuspendedEvent>;
export type AccountReleasedEvent = Type.Static<typeof AccountReleasedEvent>;
