// Made by `npm run generate` from docs/openapi.json. Change the contract, not this file.

export type AccountReleasedEvent = {
  readonly event: "account.released";
  /** When the account was released. */
  readonly timestamp: string;
  readonly data: {
    readonly account_id: string;
    /** Why it had been suspended. */
    readonly reason: string;
    /** ISO 8601, UTC. */
    readonly released_at: string;
  };
};

export type AccountSuspendedEvent = {
  readonly event: "account.suspended";
  /** When the account was suspended. */
  readonly timestamp: string;
  readonly data: {
    readonly account_id: string;
    /** Human-readable reason, written by the operator. */
    readonly reason: string;
    /** ISO 8601, UTC. */
    readonly suspended_at: string;
  };
};

export type AggregateAnalytics = {
  readonly period: Period;
  readonly summary: {
    readonly total_scans: number;
    /** Exact number of distinct visitors in the period. */
    readonly unique_visitors: number;
    /** Average number of scans per calendar day, to one decimal place. */
    readonly avg_daily_scans: number;
    /** Number of codes in the account, with or without scans. */
    readonly qr_codes: number;
  };
  /** Sorted by scans, then by id. */
  readonly top_qr_codes: ReadonlyArray<{
    readonly qr_id: string;
    readonly name: string;
    readonly scans: number;
  }>;
  /** Sorted by scans, then by name. */
  readonly top_countries: ReadonlyArray<{
    /** ISO 3166 country code, XX if unknown. */
    readonly country: string;
    readonly scans: number;
  }>;
  /** Sorted by scans, then by name. */
  readonly top_cities: ReadonlyArray<{
    /** Empty if unknown. */
    readonly city: string;
    readonly country: string;
    readonly scans: number;
  }>;
  /** Scans by device: ios, android, desktop, other. The counts add up to total_scans. */
  readonly devices: Readonly<Record<string, number>>;
  /** Scans by browser: safari, chrome, samsung_browser, firefox, edge, other. The counts add up to total_scans. */
  readonly browsers: Readonly<Record<string, number>>;
  /** All entries of the period, including those without scans. */
  readonly timeseries: readonly SeriesEntry[];
};

export type AnalyticsSummary = {
  readonly qr_id: string;
  readonly period: Period;
  readonly summary: {
    readonly total_scans: number;
    /** Exact number of distinct visitors in the period. */
    readonly unique_visitors: number;
    /** Average number of scans per calendar day, to one decimal place. */
    readonly avg_daily_scans: number;
  };
  /** Sorted by scans, then by name. */
  readonly top_countries: ReadonlyArray<{
    /** ISO 3166 country code, XX if unknown. */
    readonly country: string;
    readonly scans: number;
  }>;
  /** Sorted by scans, then by name. */
  readonly top_cities: ReadonlyArray<{
    /** Empty if unknown. */
    readonly city: string;
    readonly country: string;
    readonly scans: number;
  }>;
  /** Scans by device: ios, android, desktop, other. The counts add up to total_scans. */
  readonly devices: Readonly<Record<string, number>>;
  /** Scans by browser: safari, chrome, samsung_browser, firefox, edge, other. The counts add up to total_scans. */
  readonly browsers: Readonly<Record<string, number>>;
  /** Requests that were not redirected, by reason: paused, draft, suspended or held. They are not scans. Only reasons that occurred are listed, for the days of the period in UTC; filters do not apply. */
  readonly not_redirected: Readonly<Record<string, number>>;
};

/** Whether the short link currently works, regardless of `status`. */
export type Availability = {
  /** `live`: scans are redirected, including those of test codes. `off`: the code is paused or a draft. `suspended`: stopped for safety by the operator, a blocked host or a blocklist, or because the account is suspended. `held`: the account must confirm its email address first. */
  readonly state: "live" | "suspended" | "held" | "off" | (string & {});
  /** When the code was suspended or held, otherwise null. */
  readonly since: string | null;
  /** Why the code is suspended, otherwise null. */
  readonly reason: string | null;
};

export type BulkCreateQrCodes = {
  readonly items: readonly CreateQrCode[];
  /** If `true`, no code is created unless every item is valid. Defaults to false. */
  readonly atomic?: boolean | undefined;
};

export type BulkCreated = {
  /** Position in `items`, counted from 0. */
  readonly index: number;
  readonly status: "created";
  readonly qr_code: QrCode;
};

export type BulkFailed = {
  /** Position in `items`, counted from 0. */
  readonly index: number;
  readonly status: "failed";
  readonly error: ErrorDetail;
};

