// Made by `npm run generate` from docs/openapi.json. Change the contract, not this file.

export type AggregateAnalytics = {
  readonly period: Period;
  readonly summary: {
    readonly total_scans: number;
    /** Distinct visitors of the whole period. Exact. */
    readonly unique_visitors: number;
    /** Scans a calendar day of the period, to one decimal. */
    readonly avg_daily_scans: number;
    /** Codes that the account has now, scanned or not. */
    readonly qr_codes: number;
  };
  /** Most scans first, then by id. */
  readonly top_qr_codes: readonly {
    readonly qr_id: string;
    readonly name: string;
    readonly scans: number;
  }[];
  /** Most scans first, then by name. */
  readonly top_countries: readonly {
    /** ISO 3166 code, XX where it is not known. */
    readonly country: string;
    readonly scans: number;
  }[];
  /** Most scans first, then by name. */
  readonly top_cities: readonly {
    /** Empty where it is not known. */
    readonly city: string;
    readonly country: string;
    readonly scans: number;
  }[];
  /** Scans by device: ios, android, desktop, other. They add up to total_scans. */
  readonly devices: Readonly<Record<string, number>>;
  /** Scans by browser: safari, chrome, samsung_browser, firefox, edge, other. They add up to total_scans. */
  readonly browsers: Readonly<Record<string, number>>;
  /** Every entry of the period, those without scans too. */
  readonly timeseries: readonly SeriesEntry[];
};

export type AnalyticsSummary = {
  readonly qr_id: string;
  readonly period: Period;
  readonly summary: {
    readonly total_scans: number;
    /** Distinct visitors of the whole period. Exact. */
    readonly unique_visitors: number;
    /** Scans a calendar day of the period, to one decimal. */
    readonly avg_daily_scans: number;
  };
  /** Most scans first, then by name. */
  readonly top_countries: readonly {
    /** ISO 3166 code, XX where it is not known. */
    readonly country: string;
    readonly scans: number;
  }[];
  /** Most scans first, then by name. */
  readonly top_cities: readonly {
    /** Empty where it is not known. */
    readonly city: string;
    readonly country: string;
    readonly scans: number;
  }[];
  /** Scans by device: ios, android, desktop, other. They add up to total_scans. */
  readonly devices: Readonly<Record<string, number>>;
  /** Scans by browser: safari, chrome, samsung_browser, firefox, edge, other. They add up to total_scans. */
  readonly browsers: Readonly<Record<string, number>>;
};

/** Whether the short link works, whatever the owner has set in `status`. */
export type Availability = {
  /** live: scans are sent on, also for test codes. off: paused or a draft. suspended: stopped for safety by the operator, a blocked host or a list, or because the account is suspended. held: the account has to confirm its e-mail address first. */
  readonly state: "live" | "suspended" | "held" | "off";
  /** Of suspended and held; else null. */
  readonly since: string | null;
  /** Why it is suspended; else null. */
  readonly reason: string | null;
};

export type BulkCreateQrCodes = {
  readonly items: readonly CreateQrCode[];
  /** true: one bad item makes nothing. Default false. */
  readonly atomic?: boolean | undefined;
};

export type BulkResult = {
  readonly created: number;
  readonly failed: number;
  /** One entry an item, in the order of the items. */
  readonly data: readonly {
    readonly index: number;
    readonly status: "created" | "failed";
    readonly qr_code?: QrCode | undefined;
    readonly error?: {
      readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "unscannable_style" | "unauthorized" | "forbidden" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "invalid_transition" | "idempotency_in_progress" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout";
      /** What went wrong and what to do next, for people. */
      readonly message: string;
      /** The field or parameter at fault. */
      readonly param?: string | undefined;
      /** Everything that is wrong with a body or query, the first included. Up to 20; with `atomic`, every bad item. */
      readonly errors?: readonly ErrorItem[] | undefined;
      /** With quota_exceeded: how many there may be. */
      readonly limit?: number | undefined;
      /** With quota_exceeded: how many there are. */
      readonly used?: number | undefined;
      /** With quota_exceeded, where the limit is one of a day: when there is room again. */
      readonly resets_at?: string | undefined;
      /** The same as in X-Request-Id. */
      readonly request_id: string;
      /** Where this code is explained. */
      readonly doc_url: string;
    } | undefined;
  }[];
};

