import Type from 'typebox';
import { TagName } from './organise.ts';
import { Pagination, pageQuery } from './pages.ts';
import { WebhookUrl } from './urls.ts';
import { maxWebhookCodes, maxWebhookTags } from './values.ts';
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
  'Human-readable reason, written by the operator, or by the service if a blocklist or a blocked host stopped the code.';

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
    description: 'Id of the delivery, sent as the webhook-id header with every attempt.',
  });

const Description = Type.String({
  maxLength: 255,
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
  'x-form': 'at most 255 characters of well-formed text',
  description: 'A note for your own use.',
});

const eventKind = () =>
  words(
    webhookEventKinds,
    '`scan.created`: a code was scanned. `qrcode.suspended`: a code was stopped for safety. `qrcode.released`: the last suspension of a code was lifted. `account.suspended`: the account was stopped for safety. `account.released`: the suspension of the account was lifted.',
  );

const Events = Type.Array(eventKind(), {
  minItems: 1,
  maxItems: webhookEventKinds.length,
  uniqueItems: true,
  'x-form': `a list of ${webhookEventKinds.join(', ')}, each at most once`,
  description: 'Events to send. Defaults to ["scan.created"].',
});

const addedDetails =
  'Whether scan events say more about the code: `rule_id`, `target_id`, `placement`, `external_id`, `short_code` and `metadata` at the end of `data`.';

const IncludeCodeDetails = Type.Boolean({ description: `${addedDetails} Defaults to false.` });

const IncludeRouting = Type.Optional(Type.Boolean({ description: 'Alias of include_code_details.' }));

const nullableList = (items: Type.TSchema, maxItems: number, form: string, description: string) =>
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items,
    minItems: 1,
    maxItems,
    uniqueItems: true,
    'x-form': form,
    description,
  });

const QrIds = nullableList(
  Type.String({ pattern: '^qr_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like qr_…' }),
  maxWebhookCodes,
  `a list of 1 to ${maxWebhookCodes} ids of codes, each at most once, or null`,
  'Send only scans of these codes. Null, the default: of all codes. With `tags` as well: scans of either. Other events are sent for all codes.',
);

const ScanTags = nullableList(
  TagName,
  maxWebhookTags,
  `a list of 1 to ${maxWebhookTags} names of tags, each at most once, or null`,
  'Send only scans of codes that have one of these tags when the scan is counted. Null, the default: of all codes. Tags that do not exist yet may be named.',
);

const maybeList = (description: string) =>
  Type.Union([Type.Array(Type.String()), Type.Null()], { description });

export const Webhook = Type.Object(
  {
    id: webhookId(),
    url: Type.String(),
    description: Type.String(),
    events: Type.Array(eventKind(), { description: 'Events that are sent to this webhook.' }),
    include_code_details: Type.Boolean({ description: addedDetails }),
    include_routing: Type.Boolean({ description: 'Alias of include_code_details.' }),
    qr_ids: maybeList('Codes whose scans are sent; null for all.'),
    tags: maybeList('Tags of codes whose scans are sent; null for all.'),
    enabled: Type.Boolean({ description: 'If `false`, nothing is sent.' }),
    disabled_reason: maybeWord(
      disabledReasons,
      'Why the webhook is disabled, otherwise null. `by_owner`: disabled by an update. `gone`: the receiver responded with 410. `failing`: every attempt failed for five days.',
    ),
    failing_since: maybeTimestamp(
      'When the first attempt since the last success failed, or null if there was none.',
    ),
    old_secret_expires_at: maybeTimestamp('While a secret is being rotated: when the old one expires.'),
    created_at: timestamp('ISO 8601, UTC.'),
    updated_at: timestamp('ISO 8601, UTC.'),
  },
  { title: 'Webhook', additionalProperties: false },
);

const secret = () =>
  Type.String({
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    'x-form': 'a secret that looks like whsec_…',
    description: 'Secret that signs every delivery. It is shown only once, so store it.',
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
    include_code_details: Type.Optional(IncludeCodeDetails),
    include_routing: IncludeRouting,
    qr_ids: Type.Optional(QrIds),
    tags: Type.Optional(ScanTags),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether events are sent. Defaults to true.' })),
  },
  { title: 'CreateWebhook', additionalProperties: false },
);