/** The outcome of one item. `status` distinguishes the two. */
export type BulkItem = BulkCreated | BulkFailed;

export type BulkResult = {
  /** Number of codes created. */
  readonly created: number;
  /** Number of items that failed. */
  readonly failed: number;
  /** One entry per item, in the order of the items. */
  readonly data: readonly BulkItem[];
};

export type CreateQrCode = {
  /** Display name. Must contain at least one visible character. */
  readonly name: string;
  /** URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form. */
  readonly destination_url: string;
  /** Slug of the short link: letters, digits, `-` and `_`, starting and ending with a letter or digit. Unique, ignoring case. A short code of a live code is never reused. A short code of a test code is unique within your account and available again once the code is deleted. */
  readonly short_code?: string | undefined;
  readonly style?: Style | undefined;
  /** A draft does not redirect until it is activated. Defaults to active. */
  readonly status?: "active" | "draft" | undefined;
};

export type CreateWebhook = {
  /** URL that receives the events. Must be http or https and ASCII (write international host names in punycode), without user info or a fragment. Private, loopback, link-local and metadata addresses are rejected. */
  readonly url: string;
  /** A note for your own use. */
  readonly description?: string | undefined;
  /** Events to send. Defaults to ["scan.created"]. */
  readonly events?: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released"> | undefined;
  /** Whether events are sent. Defaults to true. */
  readonly enabled?: boolean | undefined;
};

export type CreatedWebhook = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Events that are sent to this webhook. */
  readonly events: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {})>;
  /** If `false`, nothing is sent. */
  readonly enabled: boolean;
  /** Why the webhook is disabled, otherwise null. `by_owner`: disabled by an update. `gone`: the receiver responded with 410. `failing`: every attempt failed for five days. */
  readonly disabled_reason: "by_owner" | "gone" | "failing" | (string & {}) | null;
  /** When the first attempt since the last success failed, or null if there was none. */
  readonly failing_since: string | null;
  /** While a secret is being rotated: when the old one expires. */
  readonly old_secret_expires_at: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
  /** Secret that signs every delivery. It is shown only once, so store it. */
  readonly secret: string;
};

export type DeletedQrCode = {
  readonly deleted: true;
  readonly id: string;
};

export type DeletedWebhook = {
  readonly deleted: true;
  readonly id: string;
};

export type ErrorBody = {
  readonly error: ErrorDetail;
};

export type ErrorDetail = {
  /** Machine-readable error code. Each operation lists the codes that it returns. */
  readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "unscannable_style" | "unauthorized" | "forbidden" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "invalid_transition" | "idempotency_in_progress" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout" | (string & {});
  /** A human-readable message: what went wrong and what to do next. */
  readonly message: string;
  /** The field or parameter that caused the error. */
  readonly param?: string | undefined;
  /** All problems found in the body or query, including the first one. At most 20, or every failed item with `atomic`. */
  readonly errors?: readonly ErrorItem[] | undefined;
  /** With `quota_exceeded`: the limit. */
  readonly limit?: number | undefined;
  /** With `quota_exceeded`: the current usage. */
  readonly used?: number | undefined;
  /** With `quota_exceeded` and a daily limit: when there is room again. */
  readonly resets_at?: string | undefined;
  /** Id of the request, as in the X-Request-Id header. */
  readonly request_id: string;
  /** Link to the documentation of this error code. */
  readonly doc_url: string;
};

export type ErrorItem = {
  /** With `atomic`: the position of the item, counted from 0. */
  readonly index?: number | undefined;
  /** Machine-readable error code. */
  readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "unscannable_style" | "unauthorized" | "forbidden" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "invalid_transition" | "idempotency_in_progress" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout" | (string & {});
  /** A human-readable description of this problem. */
  readonly message: string;
  /** The field or parameter that caused the error. */
  readonly param?: string | undefined;
};

export type Pagination = {
  /** Number of this page. */
  readonly page: number;
  /** Maximum number of items per page. */
  readonly limit: number;
  /** Number of items on all pages. */
  readonly total: number;
  /** Number of pages. */
  readonly total_pages: number;
};

export type Period = {
  /** Start of the period. */
  readonly start: string;
  /** Last second of the period. */
  readonly end: string;
};