export type CreateQrCode = {
  /** Display name, not only white space or invisible characters. */
  readonly name: string;
  /** Where a scan is sent: http or https, no user info, no spaces or control characters, no backslash before the path, a host that DNS can hold, not an address of this service. It comes back as it was sent; a scan is sent to it in ASCII. */
  readonly destination_url?: string | undefined;
  /** Slug of the short link: letters, digits, - and _, beginning and ending with a letter or digit. Unique without regard to case. That of a live code is never given out twice; that of a test code is unique in your account, and free again when the code is deleted. */
  readonly short_code?: string | undefined;
  readonly style?: Style | undefined;
  /** A draft does not redirect until it is made active. Default active. */
  readonly status?: "active" | "draft" | undefined;
  /** Taken for compatibility; only url. */
  readonly type?: "url" | undefined;
  /** Another name for destination_url. */
  readonly destination?: string | undefined;
} & ({ readonly destination_url: string } | { readonly destination: string });

export type CreateWebhook = {
  /** Where events are sent: http or https, ASCII (hosts in punycode), no user info, no fragment. Private, loopback, link-local and metadata addresses are refused. */
  readonly url: string;
  /** A note for yourself. */
  readonly description?: string | undefined;
  /** What is sent. Default ["scan.created"]. */
  readonly events?: readonly ("scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released")[] | undefined;
  /** Default true. */
  readonly enabled?: boolean | undefined;
};

export type CreatedWebhook = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** What is sent. */
  readonly events: readonly ("scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released")[];
  /** false: nothing is sent. */
  readonly enabled: boolean;
  /** by_owner: an update said so; gone: the receiver answered 410; failing: nothing but failures for five days. */
  readonly disabled_reason: "by_owner" | "gone" | "failing" | null;
  /** The first failed try since the last success; null while all is well. */
  readonly failing_since: string | null;
  /** While a secret rotates: until when the old one signs too. */
  readonly old_secret_expires_at: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
  /** Signs every delivery. Shown here and never again: keep it. */
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
  readonly error: {
    readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "unscannable_style" | "unauthorized" | "forbidden" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "invalid_transition" | "idempotency_in_progress" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout";
    /** What went wrong and what to do next, for people. */
    readonly message: string;
    /** The field or parameter at fault. */
    readonly param?: string | undefined;
    /** Everything that is wrong with a body or query, the first included. Up to 20; with `atomic`, every bad item. */
    readonly errors?: readonly ErrorItem[] | undefined;
    /** With quota_exceeded: how many there may be. */
    readonly limit?: number | undefined;
    /** With quota_exceeded: how many there are. */
    readonly used?: number | undefined;
    /** With quota_exceeded, where the limit is one of a day: when there is room again. */
    readonly resets_at?: string | undefined;
    /** The same as in X-Request-Id. */
    readonly request_id: string;
    /** Where this code is explained. */
    readonly doc_url: string;
  };
};

export type ErrorItem = {
  /** With `atomic`: which of the items, from 0. */
  readonly index?: number | undefined;
  readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "unscannable_style" | "unauthorized" | "forbidden" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "invalid_transition" | "idempotency_in_progress" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout";
  /** What is wrong with this one, for people. */
  readonly message: string;
  /** The field or parameter at fault. */
  readonly param?: string | undefined;
};

export type Pagination = {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly total_pages: number;
};

export type Period = {
  /** The first second of the period. */
  readonly start: string;
  /** The last second of the period. */
  readonly end: string;
};