export const UpdateWebhook = Type.Object(
  {
    url: Type.Optional(WebhookUrl),
    description: Type.Optional(Description),
    events: Type.Optional({
      ...Events,
      description:
        'Events to send from now on. Pending deliveries of events that are not listed are not sent.',
    }),
    include_code_details: Type.Optional({
      ...IncludeCodeDetails,
      description: `${addedDetails} Applies to scans from now on; a delivery that is retried or replayed keeps its body.`,
    }),
    include_routing: IncludeRouting,
    qr_ids: Type.Optional(QrIds),
    tags: Type.Optional(ScanTags),
    enabled: Type.Optional(
      Type.Boolean({
        description: '`false` stops deliveries immediately; `true` resumes them and clears failing_since.',
      }),
    ),
  },
  { title: 'UpdateWebhook', additionalProperties: false, description: 'The fields to change.' },
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
          'Number of seconds for which the old secret stays valid. Defaults to one day; at most one week; 0 expires it immediately.',
      }),
    ),
  },
  { title: 'RotateWebhookSecret', additionalProperties: false },
);

export const Attempt = Type.Object(
  {
    at: timestamp('When the attempt started.'),
    duration_ms: Type.Integer({ minimum: 0, description: 'Duration of the attempt in milliseconds.' }),
    succeeded: Type.Boolean({ description: 'Whether the response was 2xx.' }),
    response_status: maybeInteger('HTTP status of the response, or null if there was none.'),
    error: maybeWord(
      attemptErrors,
      'Why the attempt failed, otherwise null. `status`: the response was not 2xx. `timeout`: no complete response within 15 seconds. `disabled`: the webhook was disabled, so nothing was sent. `event_removed`: the webhook no longer subscribes to this event, so nothing was sent.',
    ),
    response_body: Type.String({ description: 'First 1,024 bytes of the response.' }),
  },
  { title: 'WebhookAttempt', additionalProperties: false },
);

const deliveryFields = {
  id: deliveryId(),
  webhook_id: webhookId(),
  event: words(webhookEventKinds),
  test: Type.Boolean({ description: 'Whether this is a test delivery.' }),
  status: words(deliveryStatuses, '`pending`: another attempt follows. `failed`: no more attempts follow.'),
  attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far, including replays.' }),
  response_status: maybeInteger(
    'HTTP status of the response to the last attempt, or null if there was none.',
  ),
  error: maybeWord(attemptErrors, 'Why the last attempt failed, otherwise null.'),
  created_at: timestamp('When the event happened.'),
  last_attempt_at: maybeTimestamp('When the last attempt started, or null if there was none.'),
  next_attempt_at: maybeTimestamp('When the next attempt is due, or null unless pending.'),
  waiting_for: maybeWord(
    waitReasons,
    'The rate limit that delays the next attempt, otherwise null. `host_rate`: the limit of attempts per second to the host. `first_success`: a webhook that has not yet responded with 2xx at its URL gets 10 attempts per minute. Waiting does not use up attempts.',
  ),
};

export const Delivery = Type.Object(deliveryFields, {
  title: 'WebhookDelivery',
  additionalProperties: false,
});

export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    body: Type.String({ description: 'The exact body that is sent.' }),
    attempt_log: Type.Array(Attempt, { description: 'All attempts, oldest first. Kept for 30 days.' }),
  },
  { title: 'WebhookDeliveryDetail', additionalProperties: false },
);

export const ListDeliveriesQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  status: Type.Optional(words(deliveryStatuses, 'Return only deliveries with this status.')),
});