export type QrCode = {
  readonly id: string;
  readonly name: string;
  readonly destination_url: string;
  readonly short_code: string;
  /** The short link that the image encodes. For test codes it contains /t/ and a tag of your account before the short code. */
  readonly short_url: string;
  /** URL of the public image. */
  readonly image_url: string;
  /** Only active codes redirect. */
  readonly status: "active" | "paused" | "draft" | (string & {});
  /** `true` if the status is active, `false` if it is paused or draft. */
  readonly active: boolean;
  /** Number of scans. */
  readonly total_scans: number;
  /** Number of scans by new visitors. */
  readonly unique_scans: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
  readonly style: QrCodeStyle;
  readonly scannability: Scannability;
  readonly availability: Availability;
};

export type QrCodeList = {
  readonly data: readonly QrCodeListItem[];
  readonly pagination: Pagination;
};

export type QrCodeListItem = {
  readonly id: string;
  readonly name: string;
  readonly destination_url: string;
  readonly short_url: string;
  readonly status: "active" | "paused" | "draft" | (string & {});
  readonly total_scans: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

export type QrCodeReleasedEvent = {
  readonly event: "qrcode.released";
  /** When the code was released. */
  readonly timestamp: string;
  readonly data: {
    readonly qr_id: string;
    /** Why it had been suspended. */
    readonly reason: string;
    /** ISO 8601, UTC. */
    readonly released_at: string;
  };
};

/** Appearance of the image, as given on creation. */
export type QrCodeStyle = {
  /** Shape of the dots. Defaults to square. */
  readonly dotsType?: "square" | "dots" | "rounded" | "extra-rounded" | "classy" | "classy-rounded" | (string & {}) | undefined;
  /** Color of the dots. Defaults to #000000. */
  readonly dotsColor?: string | undefined;
  /** Color of the background. Defaults to #FFFFFF. */
  readonly backgroundColor?: string | undefined;
  /** Shape of the corner squares. Defaults to square. */
  readonly cornersSquareType?: "square" | "dot" | "extra-rounded" | (string & {}) | undefined;
  /** Color of the corner squares. Defaults to dotsColor. */
  readonly cornersSquareColor?: string | undefined;
  /** Shape of the corner dots. Defaults to dot inside a dot corner square, otherwise to square. */
  readonly cornersDotType?: "square" | "dot" | (string & {}) | undefined;
  /** Color of the corner dots. Defaults to cornersSquareColor. */
  readonly cornersDotColor?: string | undefined;
};

export type QrCodeSuspendedEvent = {
  readonly event: "qrcode.suspended";
  /** When the code was suspended. */
  readonly timestamp: string;
  readonly data: {
    readonly qr_id: string;
    /** Human-readable reason, written by the operator, or by the service if a blocklist or a blocked host stopped the code. */
    readonly reason: string;
    /** ISO 8601, UTC. */
    readonly suspended_at: string;
  };
};

export type ReplayFailed = {
  /** Replay events that happened at or after this time. ISO 8601. */
  readonly since: string;
};

export type ReplayResult = {
  /** Number of deliveries that are being retried. */
  readonly replayed: number;
};

export type RotateWebhookSecret = {
  /** Number of seconds for which the old secret stays valid. Defaults to one day; at most one week; 0 expires it immediately. */
  readonly old_secret_expires_in?: number | undefined;
};

export type Scan = {
  readonly id: string;
  /** When the code was scanned. ISO 8601, UTC, with milliseconds. */
  readonly timestamp: string;
  /** ISO 3166 country code, XX if unknown. */
  readonly country: string;
  /** Empty if unknown. */
  readonly region: string;
  /** Empty if unknown. */
  readonly city: string;
  /** ios, android, desktop or other. */
  readonly device: string;
  /** safari, chrome, samsung_browser, firefox, edge or other. */
  readonly browser: string;
  /** Whether this is the first scan of this code by this visitor in the visitor window. */
  readonly is_unique: boolean;
  /** The language that the scanner prefers, by its code of two or three letters, such as de. Empty if unknown. */
  readonly language: string;
};

export type ScanCreatedEvent = {
  readonly event: "scan.created";
  /** When the code was scanned. */
  readonly timestamp: string;
  readonly data: {
    readonly qr_id: string;
    readonly scan_id: string;
    /** Two-letter country code, XX if unknown. */
    readonly country: string;
    /** Empty if unknown. */
    readonly city: string;
    readonly device: string;
    readonly is_unique: boolean;
  };
};

export type ScanExport = {
  readonly qr_id: string;
  readonly period: Period;
  readonly total: number;
  readonly data: readonly Scan[];
};

export type ScanList = {
  readonly data: readonly Scan[];
  readonly pagination: Pagination;
};

export type Scannability = {
  /** How reliably codes with this style scan. */
  readonly level: "good" | "fair" | "poor" | (string & {});
  /** Human-readable reasons why the code may be hard to scan. Empty if there are none. */
  readonly reasons: readonly string[];
};

export type SeriesEntry = {
  /** Start of the entry: YYYY-MM-DDTHH:00:00Z for hours (in UTC); YYYY-MM-DD for days, weeks (the Monday) and months (the first day). */
  readonly date: string;
  readonly total_scans: number;
  /** Distinct visitors in this entry. Visitors of several entries do not add up. */
  readonly unique_visitors: number;
};

/** Appearance of the image. It cannot be changed after creation. */
export type Style = {
  /** Shape of the dots. Defaults to square. */
  readonly dotsType?: "square" | "dots" | "rounded" | "extra-rounded" | "classy" | "classy-rounded" | undefined;
  /** Color of the dots. Defaults to #000000. */
  readonly dotsColor?: string | undefined;
  /** Color of the background. Defaults to #FFFFFF. */
  readonly backgroundColor?: string | undefined;
  /** Shape of the corner squares. Defaults to square. */
  readonly cornersSquareType?: "square" | "dot" | "extra-rounded" | undefined;
  /** Color of the corner squares. Defaults to dotsColor. */
  readonly cornersSquareColor?: string | undefined;
  /** Shape of the corner dots. Defaults to dot inside a dot corner square, otherwise to square. */
  readonly cornersDotType?: "square" | "dot" | undefined;
  /** Color of the corner dots. Defaults to cornersSquareColor. */
  readonly cornersDotColor?: string | undefined;
};

export type Timeseries = {
  readonly qr_id: string;
  readonly interval: "hour" | "day" | "week" | "month" | (string & {});
  /** All entries of the period, including those without scans. */
  readonly data: readonly SeriesEntry[];
};

/** The fields to change. */
export type UpdateQrCode = {
  /** Display name. Must contain at least one visible character. */
  readonly name?: string | undefined;
  /** URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form. */
  readonly destination_url?: string | undefined;
  /** `true` resumes a paused code or publishes a draft; `false` pauses the code. */
  readonly active?: boolean | undefined;
};

/** The fields to change. */
export type UpdateWebhook = {
  /** URL that receives the events. Must be http or https and ASCII (write international host names in punycode), without user info or a fragment. Private, loopback, link-local and metadata addresses are rejected. */
  readonly url?: string | undefined;
  /** A note for your own use. */
  readonly description?: string | undefined;
  /** Events to send from now on. Pending deliveries of events that are not listed are not sent. */
  readonly events?: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released"> | undefined;
  /** `false` stops deliveries immediately; `true` resumes them and clears failing_since. */
  readonly enabled?: boolean | undefined;
};

export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Events that are sent to this webhook. */
  readonly events: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {})>;
  /** If `false`, nothing is sent. */
  readonly enabled: boolean;
  /** Why the webhook is disabled, otherwise null. `by_owner`: disabled by an update. `gone`: the receiver responded with 410. `failing`: every attempt failed for five days. */
  readonly disabled_reason: "by_owner" | "gone" | "failing" | (string & {}) | null;
  /** When the first attempt since the last success failed, or null if there was none. */
  readonly failing_since: string | null;
  /** While a secret is being rotated: when the old one expires. */
  readonly old_secret_expires_at: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
};