export type QrCode = {
  readonly id: string;
  readonly name: string;
  readonly destination_url: string;
  readonly short_code: string;
  /** The link that the image encodes. Of a test code it has /t/ and a tag of your account before the short code. */
  readonly short_url: string;
  /** The public image. */
  readonly image_url: string;
  /** active redirects; paused and draft do not. */
  readonly status: "active" | "paused" | "draft";
  /** true for active, false for paused and draft. */
  readonly active: boolean;
  readonly total_scans: number;
  readonly unique_scans: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
  readonly style: Style;
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
  readonly status: "active" | "paused" | "draft";
  readonly total_scans: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

export type ReplayFailed = {
  /** Events that happened at or after this moment. ISO 8601. */
  readonly since: string;
};

export type ReplayResult = {
  /** Deliveries that are tried again now. */
  readonly replayed: number;
};

export type RotateWebhookSecret = {
  /** Seconds for which the old secret signs too. Default a day, at most a week; 0 ends it at once. */
  readonly old_secret_expires_in?: number | undefined;
};

export type Scan = {
  readonly id: string;
  /** ISO 8601, UTC, to the millisecond. */
  readonly timestamp: string;
  /** ISO 3166 code, XX where it is not known. */
  readonly country: string;
  /** Empty where it is not known. */
  readonly region: string;
  /** Empty where it is not known. */
  readonly city: string;
  /** ios, android, desktop or other. */
  readonly device: string;
  /** safari, chrome, samsung_browser, firefox, edge or other. */
  readonly browser: string;
  /** The first scan of this code by this visitor in the window. */
  readonly is_unique: boolean;
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
  /** How well codes of this style scan. */
  readonly level: "good" | "fair" | "poor";
  /** What stands in the way, in plain words. Empty when good. */
  readonly reasons: readonly string[];
};

export type SeriesEntry = {
  /** Start of the entry: YYYY-MM-DDTHH:00:00Z for hour (hours of UTC), YYYY-MM-DD for day, week (its Monday) and month (its first). */
  readonly date: string;
  readonly total_scans: number;
  /** Distinct visitors of this entry. They do not add up over entries. */
  readonly unique_visitors: number;
};

/** How the image looks. It cannot change after creation. */
export type Style = {
  /** Shape of the dots. Default square. */
  readonly dotsType?: "square" | "dots" | "rounded" | "extra-rounded" | "classy" | "classy-rounded" | undefined;
  /** Default #000000. */
  readonly dotsColor?: string | undefined;
  /** Default #FFFFFF. */
  readonly backgroundColor?: string | undefined;
  /** Shape of the corner squares. Default square. */
  readonly cornersSquareType?: "square" | "dot" | "extra-rounded" | undefined;
  /** Default: as dotsColor. */
  readonly cornersSquareColor?: string | undefined;
  /** Shape of the centres of the corners. Default dot in a dot corner, else square. */
  readonly cornersDotType?: "square" | "dot" | undefined;
  /** Default: as cornersSquareColor. */
  readonly cornersDotColor?: string | undefined;
};

export type Timeseries = {
  readonly qr_id: string;
  readonly interval: "hour" | "day" | "week" | "month";
  /** Every entry of the period, those without scans too. */
  readonly data: readonly SeriesEntry[];
};

/** Only the fields to change. */
export type UpdateQrCode = {
  /** Display name, not only white space or invisible characters. */
  readonly name?: string | undefined;
  /** Where a scan is sent: http or https, no user info, no spaces or control characters, no backslash before the path, a host that DNS can hold, not an address of this service. It comes back as it was sent; a scan is sent to it in ASCII. */
  readonly destination_url?: string | undefined;
  /** true resumes a paused code or publishes a draft; false pauses. */
  readonly active?: boolean | undefined;
};

/** Only the fields to change. */
export type UpdateWebhook = {
  /** Where events are sent: http or https, ASCII (hosts in punycode), no user info, no fragment. Private, loopback, link-local and metadata addresses are refused. */
  readonly url?: string | undefined;
  /** A note for yourself. */
  readonly description?: string | undefined;
  /** All that is sent from now on. What waits of a kind that is not named is not sent. */
  readonly events?: readonly ("scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released")[] | undefined;
  /** false stops deliveries at once; true resumes and clears failing_since. */
  readonly enabled?: boolean | undefined;
};

export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** What is sent. */
  readonly events: readonly ("scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released")[];
  /** false: nothing is sent. */
  readonly enabled: boolean;
  /** by_owner: an update said so; gone: the receiver answered 410; failing: nothing but failures for five days. */
  readonly disabled_reason: "by_owner" | "gone" | "failing" | null;
  /** The first failed try since the last success; null while all is well. */
  readonly failing_since: string | null;
  /** While a secret rotates: until when the old one signs too. */
  readonly old_secret_expires_at: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
};

