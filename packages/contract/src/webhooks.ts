import Type from 'typebox';
import { Pagination, pageQuery } from './pages.ts';
import { WebhookUrl } from './urls.ts';
import { words } from './words.ts';

export const disabledReasons = ['by_owner', 'gone', 'failing'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export const attemptErrors = [
  'status',
  'timeout',
  'dns',
  'blocked_address',
  'connection',
  'tls',
  'disabled',
] as const;

const timestamp = (description: string) => Type.String({ format: 'date-time', description });
const maybeTimestamp = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const maybeInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
const maybeWord = <const Word extends string>(list: readonly Word[], description: string) =>
  Type.Unsafe<Word | null>({ type: ['string', 'null'], enum: [...list, null], description });
const webhookId = () => Type.String({ pattern: '^whk_[0-9a-hjkmnp-tv-z]{26}$' });
const deliveryId = () =>
  Type.String({
    pattern: '^msg_[0-9a-hjkmnp-tv-z]{26}$',
    description: 'The same as the header webhook-id of every try.',
  });

const Description = Type.String({
  maxLength: 255,
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
  description: 'A note for yourself.',
});

export const Webhook = Type.Object(
  {
    id: webhookId(),
    url: Type.String(),
    description: Type.String(),
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
    enabled: Type.Optional(Type.Boolean({ description: 'Default true.' })),
  },
  { title: 'CreateWebhook', additionalProperties: false },
);

export const UpdateWebhook = Type.Object(
  {
    url: Type.Optional(WebhookUrl),
    description: Type.Optional(Description),
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
      'Why it failed. status: an answer that is not 2xx; timeout: not answered in whole within 15 s; disabled: the endpoint was off, nothing was sent.',
    ),
    response_body: Type.String({ description: 'The first 1,024 bytes of the answer.' }),
  },
  { title: 'WebhookAttempt', additionalProperties: false },
);

const deliveryFields = {
  id: deliveryId(),
  webhook_id: webhookId(),
  event: words(['scan.created']),
  test: Type.Boolean({ description: 'true for what `send test` made.' }),
  status: words(deliveryStatuses, 'pending: a try is to come; failed: no more are.'),
  attempts: Type.Integer({ minimum: 0, description: 'Tries so far, those of replays included.' }),
  response_status: maybeInteger('Of the last try.'),
  error: maybeWord(attemptErrors, 'Of the last try.'),
  created_at: timestamp('When the event happened.'),
  last_attempt_at: maybeTimestamp('ISO 8601, UTC.'),
  next_attempt_at: maybeTimestamp('null unless pending.'),
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