export type WebhookAttempt = {
  /** When the attempt started. */
  readonly at: string;
  /** Duration of the attempt in milliseconds. */
  readonly duration_ms: number;
  /** Whether the response was 2xx. */
  readonly succeeded: boolean;
  /** HTTP status of the response, or null if there was none. */
  readonly response_status: number | null;
  /** Why the attempt failed, otherwise null. `status`: the response was not 2xx. `timeout`: no complete response within 15 seconds. `disabled`: the webhook was disabled, so nothing was sent. `event_removed`: the webhook no longer subscribes to this event, so nothing was sent. */
  readonly error: "status" | "timeout" | "dns" | "blocked_address" | "connection" | "tls" | "disabled" | "event_removed" | (string & {}) | null;
  /** First 1,024 bytes of the response. */
  readonly response_body: string;
};

export type WebhookDelivery = {
  /** Id of the delivery, sent as the webhook-id header with every attempt. */
  readonly id: string;
  readonly webhook_id: string;
  readonly event: "scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {});
  /** Whether this is a test delivery. */
  readonly test: boolean;
  /** `pending`: another attempt follows. `failed`: no more attempts follow. */
  readonly status: "pending" | "delivered" | "failed" | (string & {});
  /** Number of attempts so far, including replays. */
  readonly attempts: number;
  /** HTTP status of the response to the last attempt, or null if there was none. */
  readonly response_status: number | null;
  /** Why the last attempt failed, otherwise null. */
  readonly error: "status" | "timeout" | "dns" | "blocked_address" | "connection" | "tls" | "disabled" | "event_removed" | (string & {}) | null;
  /** When the event happened. */
  readonly created_at: string;
  /** When the last attempt started, or null if there was none. */
  readonly last_attempt_at: string | null;
  /** When the next attempt is due, or null unless pending. */
  readonly next_attempt_at: string | null;
  /** The rate limit that delays the next attempt, otherwise null. `host_rate`: the limit of attempts per second to the host. `first_success`: a webhook that has not yet responded with 2xx at its URL gets 10 attempts per minute. Waiting does not use up attempts. */
  readonly waiting_for: "host_rate" | "first_success" | (string & {}) | null;
};