export type WebhookAttempt = {
  /** When the try began. */
  readonly at: string;
  readonly duration_ms: number;
  readonly succeeded: boolean;
  /** null where no answer came. */
  readonly response_status: number | null;
  /** Why it failed. status: an answer that is not 2xx; timeout: not answered in whole within 15 s; disabled: the endpoint was off, nothing was sent; event_removed: the endpoint no longer takes this event, nothing was sent. */
  readonly error: "status" | "timeout" | "dns" | "blocked_address" | "connection" | "tls" | "disabled" | "event_removed" | null;
  /** The first 1,024 bytes of the answer. */
  readonly response_body: string;
};

export type WebhookDelivery = {
  /** The same as the header webhook-id of every try. */
  readonly id: string;
  readonly webhook_id: string;
  readonly event: "scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released";
  /** true for what `send test` made. */
  readonly test: boolean;
  /** pending: a try is to come; failed: no more are. */
  readonly status: "pending" | "delivered" | "failed";
  /** Tries so far, those of replays included. */
  readonly attempts: number;
  /** Of the last try. */
  readonly response_status: number | null;
  /** Of the last try. */
  readonly error: "status" | "timeout" | "dns" | "blocked_address" | "connection" | "tls" | "disabled" | "event_removed" | null;
  /** When the event happened. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_attempt_at: string | null;
  /** null unless pending. */
  readonly next_attempt_at: string | null;
  /** Why the next try waits, where a limit holds it back. host_rate: its host gets no more tries a second; first_success: the webhook has never answered 2xx at this URL, so it gets 10 tries a minute until it does. No try of the schedule is used up by the wait. */
  readonly waiting_for: "host_rate" | "first_success" | null;
};

export type WebhookDeliveryDetail = {
  /** The same as the header webhook-id of every try. */
  readonly id: string;
  readonly webhook_id: string;
  readonly event: "scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released";
  /** true for what `send test` made. */
  readonly test: boolean;
  /** pending: a try is to come; failed: no more are. */
  readonly status: "pending" | "delivered" | "failed";
  /** Tries so far, those of replays included. */
  readonly attempts: number;
  /** Of the last try. */
  readonly response_status: number | null;
  /** Of the last try. */
  readonly error: "status" | "timeout" | "dns" | "blocked_address" | "connection" | "tls" | "disabled" | "event_removed" | null;
  /** When the event happened. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_attempt_at: string | null;
  /** null unless pending. */
  readonly next_attempt_at: string | null;
  /** Why the next try waits, where a limit holds it back. host_rate: its host gets no more tries a second; first_success: the webhook has never answered 2xx at this URL, so it gets 10 tries a minute until it does. No try of the schedule is used up by the wait. */
  readonly waiting_for: "host_rate" | "first_success" | null;
  /** What is sent, byte for byte. */
  readonly body: string;
  /** Oldest first; kept for 30 days. */
  readonly attempt_log: readonly WebhookAttempt[];
};

export type WebhookDeliveryList = {
  readonly data: readonly WebhookDelivery[];
  readonly pagination: Pagination;
};

export type WebhookList = {
  readonly data: readonly Webhook[];
};