/** Of test webhooks on a plan without webhooks. */
const TestLimit = Type.Union(
  [
    Type.Object(
      {
        per_day: Type.Integer({
          description: 'Messages per day in UTC, of all test webhooks of the account.',
        }),
        used: Type.Integer({
          minimum: 0,
          description: 'Messages of today. Retries and replays do not count.',
        }),
        not_queued: Type.Integer({
          minimum: 0,
          description: 'Messages of today beyond the limit. They are not sent, also not later.',
        }),
        resets_at: timestamp('When the next day begins. ISO 8601, UTC.'),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'The limit of test deliveries, on a plan without webhooks; otherwise null.' },
);

export const DeliveryList = Type.Object(
  { data: Type.Array(Delivery), pagination: Pagination, test_limit: TestLimit },
  { title: 'WebhookDeliveryList', additionalProperties: false },
);

export const ReplayFailed = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Replay events that happened at or after this time. ISO 8601.',
    }),
  },
  { title: 'ReplayFailed', additionalProperties: false },
);

export const ReplayResult = Type.Object(
  { replayed: Type.Integer({ minimum: 0, description: 'Number of deliveries that are being retried.' }) },
  { title: 'ReplayResult', additionalProperties: false },
);

/** The longest metadata that scan events have, in bytes of JSON: each event is stored with its body. */
export const maxSentMetadata = 4096;

const onlyWithDetails = 'Only for a webhook with `include_code_details`.';

/** What is sent to the owner's URL when a code was scanned. */
export const ScanCreatedEvent = Type.Object(
  {
    event: Type.Literal('scan.created'),
    timestamp: timestamp('When the code was scanned.'),
    data: Type.Object(
      {
        qr_id: Type.String(),
        scan_id: Type.String(),
        country: Type.String({ description: 'Two-letter country code, XX if unknown.' }),
        city: Type.String({ description: 'Empty if unknown.' }),
        device: Type.String(),
        is_unique: Type.Boolean(),
        rule_id: Type.Optional(
          Type.String({
            description: `The rule that decided. Empty if none did. ${onlyWithDetails}`,
          }),
        ),
        target_id: Type.Optional(
          Type.String({
            description: `The target of a rule that the scan was redirected to. Empty for destination_url. ${onlyWithDetails}`,
          }),
        ),
        placement: Type.Optional(
          Type.String({
            description: `Key of the placement. Empty for none. ${onlyWithDetails}`,
          }),
        ),
        external_id: Type.Optional(
          Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: `The id of the code in your own system, or null if it has none. ${onlyWithDetails}`,
          }),
        ),
        short_code: Type.Optional(
          Type.String({
            description: `Slug of the short link. Empty if the code no longer exists. ${onlyWithDetails}`,
          }),
        ),
        metadata: Type.Optional(
          Type.Unsafe<Record<string, string> | null>({
            type: ['object', 'null'],
            additionalProperties: { type: 'string' },
            description: `The metadata of the code when the scan was counted, or null if it is longer than ${maxSentMetadata.toLocaleString('en')} bytes: read the code then. ${onlyWithDetails}`,
          }),
        ),
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
    timestamp: timestamp('When the code was suspended.'),
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
        reason: Type.String({ description: 'Why it had been suspended.' }),
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
    timestamp: timestamp('When the account was suspended.'),
    data: Type.Object(
      {
        account_id: Type.String(),
        reason: Type.String({ description: 'Human-readable reason, written by the operator.' }),
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
        reason: Type.String({ description: 'Why it had been suspended.' }),
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
export type DeliveryList = Type.Static<typeof DeliveryList>;
export type DeliveryDetail = Type.Static<typeof DeliveryDetail>;
export type ListDeliveriesQuery = Type.Static<typeof ListDeliveriesQuery>;
export type ReplayFailed = Type.Static<typeof ReplayFailed>;
export type ScanCreatedEvent = Type.Static<typeof ScanCreatedEvent>;
export type QrCodeSuspendedEvent = Type.Static<typeof QrCodeSuspendedEvent>;
export type QrCodeReleasedEvent = Type.Static<typeof QrCodeReleasedEvent>;
export type AccountSuspendedEvent = Type.Static<typeof AccountSuspendedEvent>;
export type AccountReleasedEvent = Type.Static<typeof AccountReleasedEvent>;