export type WebhookDeliveryDetail = {
  /** Id of the delivery, sent as the webhook-id header with every attempt. */
  readonly id: string;
  readonly webhook_id: string;
  readonly event: "scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {});
  /** Whether this is a test delivery. */
  readonly test: boolean;
  /** `pending`: another attempt follows. `failed`: no more attempts follow. */
  readonly status: "pending" | "delivered" | "failed" | (string & {});
  /** Number of attempts so far, including replays. */
  readonly attempts: number;
  /** HTTP status of the response to the last attempt, or null if there was none. */
  readonly response_status: number | null;
  /** Why the last attempt failed, otherwise null. */
  readonly error: "status" | "timeout" | "dns" | "blocked_address" | "connection" | "tls" | "disabled" | "event_removed" | (string & {}) | null;
  /** When the event happened. */
  readonly created_at: string;
  /** When the last attempt started, or null if there was none. */
  readonly last_attempt_at: string | null;
  /** When the next attempt is due, or null unless pending. */
  readonly next_attempt_at: string | null;
  /** The rate limit that delays the next attempt, otherwise null. `host_rate`: the limit of attempts per second to the host. `first_success`: a webhook that has not yet responded with 2xx at its URL gets 10 attempts per minute. Waiting does not use up attempts. */
  readonly waiting_for: "host_rate" | "first_success" | (string & {}) | null;
  /** The exact body that is sent. */
  readonly body: string;
  /** All attempts, oldest first. Kept for 30 days. */
  readonly attempt_log: readonly WebhookAttempt[];
};

export type WebhookDeliveryList = {
  readonly data: readonly WebhookDelivery[];
  readonly pagination: Pagination;
};

export type WebhookList = {
  readonly data: readonly Webhook[];
};

export type WeekHour = {
  /** Day of the week, from 1 (Monday) to 7 (Sunday). */
  readonly weekday: number;
  /** Hour of the day in `timezone`. */
  readonly hour: number;
  readonly total_scans: number;
};

export type WeekHours = {
  /** Every hour of the week, starting with Monday at midnight. The counts add up to the scans in the period. */
  readonly data: readonly WeekHour[];
};

/** The query of "List QR codes". */
export type ListQrCodesQuery = {
  /** Page to return. Defaults to 1. */
  readonly page?: number | undefined;
  /** Maximum number of items to return, from 1 to 100. Defaults to 20. */
  readonly limit?: number | undefined;
  /** Return only codes with this status. */
  readonly status?: "active" | "paused" | "draft" | undefined;
};

/** The query of "Download the image". */
export type DownloadQrCodeQuery = {
  /** Image format. Defaults to png. */
  readonly format?: "png" | "svg" | undefined;
  /** Width and height in pixels. */
  readonly size?: number | undefined;
};

/** The query of "Get the analytics summary". */
export type GetAnalyticsQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
};

/** The query of "List scans". */
export type ListScansQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Page to return. Defaults to 1. */
  readonly page?: number | undefined;
  /** Maximum number of items to return, from 1 to 500. Defaults to 50. */
  readonly limit?: number | undefined;
};

/** The query of "Get scans over time". */
export type GetTimeseriesQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Length of each entry in the series. Weeks start on Monday. Defaults to day. A series can have at most 2,000 entries. */
  readonly interval?: "hour" | "day" | "week" | "month" | undefined;
};

/** The query of "Get scans by weekday and hour". */
export type GetWeekHoursQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
};