/** What each operation takes and answers. */
export type Operations = {
  /** Create a QR code */
  readonly createQrCode: {
    readonly path: [];
    readonly input: CreateQrCode;
    readonly answer: QrCode;
    readonly kind: 'json';
  };
  /** List QR codes */
  readonly listQrCodes: {
    readonly path: [];
    readonly input: {
      readonly page?: number | undefined;
      readonly limit?: number | undefined;
      /** Only codes of this status. */
      readonly status?: "active" | "paused" | "draft" | undefined;
    };
    readonly answer: QrCodeList;
    readonly kind: 'page';
  };
  /** Create many QR codes */
  readonly bulkCreateQrCodes: {
    readonly path: [];
    readonly input: BulkCreateQrCodes;
    readonly answer: BulkResult;
    readonly kind: 'json';
  };
  /** Get a QR code */
  readonly getQrCode: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: QrCode;
    readonly kind: 'json';
  };
  /** Update a QR code */
  readonly updateQrCode: {
    readonly path: [id: string];
    readonly input: UpdateQrCode;
    readonly answer: QrCode;
    readonly kind: 'json';
  };
  /** Delete a QR code */
  readonly deleteQrCode: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: DeletedQrCode;
    readonly kind: 'json';
  };
  /** Download the image */
  readonly downloadQrCode: {
    readonly path: [id: string];
    readonly input: {
      /** Default png. */
      readonly format?: "png" | "svg" | undefined;
      /** Width and height in pixels. */
      readonly size?: number | undefined;
    };
    readonly answer: Response;
    readonly kind: 'file';
  };
  /** Analytics summary */
  readonly getAnalytics: {
    readonly path: [id: string];
    readonly input: {
      /** First day of the period, YYYY-MM-DD, or a timestamp to the second with its offset. Default: 29 days before the last. */
      readonly start_date?: string | undefined;
      /** Last day of the period, and part of it; or a timestamp. Default: today. */
      readonly end_date?: string | undefined;
      /** IANA time zone in which days begin and end. Default UTC. */
      readonly timezone?: string | undefined;
    };
    readonly answer: AnalyticsSummary;
    readonly kind: 'json';
  };
  /** Individual scans */
  readonly listScans: {
    readonly path: [id: string];
    readonly input: {
      /** First day of the period, YYYY-MM-DD, or a timestamp to the second with its offset. Default: 29 days before the last. */
      readonly start_date?: string | undefined;
      /** Last day of the period, and part of it; or a timestamp. Default: today. */
      readonly end_date?: string | undefined;
      /** IANA time zone in which days begin and end. Default UTC. */
      readonly timezone?: string | undefined;
      readonly page?: number | undefined;
      readonly limit?: number | undefined;
    };
    readonly answer: ScanList;
    readonly kind: 'page';
  };
  /** Scans over time */
  readonly getTimeseries: {
    readonly path: [id: string];
    readonly input: {
      /** First day of the period, YYYY-MM-DD, or a timestamp to the second with its offset. Default: 29 days before the last. */
      readonly start_date?: string | undefined;
      /** Last day of the period, and part of it; or a timestamp. Default: today. */
      readonly end_date?: string | undefined;
      /** IANA time zone in which days begin and end. Default UTC. */
      readonly timezone?: string | undefined;
      /** How long each entry of the series is. Weeks begin on Monday. Default day. More than 2,000 entries are refused. */
      readonly interval?: "hour" | "day" | "week" | "month" | undefined;
    };
    readonly answer: Timeseries;
    readonly kind: 'json';
  };
  /** Export scans */
  readonly exportScans: {
    readonly path: [id: string];
    readonly input: {
      /** Default csv. */
      readonly format?: "csv" | "json" | undefined;
      /** true begins a CSV with a byte order mark, by which Excel knows UTF-8. Refused with format=json. Default false. */
      readonly bom?: boolean | undefined;
      /** First day of the period, YYYY-MM-DD, or a timestamp to the second with its offset. Default: 29 days before the last. */
      readonly start_date?: string | undefined;
      /** Last day of the period, and part of it; or a timestamp. Default: today. */
      readonly end_date?: string | undefined;
      /** IANA time zone in which days begin and end. Default UTC. */
      readonly timezone?: string | undefined;
    };
    readonly answer: Response;
    readonly kind: 'file';
  };
  /** Aggregate analytics */
  readonly getAggregateAnalytics: {
    readonly path: [];
    readonly input: {
      /** First day of the period, YYYY-MM-DD, or a timestamp to the second with its offset. Default: 29 days before the last. */
      readonly start_date?: string | undefined;
      /** Last day of the period, and part of it; or a timestamp. Default: today. */
      readonly end_date?: string | undefined;
      /** IANA time zone in which days begin and end. Default UTC. */
      readonly timezone?: string | undefined;
      /** How long each entry of the series is. Weeks begin on Monday. Default day. More than 2,000 entries are refused. */
      readonly interval?: "hour" | "day" | "week" | "month" | undefined;
    };
    readonly answer: AggregateAnalytics;
    readonly kind: 'json';
  };
  /** Analytics summary, by another path */
  readonly getAnalyticsOfQrCode: {
    readonly path: [id: string];
    readonly input: {
      /** First day of the period, YYYY-MM-DD, or a timestamp to the second with its offset. Default: 29 days before the last. */
      readonly start_date?: string | undefined;
      /** Last day of the period, and part of it; or a timestamp. Default: today. */
      readonly end_date?: string | undefined;
      /** IANA time zone in which days begin and end. Default UTC. */
      readonly timezone?: string | undefined;
    };
    readonly answer: AnalyticsSummary;
    readonly kind: 'json';
  };
  /** Create a webhook */
  readonly createWebhook: {
    readonly path: [];
    readonly input: CreateWebhook;
    readonly answer: CreatedWebhook;
    readonly kind: 'json';
  };
  /** List webhooks */
  readonly listWebhooks: {
    readonly path: [];
    readonly input: undefined;
    readonly answer: WebhookList;
    readonly kind: 'json';
  };
  /** Get a webhook */
  readonly getWebhook: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: Webhook;
    readonly kind: 'json';
  };
  /** Update a webhook */
  readonly updateWebhook: {
    readonly path: [id: string];
    readonly input: UpdateWebhook;
    readonly answer: Webhook;
    readonly kind: 'json';
  };
  /** Delete a webhook */
  readonly deleteWebhook: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: DeletedWebhook;
    readonly kind: 'json';
  };
  /** Rotate the secret */
  readonly rotateWebhookSecret: {
    readonly path: [id: string];
    readonly input: RotateWebhookSecret;
    readonly answer: CreatedWebhook;
    readonly kind: 'json';
  };
  /** Send a test */
  readonly testWebhook: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: WebhookDelivery;
    readonly kind: 'json';
  };
  /** List deliveries */
  readonly listWebhookDeliveries: {
    readonly path: [id: string];
    readonly input: {
      readonly page?: number | undefined;
      readonly limit?: number | undefined;
      /** Only deliveries of this status. */
      readonly status?: "pending" | "delivered" | "failed" | undefined;
    };
    readonly answer: WebhookDeliveryList;
    readonly kind: 'page';
  };
  /** Replay all that failed */
  readonly replayFailedDeliveries: {
    readonly path: [id: string];
    readonly input: ReplayFailed;
    readonly answer: ReplayResult;
    readonly kind: 'json';
  };
  /** Get a delivery */
  readonly getWebhookDelivery: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: WebhookDeliveryDetail;
    readonly kind: 'json';
  };
  /** Replay a delivery */
  readonly replayWebhookDelivery: {
    readonly path: [id: string];
    readonly input: undefined;
    readonly answer: WebhookDelivery;
    readonly kind: 'json';
  };
  /** This document */
  readonly getOpenApi: {
    readonly path: [];
    readonly input: undefined;
    readonly answer: Readonly<Record<string, unknown>>;
    readonly kind: 'json';
  };
};

/** Where each operation is, and how its answer is read. */
export const endpoints = {
  createQrCode: { method: 'POST', path: '/v1/qrcodes', input: 'body', query: [], answer: 'json' },
  listQrCodes: { method: 'GET', path: '/v1/qrcodes', input: 'query', query: ['page', 'limit', 'status'], answer: 'page' },
  bulkCreateQrCodes: { method: 'POST', path: '/v1/qrcodes/bulk', input: 'body', query: [], answer: 'json' },
  getQrCode: { method: 'GET', path: '/v1/qrcodes/{id}', input: 'none', query: [], answer: 'json' },
  updateQrCode: { method: 'PATCH', path: '/v1/qrcodes/{id}', input: 'body', query: [], answer: 'json' },
  deleteQrCode: { method: 'DELETE', path: '/v1/qrcodes/{id}', input: 'none', query: [], answer: 'json' },
  downloadQrCode: { method: 'GET', path: '/v1/qrcodes/{id}/download', input: 'query', query: ['format', 'size'], answer: 'file' },
  getAnalytics: { method: 'GET', path: '/v1/qrcodes/{id}/analytics', input: 'query', query: ['start_date', 'end_date', 'timezone'], answer: 'json' },
  listScans: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/scans', input: 'query', query: ['start_date', 'end_date', 'timezone', 'page', 'limit'], answer: 'page' },
  getTimeseries: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/timeseries', input: 'query', query: ['start_date', 'end_date', 'timezone', 'interval'], answer: 'json' },
  exportScans: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/export', input: 'query', query: ['format', 'bom', 'start_date', 'end_date', 'timezone'], answer: 'file' },
  getAggregateAnalytics: { method: 'GET', path: '/v1/analytics/aggregate', input: 'query', query: ['start_date', 'end_date', 'timezone', 'interval'], answer: 'json' },
  getAnalyticsOfQrCode: { method: 'GET', path: '/v1/analytics/qrcodes/{id}', input: 'query', query: ['start_date', 'end_date', 'timezone'], answer: 'json' },
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