/** The query of "Export scans". */
export type ExportScansQuery = {
  /** File format. Defaults to csv. */
  readonly format?: "csv" | "json" | undefined;
  /** If `true`, the CSV file starts with a byte order mark, so that Excel reads it as UTF-8. Not allowed with format=json. Defaults to false. */
  readonly bom?: boolean | undefined;
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
};

/** The query of "Get aggregate analytics". */
export type GetAggregateAnalyticsQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Length of each entry in the series. Weeks start on Monday. Defaults to day. A series can have at most 2,000 entries. */
  readonly interval?: "hour" | "day" | "week" | "month" | undefined;
};

/** The query of "Get scans of all codes by weekday and hour". */
export type GetAggregateWeekHoursQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
};

/** The query of "List deliveries". */
export type ListWebhookDeliveriesQuery = {
  /** Page to return. Defaults to 1. */
  readonly page?: number | undefined;
  /** Maximum number of items to return, from 1 to 100. Defaults to 20. */
  readonly limit?: number | undefined;
  /** Return only deliveries with this status. */
  readonly status?: "pending" | "delivered" | "failed" | undefined;
};

/** The body of a webhook; `event` says which it is. A webhook gets the events that its `events` name. */
export type WebhookEvent =
  | ScanCreatedEvent
  | QrCodeSuspendedEvent
  | QrCodeReleasedEvent
  | AccountSuspendedEvent
  | AccountReleasedEvent;

/** Where each operation is, and how its answer is read. */
export const endpoints = {
  createQrCode: { method: 'POST', path: '/v1/qrcodes', input: 'body', query: [], answer: 'json' },
  listQrCodes: { method: 'GET', path: '/v1/qrcodes', input: 'query', query: ['page', 'limit', 'status'], answer: 'page' },
  bulkCreateQrCodes: { method: 'POST', path: '/v1/qrcodes/bulk', input: 'body', query: [], answer: 'json' },
  getQrCode: { method: 'GET', path: '/v1/qrcodes/{id}', input: 'none', query: [], answer: 'json' },
  updateQrCode: { method: 'PATCH', path: '/v1/qrcodes/{id}', input: 'body', query: [], answer: 'json' },
  deleteQrCode: { method: 'DELETE', path: '/v1/qrcodes/{id}', input: 'none', query: [], answer: 'json' },
  downloadQrCode: { method: 'GET', path: '/v1/qrcodes/{id}/download', input: 'query', query: ['format', 'size'], answer: 'file' },
  getAnalytics: { method: 'GET', path: '/v1/qrcodes/{id}/analytics', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser'], answer: 'json' },
  listScans: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/scans', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'page', 'limit'], answer: 'page' },
  getTimeseries: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/timeseries', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'interval'], answer: 'json' },
  getWeekHours: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/week-hours', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser'], answer: 'json' },
  exportScans: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/export', input: 'query', query: ['format', 'bom', 'start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser'], answer: 'file' },
  getAggregateAnalytics: { method: 'GET', path: '/v1/analytics/aggregate', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'interval'], answer: 'json' },
  getAggregateWeekHours: { method: 'GET', path: '/v1/analytics/week-hours', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser'], answer: 'json' },
  createWebhook: { method: 'POST', path: '/v1/webhooks', input: 'body', query: [], answer: 'json' },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', input: 'none', query: [], answer: 'json' },
  getWebhook: { method: 'GET', path: '/v1/webhooks/{id}', input: 'none', query: [], answer: 'json' },
  updateWebhook: { method: 'PATCH', path: '/v1/webhooks/{id}', input: 'body', query: [], answer: 'json' },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{id}', input: 'none', query: [], answer: 'json' },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret', input: 'body', query: [], answer: 'json' },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{id}/test', input: 'none', query: [], answer: 'json' },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/{id}/deliveries', input: 'query', query: ['page', 'limit', 'status'], answer: 'page' },
  replayFailedDeliveries: { method: 'POST', path: '/v1/webhooks/{id}/replay', input: 'body', query: [], answer: 'json' },
  getWebhookDelivery: { method: 'GET', path: '/v1/webhooks/deliveries/{id}', input: 'none', query: [], answer: 'json' },
  replayWebhookDelivery: { method: 'POST', path: '/v1/webhooks/deliveries/{id}/replay', input: 'none', query: [], answer: 'json' },
  getOpenApi: { method: 'GET', path: '/v1/openapi.json', input: 'none', query: [], answer: 'json' },
} as const;

/** Of this package. */
export const version = '0.1.0';
