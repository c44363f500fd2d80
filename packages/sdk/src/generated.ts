// Made by `npm run generate` from docs/guides/openapi.json. Change the contract, not this file.

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

export type AccountScan = {
  readonly id: string;
  readonly qr_id: string;
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
  /** The target of a rule that the scan was redirected to. Empty for destination_url. */
  readonly target_id: string;
  /** The rule that decided. Empty if none did. */
  readonly rule_id: string;
  /** Key of the placement. Empty for none. */
  readonly placement: string;
};

export type AccountScanExport = {
  readonly period: Period;
  /** Only if the period reaches back further than the scans that the service keeps: when these begin. Earlier ones are not listed. */
  readonly retained_from?: string | undefined;
  readonly total: number;
  readonly data: readonly AccountScan[];
};

export type AccountScanList = {
  readonly data: readonly AccountScan[];
  /** Send it as `after` to go on from here, now or later. */
  readonly next_cursor: string;
  /** Whether more scans are there already. */
  readonly has_more: boolean;
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

export type AccountUsage = {
  /** acct_… */
  readonly id: string;
  readonly name: string;
  /** Name of the plan. */
  readonly plan: string;
  /** Why and since when the account is suspended, or null. A suspended account can read, delete and appeal. */
  readonly suspension: {
    /** Human-readable reason, written by the operator. */
    readonly reason: string;
    /** ISO 8601, UTC. */
    readonly suspended_at: string;
  } | null;
  /** Mode of the API key. Live and test data are separate. */
  readonly mode: "live" | "test" | (string & {});
  readonly limits: {
    /** Requests in any 60 seconds. */
    readonly requests_per_minute: number;
    /** QR codes that there may be in this mode, as far as they count against the plan. null: no limit. */
    readonly qr_codes: number | null;
    /** QR codes that may be created or edited in bulk in any 60 seconds. null: no limit. */
    readonly new_qr_codes_per_minute: number | null;
    /** Tags that there may be in this mode. */
    readonly tags: number;
    /** Rules that a QR code may have. */
    readonly rules_per_qr_code: number;
    /** Placements that a QR code may have. */
    readonly placements_per_qr_code: number;
    /** Designs that there may be in this mode. */
    readonly designs: number;
    /** Bytes that the assets may take in this mode. null: no limit. */
    readonly asset_bytes: number | null;
    /** Webhooks that there may be in this mode; 0 in live mode where the plan has none. */
    readonly webhooks: number;
    /** Share links that there may be in this mode. */
    readonly share_links: number;
    /** People who may belong to the account, pending invitations included. null: no limit. */
    readonly members: number | null;
  };
  readonly used: {
    /** QR codes that count against the limit. */
    readonly qr_codes: number;
    readonly tags: number;
    /** People who belong to the account, and pending invitations. */
    readonly members: number;
  };
};

export type AggregateAnalytics = {
  readonly period: Period;
  /** Only if the period reaches back further than the scans that the service keeps: when these begin. Before it, figures are sums of months, and `top_cities` has nothing. */
  readonly retained_from?: string | undefined;
  readonly summary: {
    readonly total_scans: number;
    /** Exact number of distinct visitors in the period. */
    readonly unique_visitors: number;
    /** Average number of scans per calendar day, to one decimal place. */
    readonly avg_daily_scans: number;
    /** Number of codes in the account, or of those with the tag, with or without scans. */
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
  /** Only if the period reaches back further than the scans that the service keeps: when these begin. Before it, figures are sums of months, and `top_cities` has nothing. */
  readonly retained_from?: string | undefined;
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
  /** Requests that were not redirected, by reason: paused, draft, suspended, held, not_begun, ended or used_up. They are not scans. Only reasons that occurred are listed, for the days of the period in UTC; filters do not apply. */
  readonly not_redirected: Readonly<Record<string, number>>;
  /** Scans by where they were redirected to: destination_url first, then the targets of the rules in their order, then earlier targets that have scans. The scans add up to total_scans. */
  readonly targets: readonly TargetFigures[];
  /** Scans by placement, those without one first. A deleted placement keeps its scans, without its name, at the end. The scans add up to total_scans. Empty for a code that never had a placement. */
  readonly placements: readonly PlacementFigures[];
};

export type Asset = {
  readonly id: string;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** Size that counts against the limit of the account. */
  readonly bytes: number;
  /** Whether there is an SVG of it. */
  readonly has_vector: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

export type AssetList = {
  readonly data: readonly Asset[];
};

export type AuditEvent = {
  /** Send it as `after` to read on behind this event. */
  readonly cursor: string;
  /** A UUID, the same whenever the event is read. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Id of the operation in this document, such as `updateQrCode`; or `failedSignIn`. */
  readonly action: string;
  readonly actor: {
    /** `operator`: the operator of the service. `nobody`: somebody who was not signed in. */
    readonly kind: "key" | "user" | "operator" | "nobody" | (string & {});
    readonly id: string | null;
    readonly name: string | null;
  };
  readonly request_id: string | null;
  /** What the event is about. */
  readonly subjects: ReadonlyArray<{
    /** Such as qr_… */
    readonly id: string;
    readonly name: string | null;
  }>;
  /** Names of the fields that were sent with a change. */
  readonly fields: readonly string[];
  /** Hosts of new destinations. */
  readonly hosts: readonly string[];
  readonly count: number | null;
};

export type AuditFeed = {
  /** Oldest first. */
  readonly data: readonly AuditEvent[];
  /** Send it as `after`, also later. */
  readonly next_cursor: string;
  /** Whether more are there already. */
  readonly has_more: boolean;
};

/** Whether the short link currently works, regardless of `status`. */
export type Availability = {
  /** `live`: scans are redirected, including those of test codes. `off`: the code is paused or a draft. `suspended`: stopped for safety by the operator, a blocked host or a blocklist, or because the account is suspended. `held`: the account must confirm its email address first. `scheduled`: starts_at is in the future. `ended`: expires_at is past. `used_up`: the code has max_scans. */
  readonly state: "live" | "suspended" | "held" | "off" | "scheduled" | "ended" | "used_up" | (string & {});
  /** When the code was suspended, held or used up, or when it ended. Otherwise null. */
  readonly since: string | null;
  /** Why the code is suspended, otherwise null. */
  readonly reason: string | null;
};

/** What to change in each code. */
export type BulkChange = {
  /** `true` resumes or publishes codes, `false` pauses them. */
  readonly active?: boolean | undefined;
  /** `true` hides codes from lists, `false` shows them again. */
  readonly archived?: boolean | undefined;
  /** URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form. */
  readonly destination_url?: string | undefined;
  readonly destination_replace?: DestinationReplace | undefined;
  /** Tags to add. */
  readonly tags_add?: readonly string[] | undefined;
  /** Tags to remove. */
  readonly tags_remove?: readonly string[] | undefined;
  /** A note for yourself, at most 2,000 characters. Scanners never see it. */
  readonly note?: string | null | undefined;
  /** Texts by key. An update sets the keys that it names and leaves the others; a key with null is removed, and null instead of an object removes all. A code has at most 50 keys. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
};

export type BulkCodeFailed = {
  /** Position in `ids` or among the matches, counted from 0. */
  readonly index: number;
  readonly status: "failed";
  readonly id: string;
  readonly error: ErrorDetail;
};

export type BulkCreatePlacements = {
  /** The placements, in the order in which they are to be listed. */
  readonly items: readonly CreatePlacement[];
};

export type BulkCreateQrCodes = {
  readonly items: readonly CreateQrCode[];
  /** If `true`, no code is created unless every item is valid. Defaults to false. */
  readonly atomic?: boolean | undefined;
  /** If `true`, returns which items would be created, with status `valid`, and creates nothing. Defaults to false. */
  readonly dry_run?: boolean | undefined;
};

export type BulkCreated = {
  /** Position in `items`, counted from 0. */
  readonly index: number;
  readonly status: "created";
  readonly qr_code: QrCode;
};

/** The outcome of one code. `status` distinguishes the two. */
export type BulkDeleteItem = BulkDeleted | BulkCodeFailed;

export type BulkDeleteQrCodes = {
  /** Ids of codes, or `ext:` and their external ids; at most 500. */
  readonly ids: readonly string[];
  /** How many of these codes you expect to exist. If another number does, nothing is deleted. */
  readonly expected_count: number;
  /** If `true`, returns what would happen and changes nothing. Defaults to false. */
  readonly dry_run?: boolean | undefined;
};

export type BulkDeleteResult = {
  /** Whether nothing was changed because `dry_run` was set. */
  readonly dry_run: boolean;
  /** Number of codes deleted. */
  readonly deleted: number;
  /** Number of ids that no code has. */
  readonly failed: number;
  /** One entry per id, in the order of `ids`. */
  readonly data: readonly BulkDeleteItem[];
};

export type BulkDeleted = {
  /** Position in `ids` or among the matches, counted from 0. */
  readonly index: number;
  readonly status: "deleted";
  readonly id: string;
};

/** The outcome of one code. `status` distinguishes the two. */
export type BulkEditItem = BulkUpdated | BulkCodeFailed;

export type BulkEditQrCodes = {
  /** Ids of codes, or `ext:` and their external ids; at most 500. */
  readonly ids?: readonly string[] | undefined;
  readonly filter?: BulkFilter | undefined;
  /** How many codes you expect to match. If another number matches, nothing is changed. Required with `filter`. */
  readonly expected_count?: number | undefined;
  readonly set: BulkChange;
  /** If `true`, returns what would happen and changes nothing. Defaults to false. */
  readonly dry_run?: boolean | undefined;
} & ({ readonly ids: readonly string[] } | { readonly filter: BulkFilter; readonly expected_count: number });

export type BulkEditResult = {
  /** Whether nothing was changed because `dry_run` was set. */
  readonly dry_run: boolean;
  /** Number of codes changed. */
  readonly updated: number;
  /** Number of codes that could not be changed. */
  readonly failed: number;
  /** One entry per code: in the order of `ids`, or the newest first. */
  readonly data: readonly BulkEditItem[];
};

export type BulkFailed = {
  /** Position in `items`, counted from 0. */
  readonly index: number;
  readonly status: "failed";
  readonly error: ErrorDetail;
};

/** Filters as in the list of codes. */
export type BulkFilter = {
  /** Only codes with this status. */
  readonly status?: "active" | "paused" | "draft" | (string & {}) | undefined;
  /** `true`: only archived codes, `false`: only the others, which is the default. Codes that `ids`, `external_id` or `short_code` name are found in both cases unless you say. */
  readonly archived?: boolean | undefined;
  /** Return only the codes with these ids, at most 100. In a query, repeat the parameter. An id that no code has is left out. */
  readonly ids?: readonly string[] | undefined;
  /** Return only codes that have this tag. Repeat it to ask for several: a code must have all of them. */
  readonly tag?: readonly string[] | undefined;
  /** Text to find in the name, short code, destination, external id or tags, ignoring case. Of a destination, the first 200 characters are searched; of the tags that contain the text, the 50 with the most codes. */
  readonly search?: string | undefined;
  /** Return only the code with this external id. */
  readonly external_id?: string | undefined;
  /** Return only the code with this short code, ignoring case. */
  readonly short_code?: string | undefined;
  /** Return only codes whose destination has exactly this host, such as www.example.com. */
  readonly destination_host?: string | undefined;
  /** Return only codes on this domain, such as go.example.com. Repeated short codes are told apart by it. */
  readonly domain?: string | undefined;
  /** Return only codes that have this text under this key of `metadata`, such as `branch:berlin`. The text is compared exactly. Repeat it to ask for several: a code must have all of them. */
  readonly metadata?: readonly string[] | undefined;
  /** Return only codes whose short link is in this state at the moment, as `availability.state` of a code says. */
  readonly availability?: "live" | "suspended" | "held" | "off" | "scheduled" | "ended" | "used_up" | (string & {}) | undefined;
  /** Return only codes created from this day or moment on. Days are in UTC. */
  readonly created_from?: string | undefined;
  /** Return only codes created up to this day or moment, inclusive. */
  readonly created_to?: string | undefined;
};

/** The outcome of one item. `status` distinguishes them: `valid` is what a dry run would create. */
export type BulkItem = BulkCreated | BulkValid | BulkFailed;

export type BulkResult = {
  /** Present if nothing was created because `dry_run` was set. */
  readonly dry_run?: true | undefined;
  /** Number of codes created, or with `dry_run` of items that would be. */
  readonly created: number;
  /** Number of items that failed. */
  readonly failed: number;
  /** One entry per item, in the order of the items. */
  readonly data: readonly BulkItem[];
};

export type BulkUpdated = {
  /** Position in `ids` or among the matches, counted from 0. */
  readonly index: number;
  readonly status: "updated";
  readonly qr_code: QrCode;
};

export type BulkValid = {
  /** Position in `items`, counted from 0. */
  readonly index: number;
  readonly status: "valid";
};

/** All codes that match, newest first, instead of `qr_ids`: the filters of the list of codes. At most 500 may match. */
export type CodeFilter = {
  /** Only codes with this status. */
  readonly status?: "active" | "paused" | "draft" | (string & {}) | undefined;
  /** `true`: only archived codes, `false`: only the others, which is the default. Codes that `ids`, `external_id` or `short_code` name are found in both cases unless you say. */
  readonly archived?: boolean | undefined;
  /** Return only the codes with these ids, at most 100. In a query, repeat the parameter. An id that no code has is left out. */
  readonly ids?: readonly string[] | undefined;
  /** Return only codes that have this tag. Repeat it to ask for several: a code must have all of them. */
  readonly tag?: readonly string[] | undefined;
  /** Text to find in the name, short code, destination, external id or tags, ignoring case. Of a destination, the first 200 characters are searched; of the tags that contain the text, the 50 with the most codes. */
  readonly search?: string | undefined;
  /** Return only the code with this external id. */
  readonly external_id?: string | undefined;
  /** Return only the code with this short code, ignoring case. */
  readonly short_code?: string | undefined;
  /** Return only codes whose destination has exactly this host, such as www.example.com. */
  readonly destination_host?: string | undefined;
  /** Return only codes on this domain, such as go.example.com. Repeated short codes are told apart by it. */
  readonly domain?: string | undefined;
  /** Return only codes that have this text under this key of `metadata`, such as `branch:berlin`. The text is compared exactly. Repeat it to ask for several: a code must have all of them. */
  readonly metadata?: readonly string[] | undefined;
  /** Return only codes whose short link is in this state at the moment, as `availability.state` of a code says. */
  readonly availability?: "live" | "suspended" | "held" | "off" | "scheduled" | "ended" | "used_up" | (string & {}) | undefined;
  /** Return only codes created from this day or moment on. Days are in UTC. */
  readonly created_from?: string | undefined;
  /** Return only codes created up to this day or moment, inclusive. */
  readonly created_to?: string | undefined;
};

export type CreateAsset = {
  /** The picture in base64: PNG, JPEG or WebP, up to 512 KiB, 64 to 2,048 pixels wide and high. It is decoded and encoded again without its metadata. */
  readonly image: string;
  /** The same picture as SVG, up to 200 KiB, for SVG images of codes. Only shapes, gradients and clip paths are allowed: no text, images, styles, scripts or links. */
  readonly vector?: string | undefined;
};

export type CreateDesign = {
  /** Name of the design. */
  readonly name: string;
  readonly style: Style;
  readonly frame?: Frame | undefined;
  /** Whether the dashboard starts with this design. At most one design is the default. Codes created through the API use it only if they name it. */
  readonly is_default?: boolean | undefined;
};

export type CreatePlacement = {
  /** The end of the link that is printed there, after a dot: lower-case letters, digits and `-`. It must not name a file type such as png or html. */
  readonly key: string;
  /** Where the code is printed, such as Window or Table 12. */
  readonly name: string;
  /** A note for yourself. */
  readonly note?: string | null | undefined;
};

export type CreateQrCode = {
  /** Display name. Must contain at least one visible character. */
  readonly name: string;
  /** URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form. */
  readonly destination_url: string;
  /** Slug of the short link: letters, digits, `-` and `_`, starting and ending with a letter or digit. Unique on its domain, ignoring case. A short code of a live code is never given to another account; `reclaim` uses one again that you deleted. A short code of a test code is unique within your account and available again once the code is deleted. */
  readonly short_code?: string | undefined;
  /** Host of one of your active domains, or null for the host of the service. */
  readonly domain?: string | null | undefined;
  readonly style?: Style | undefined;
  /** Id of a design whose style is copied into the code. Fields in `style` take precedence. Later changes to the design do not affect the code. */
  readonly design_id?: string | undefined;
  /** A draft does not redirect until it is activated, a paused code until it is resumed. Defaults to active. */
  readonly status?: "active" | "paused" | "draft" | (string & {}) | undefined;
  /** Use `short_code` again if it belonged to a code that your account has deleted: printed copies then lead to this new code, which starts with no scans. Not where the deleted code was suspended, within 90 days, or reported and not yet looked at. */
  readonly reclaim?: boolean | undefined;
  /** Names of tags, at most 20. Tags that do not exist yet are created. An update replaces all tags of the code. */
  readonly tags?: readonly string[] | undefined;
  /** A note for yourself, at most 2,000 characters. Scanners never see it. */
  readonly note?: string | null | undefined;
  /** Rules, at most 50. They are tried in order, and the first that applies decides; if none does, scans go to destination_url. An update replaces the list. At most 64 KiB of JSON. */
  readonly rules?: readonly RuleBody[] | null | undefined;
  /** Where scanners go while the code is paused, has not begun, has ended or is used up. Such requests are not scans. Null: they see a page. */
  readonly fallback_url?: string | null | undefined;
  /** When the code begins to redirect. Null: at once. */
  readonly starts_at?: string | null | undefined;
  /** When the code stops redirecting. Null: never. */
  readonly expires_at?: string | null | undefined;
  /** The code stops once it has this many scans in total. At least this many are redirected; it stops within about 2 seconds. Raise it or set it to null to resume. Null: no limit. */
  readonly max_scans?: number | null | undefined;
  /** Whether the query of the short link is appended to the destination. Parameters that the destination or append_query has are not. Defaults to false. */
  readonly forward_query?: boolean | undefined;
  /** Parameters to append to the destination, unless it has them already. Values may contain `{qr_id}`, `{short_code}`, `{placement}`, `{country}`, `{device}`, `{language}`, `{rule}`, `{target}`. */
  readonly append_query?: Readonly<Record<string, string>> | null | undefined;
  /** Id of the code in your own system, unique within your account and mode. Use it in paths as `ext:<external_id>`. Paths end up in logs, so use an opaque id. It is available again once the code is deleted. */
  readonly external_id?: string | null | undefined;
  /** Texts by key, for your own programs: at most 50 keys of 1 to 40 letters, digits, _, . or -, and values of at most 500 characters. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
};

export type CreateQrCodeShareLink = {
  /** Heading of the page. Left out: the name of the code, the tag or the account. */
  readonly title?: string | undefined;
  /** What the page shows besides the totals: `chart`, `map` (countries and cities), `placements` and `destinations` of a code, or `codes` (the names of the codes with the most scans) of a tag or the account. Defaults to `chart` and `map`. */
  readonly sections?: ReadonlyArray<"chart" | "map" | "codes" | "placements" | "destinations" | (string & {})> | undefined;
  /** The page shows the last days, including today. Defaults to 30, without `start_date`. */
  readonly days?: number | undefined;
  /** First day of the page, in place of `days`. */
  readonly start_date?: string | undefined;
  /** Last day of the page, with `start_date`. Left out: today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** When the link ends, in the future. Left out: when it is revoked. */
  readonly expires_at?: string | undefined;
};

export type CreateShareLink = {
  /** Heading of the page. Left out: the name of the code, the tag or the account. */
  readonly title?: string | undefined;
  /** Share the figures of this tag. Left out: of all codes. */
  readonly tag?: string | undefined;
  /** What the page shows besides the totals: `chart`, `map` (countries and cities), `placements` and `destinations` of a code, or `codes` (the names of the codes with the most scans) of a tag or the account. Defaults to `chart` and `map`. */
  readonly sections?: ReadonlyArray<"chart" | "map" | "codes" | "placements" | "destinations" | (string & {})> | undefined;
  /** The page shows the last days, including today. Defaults to 30, without `start_date`. */
  readonly days?: number | undefined;
  /** First day of the page, in place of `days`. */
  readonly start_date?: string | undefined;
  /** Last day of the page, with `start_date`. Left out: today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** When the link ends, in the future. Left out: when it is revoked. */
  readonly expires_at?: string | undefined;
};

export type CreateSheet = {
  /** Ids of the codes, or `ext:` and their external ids, in this order. Up to 500. */
  readonly qr_ids?: readonly string[] | undefined;
  readonly filter?: CodeFilter | undefined;
  /** A sheet of labels by its name (Avery L7160 on A4, Avery 5160 on Letter), or your own. */
  readonly layout: "avery-l7160" | "avery-5160" | (string & {}) | SheetLayout;
  /** Text beside or below each code, in Latin, Greek or Cyrillic letters. A code without an external id has no text then. Defaults to none. */
  readonly caption?: "none" | "name" | "short_url" | "external_id" | (string & {}) | undefined;
  /** The text of codes whose caption has another letter. Left out: the sheet is refused, and the message names the code. */
  readonly caption_fallback?: "short_url" | (string & {}) | undefined;
  /** Labels of each code. Defaults to 1. A sheet has at most 5000 labels. */
  readonly copies?: number | undefined;
  /** With `all`, a label for each placement of a code instead of one. Defaults to none. */
  readonly placements?: "none" | "all" | (string & {}) | undefined;
  /** Id of a design in which all codes are drawn, for this file only. */
  readonly design_id?: string | undefined;
} & ({ readonly qr_ids: readonly string[] } | { readonly filter: CodeFilter });

export type CreateTenant = {
  /** Name of the account. People whom it invites see it. One line, without links. */
  readonly name: string;
  /** Name of a plan, such as `pro`. */
  readonly plan?: string | undefined;
  /** Id of the account in your own system, unique among your accounts. */
  readonly external_id?: string | null | undefined;
  /** Invites this person as the owner of the account. */
  readonly owner_email?: string | undefined;
};

export type CreateTenantKey = {
  /** Name of the key. */
  readonly name: string;
  /** Mode of the key. */
  readonly mode: "live" | "test" | (string & {});
  readonly scopes?: ReadonlyArray<"qrcodes:read" | "qrcodes:write" | "qrcodes:delete" | "analytics:read" | "designs:read" | "designs:write" | "webhooks:read" | "webhooks:write" | "share-links:write" | "domains:read" | "account:read" | "audit:read" | (string & {})> | null | undefined;
  readonly expires_at?: string | null | undefined;
  readonly allowed_cidrs?: readonly string[] | null | undefined;
};

export type CreateWebhook = {
  /** URL that receives the events. Must be http or https and ASCII (write international host names in punycode), without user info or a fragment. Private, loopback, link-local and metadata addresses are rejected. */
  readonly url: string;
  /** A note for your own use. */
  readonly description?: string | undefined;
  /** Events to send. Defaults to ["scan.created"]. */
  readonly events?: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {})> | undefined;
  /** Whether scan events say more about the code: `rule_id`, `target_id`, `placement`, `external_id`, `short_code` and `metadata` at the end of `data`. Defaults to false. */
  readonly include_code_details?: boolean | undefined;
  /** Alias of include_code_details. */
  readonly include_routing?: boolean | undefined;
  /** Send only scans of these codes. Null, the default: of all codes. With `tags` as well: scans of either. Other events are sent for all codes. */
  readonly qr_ids?: readonly string[] | null | undefined;
  /** Send only scans of codes that have one of these tags when the scan is counted. Null, the default: of all codes. Tags that do not exist yet may be named. */
  readonly tags?: readonly string[] | null | undefined;
  /** Whether events are sent. Defaults to true. */
  readonly enabled?: boolean | undefined;
};

export type CreatedPlacements = {
  /** Number of placements that were added. */
  readonly created: number;
  /** The new placements, in the order of the request. */
  readonly data: readonly Placement[];
};

export type CreatedTenant = {
  /** acct_… */
  readonly id: string;
  readonly name: string;
  readonly external_id: string | null;
  /** Name of the plan. */
  readonly plan: string;
  readonly limits: {
    /** Requests in any 60 seconds. */
    readonly requests_per_minute: number;
    /** Live QR codes, as far as they count against the plan. null: no limit. */
    readonly qr_codes: number | null;
    /** QR codes that may be created in any 60 seconds in each mode. null: no limit. */
    readonly new_qr_codes_per_minute: number | null;
    /** People who may belong to the account, pending invitations included. null: no limit. */
    readonly members: number | null;
  };
  readonly used: {
    /** Live QR codes that count against the limit. */
    readonly qr_codes: number;
    /** People who belong to the account, and pending invitations. */
    readonly members: number;
  };
  /** Why and since when the account is suspended, or null. */
  readonly suspension: {
    readonly reason: string;
    /** Since when. ISO 8601, UTC. */
    readonly suspended_at: string;
    /** Whether the operator of the service suspended it, who alone can release it then. */
    readonly by_operator: boolean;
  } | null;
  /** When the account was created. ISO 8601, UTC. */
  readonly created_at: string;
  readonly link: string | null;
};

export type CreatedWebhook = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Events that are sent to this webhook. */
  readonly events: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {})>;
  /** Whether scan events say more about the code: `rule_id`, `target_id`, `placement`, `external_id`, `short_code` and `metadata` at the end of `data`. */
  readonly include_code_details: boolean;
  /** Alias of include_code_details. */
  readonly include_routing: boolean;
  /** Codes whose scans are sent; null for all. */
  readonly qr_ids: readonly string[] | null;
  /** Tags of codes whose scans are sent; null for all. */
  readonly tags: readonly string[] | null;
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

export type DeletedAsset = {
  readonly deleted: true;
  readonly id: string;
};

export type DeletedDesign = {
  readonly deleted: true;
  readonly id: string;
};

export type DeletedPlacement = {
  readonly deleted: true;
  readonly key: string;
};

export type DeletedQrCode = {
  readonly deleted: true;
  readonly id: string;
};

export type DeletedTag = {
  readonly deleted: true;
  readonly name: string;
};

export type DeletedWebhook = {
  readonly deleted: true;
  readonly id: string;
};

export type Design = {
  readonly id: string;
  readonly name: string;
  readonly style: QrCodeStyle;
  /** The label around the code, or null. */
  readonly frame: DesignFrame | null;
  /** Whether the dashboard starts with this design. At most one design is the default. Codes created through the API use it only if they name it. */
  readonly is_default: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
};

/** A label around the code. It never covers the quiet zone. */
export type DesignFrame = {
  /** Kind of frame. */
  readonly type: "label-below" | "label-above" | "bubble" | "card" | (string & {});
  /** Text of the label: Latin, Greek or Cyrillic. */
  readonly text: string;
  /** Color of the label. Defaults to the color of the corner squares. */
  readonly color?: string | undefined;
};

export type DesignList = {
  readonly data: readonly Design[];
};

/** Replaces a text wherever it occurs in the destination. A destination without it stays as it is. Not together with `destination_url`. */
export type DestinationReplace = {
  /** Text to find, with regard to case. */
  readonly find: string;
  /** Text to put in its place. Empty removes what was found. */
  readonly replace: string;
};

export type Domain = {
  readonly id: string;
  /** In lower case and punycode, such as go.example.com. */
  readonly host: string;
  /** `active`: its short links work. `released`: they answer 404 until the host is added to the account again. */
  readonly status: "active" | "released" | (string & {});
  /** Whether the dashboard preselects it for new codes. A code created through the API is on a domain only if it names it. */
  readonly is_default: boolean;
  /** Where the host leads without a short code, or null: to a page that says what it is for. */
  readonly root_url: string | null;
  /** Where short links lead that do not exist, or null: to a page that says so. */
  readonly not_found_url: string | null;
  /** Number of codes on it, without deleted ones. */
  readonly qr_codes: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
};

export type DomainList = {
  readonly data: readonly Domain[];
};

export type ErrorBody = {
  readonly error: ErrorDetail;
};

export type ErrorDetail = {
  /** Machine-readable error code. Each operation lists the codes that it returns. */
  readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "invalid_rule" | "too_many_codes" | "period_not_retained" | "unscannable_style" | "invalid_asset" | "unauthorized" | "forbidden" | "no_account" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "external_id_taken" | "placement_taken" | "immutable_field" | "count_changed" | "invalid_transition" | "last_owner" | "asset_in_use" | "idempotency_in_progress" | "precondition_failed" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout" | (string & {});
  /** A human-readable message: what went wrong and what to do next. */
  readonly message: string;
  /** The field or parameter that caused the error. */
  readonly param?: string | undefined;
  /** All problems found in the body or query, including the first one. At most 20, or every failed item with `atomic`. */
  readonly errors?: readonly ErrorItem[] | undefined;
  /** With `short_code_taken`: the short code belonged to a code that you deleted. `reclaim: true` uses it again. */
  readonly reclaimable?: true | undefined;
  /** Only of a short link that does not redirect: why. `ended` also stands for a code that is used up, and `unknown` for a draft. */
  readonly reason?: "paused" | "not_begun" | "ended" | "suspended" | "held" | "unknown" | "deleted" | (string & {}) | undefined;
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
  /** If all items fail together, as with `atomic`: the position of the item, counted from 0. */
  readonly index?: number | undefined;
  /** Machine-readable error code. */
  readonly code: "invalid_request" | "invalid_json" | "invalid_url" | "invalid_short_code" | "reserved_short_code" | "invalid_rule" | "too_many_codes" | "period_not_retained" | "unscannable_style" | "invalid_asset" | "unauthorized" | "forbidden" | "no_account" | "plan_required" | "quota_exceeded" | "destination_blocked" | "not_found" | "method_not_allowed" | "short_code_taken" | "external_id_taken" | "placement_taken" | "immutable_field" | "count_changed" | "invalid_transition" | "last_owner" | "asset_in_use" | "idempotency_in_progress" | "precondition_failed" | "gone" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limit_exceeded" | "internal_error" | "unavailable" | "timeout" | (string & {});
  /** A human-readable description of this problem. */
  readonly message: string;
  /** The field or parameter that caused the error. */
  readonly param?: string | undefined;
  /** With `short_code_taken`: the short code belonged to a code that you deleted. `reclaim: true` uses it again. */
  readonly reclaimable?: true | undefined;
};

/** A label around the code. It never covers the quiet zone. */
export type Frame = {
  /** Kind of frame. */
  readonly type: "label-below" | "label-above" | "bubble" | "card" | (string & {});
  /** Text of the label: Latin, Greek or Cyrillic. */
  readonly text: string;
  /** Color of the label. Defaults to the color of the corner squares. */
  readonly color?: string | undefined;
};

/** Colors the dots instead of `dotsColor`. The corners keep their plain colors. It is graded by the stop that is closest to the background. */
export type Gradient = {
  /** Linear, or radial around the center. */
  readonly type: "linear" | "radial" | (string & {});
  /** Direction of a linear gradient in degrees: 0 runs from left to right, 90 from top to bottom. Defaults to 0. */
  readonly rotation?: number | undefined;
  /** Two to five colors, in ascending order of `offset`. */
  readonly stops: readonly GradientStop[];
};

export type GradientStop = {
  /** Position, from 0 to 1. */
  readonly offset: number;
  /** Color at this position. */
  readonly color: string;
};

export type ListPagination = {
  /** Number of this page. */
  readonly page: number;
  /** Maximum number of items per page. */
  readonly limit: number;
  /** Number of items on all pages. */
  readonly total: number;
  /** Number of pages. */
  readonly total_pages: number;
  /** Whether more items follow. With `ending_before`: whether more come before these. */
  readonly has_more: boolean;
  /** Present if more codes match than `total` says. Pages reach the first 1,000 matches, and the newest 10,000 when sorted by name or scans; a page beyond them is 400 `too_many_codes`. Use starting_after to reach the others. */
  readonly capped?: true | undefined;
};

/** A picture in the middle of the code. It covers so much that at least half of the error correction of every block remains. */
export type Logo = {
  /** Id of the asset. */
  readonly asset_id: string;
  /** At least 15, 20 or 30 % of the width of the code. A larger logo makes a larger code. Defaults to medium. */
  readonly size?: "small" | "medium" | "large" | (string & {}) | undefined;
  /** Shape that the logo is cut to. Defaults to square. */
  readonly shape?: "square" | "circle" | (string & {}) | undefined;
  /** Free space around the logo in modules, within its size. Defaults to 0.5. */
  readonly margin?: number | undefined;
};

/** What the logo costs. Only for codes with a logo. */
export type LogoScannability = {
  /** Width of the space for the logo, in modules. */
  readonly modules: number;
  /** Width of the code, in modules. */
  readonly of: number;
  /** Share of the error correction that the logo uses in the block that it affects most. */
  readonly used: number;
  /** Share of the error correction that a logo may use. */
  readonly budget: number;
};

export type NewApiKey = {
  /** key_… */
  readonly id: string;
  readonly name: string;
  readonly mode: "live" | "test" | (string & {});
  /** sk_live_ or sk_test_. */
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: ReadonlyArray<"qrcodes:read" | "qrcodes:write" | "qrcodes:delete" | "analytics:read" | "designs:read" | "designs:write" | "webhooks:read" | "webhooks:write" | "share-links:write" | "domains:read" | "account:read" | "audit:read" | "accounts:write" | (string & {})> | null;
  readonly expires_at: string | null;
  readonly allowed_cidrs: readonly string[] | null;
  readonly created_by: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly last_used_at: string | null;
  /** The API key. It is shown only once. */
  readonly key: string;
};

export type NewShareLink = {
  /** Heading of the page, or null: the name of what is shared. */
  readonly title: string | null;
  readonly id: string;
  /** The code whose figures are shared; null for a tag and for the account. */
  readonly qr_id: string | null;
  /** The tag whose figures are shared, or null. */
  readonly tag: string | null;
  readonly sections: ReadonlyArray<"chart" | "map" | "codes" | "placements" | "destinations" | (string & {})>;
  /** Length of a period that moves on, or null. */
  readonly days: number | null;
  /** First day, or null with `days`. */
  readonly start_date: string | null;
  /** Last day, or null: today. */
  readonly end_date: string | null;
  readonly timezone: string;
  /** When the link ends, or null. ISO 8601, UTC. */
  readonly expires_at: string | null;
  /** Whether it has ended. */
  readonly expired: boolean;
  /** The last four characters of the link, to tell links apart. */
  readonly last_four: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** The link. Only this response shows it. */
  readonly url: string;
};

/** Limits of this account in place of those of its plan. */
export type OwnLimits = {
  /** Requests in any 60 seconds. null: that of the plan. */
  readonly requests_per_minute?: number | null | undefined;
  /** Live QR codes. null: that of the plan. */
  readonly qr_codes?: number | null | undefined;
  /** QR codes created in any 60 seconds. null: that of the plan. */
  readonly new_qr_codes_per_minute?: number | null | undefined;
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
  /** Whether more items follow. With `ending_before`: whether more come before these. */
  readonly has_more: boolean;
};

export type Period = {
  /** Start of the period. */
  readonly start: string;
  /** Last second of the period. */
  readonly end: string;
};

export type Placement = {
  readonly key: string;
  readonly name: string;
  readonly note: string | null;
  /** The link to print there. */
  readonly short_url: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

export type PlacementFigures = {
  /** Empty for scans without a placement. */
  readonly key: string;
  /** Empty for a placement that was deleted. */
  readonly name: string;
  readonly scans: number;
  /** Distinct visitors of this placement. */
  readonly unique_visitors: number;
};

export type QrCode = {
  readonly id: string;
  readonly name: string;
  readonly destination_url: string;
  readonly short_code: string;
  /** The short link that the image encodes. For test codes it contains /t/ and a tag of your account before the short code. */
  readonly short_url: string;
  /** Host of the domain that the short link is on. Null: the host of the service. */
  readonly domain: string | null;
  /** URL of the public image. */
  readonly image_url: string;
  /** Only active codes redirect. */
  readonly status: "active" | "paused" | "draft" | (string & {});
  /** `true` if the status is active, `false` if it is paused or draft. */
  readonly active: boolean;
  /** Whether lists leave the code out. Its link works and counts as before. */
  readonly archived: boolean;
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
  /** Names of its tags, in alphabetical order. */
  readonly tags: readonly string[];
  readonly note: string | null;
  readonly external_id: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** In the order in which they are tried. */
  readonly rules: readonly Rule[];
  readonly fallback_url: string | null;
  readonly starts_at: string | null;
  readonly expires_at: string | null;
  readonly max_scans: number | null;
  readonly forward_query: boolean;
  readonly append_query: Readonly<Record<string, string>>;
  /** Rises by one with every change of what you can set on the code, its placements and tags included, and with nothing else. Send it as `If-Match: "<revision>"` to make a change only if nobody else has edited the code since. */
  readonly revision: number;
  /** In the order in which they were added. */
  readonly placements: readonly Placement[];
  /** Only in the response to a request that creates a code or saves rules. A rule or a value of it that can never match, as in a test of the rules: the rules are saved all the same. Or a compact style, copied from a design, that the link of the code cannot have: its image is the usual one. */
  readonly warnings?: readonly string[] | undefined;
};

/** Colors the dots instead of `dotsColor`. The corners keep their plain colors. It is graded by the stop that is closest to the background. */
export type QrCodeGradient = {
  /** Linear, or radial around the center. */
  readonly type: "linear" | "radial" | (string & {});
  /** Direction of a linear gradient in degrees: 0 runs from left to right, 90 from top to bottom. Defaults to 0. */
  readonly rotation?: number | undefined;
  /** Two to five colors, in ascending order of `offset`. */
  readonly stops: readonly QrCodeGradientStop[];
};

export type QrCodeGradientStop = {
  /** Position, from 0 to 1. */
  readonly offset: number;
  /** Color at this position. */
  readonly color: string;
};

export type QrCodeList = {
  readonly data: readonly QrCodeListItem[];
  readonly pagination: ListPagination;
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
  /** Only if `include` names it. */
  readonly short_code?: string | undefined;
  /** Only if `include` names it. */
  readonly domain?: string | null | undefined;
  /** Only if `include` names it. */
  readonly archived?: boolean | undefined;
  /** Only if `include` names it. */
  readonly tags?: readonly string[] | undefined;
  /** Only if `include` names it. */
  readonly note?: string | null | undefined;
  /** Only if `include` names it. */
  readonly external_id?: string | null | undefined;
  /** Only if `include` names it. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Only if `include` names it. */
  readonly unique_scans?: number | undefined;
  /** Only if `include` names it. */
  readonly updated_at?: string | undefined;
  readonly availability?: Availability | undefined;
  readonly style?: QrCodeStyle | undefined;
  /** Only if `include` names it. */
  readonly rules?: readonly Rule[] | undefined;
  /** Only if `include` names it. */
  readonly placements?: readonly Placement[] | undefined;
};

/** A picture in the middle of the code. It covers so much that at least half of the error correction of every block remains. */
export type QrCodeLogo = {
  /** Id of the asset. */
  readonly asset_id: string;
  /** At least 15, 20 or 30 % of the width of the code. A larger logo makes a larger code. Defaults to medium. */
  readonly size?: "small" | "medium" | "large" | (string & {}) | undefined;
  /** Shape that the logo is cut to. Defaults to square. */
  readonly shape?: "square" | "circle" | (string & {}) | undefined;
  /** Free space around the logo in modules, within its size. Defaults to 0.5. */
  readonly margin?: number | undefined;
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
  readonly dotsGradient?: QrCodeGradient | undefined;
  readonly logo?: QrCodeLogo | undefined;
  /** Experimental: draws a smaller code, or one with more error correction, by writing host and path of the short link in upper case. Not for short codes with an underscore, nor where short links begin with a path in lower case. Defaults to false. */
  readonly compact?: boolean | undefined;
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

export type RevokedShareLink = {
  readonly revoked: true;
  readonly id: string;
};

export type RotateWebhookSecret = {
  /** Number of seconds for which the old secret stays valid. Defaults to one day; at most one week; 0 expires it immediately. */
  readonly old_secret_expires_in?: number | undefined;
};

export type Rule = {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly when: RuleConditions;
  readonly unless: RuleConditions;
  readonly to: readonly RuleTarget[];
};

export type RuleBody = {
  /** Id of a rule of this code: send it back to keep its figures. */
  readonly id?: string | undefined;
  /** Display name. */
  readonly name?: string | undefined;
  /** Whether the rule is used. Defaults to true. */
  readonly active?: boolean | undefined;
  readonly when?: RuleConditionsBody | undefined;
  readonly unless?: RuleExceptionsBody | undefined;
  /** Where the rule leads. Between several targets, scanners are split by weight; each keeps its target for the visitor window. */
  readonly to: readonly RuleTargetBody[];
};

/** Every condition that is given must hold. A list holds if one of its values does. */
export type RuleConditions = {
  /** Types of device. */
  readonly device?: ReadonlyArray<"ios" | "android" | "desktop" | "other" | (string & {})> | undefined;
  /** Browsers. */
  readonly browser?: ReadonlyArray<"safari" | "chrome" | "samsung_browser" | "firefox" | "edge" | "other" | (string & {})> | undefined;
  /** ISO 3166 country codes; XX is an unknown country. */
  readonly country?: readonly string[] | undefined;
  /** Regions, compared without case by the names that scans show. */
  readonly region?: ReadonlyArray<{
    readonly country: string;
    /** Name of the region, as scans show it. */
    readonly region: string;
  }> | undefined;
  /** Cities, compared without case by the names that scans show. */
  readonly city?: ReadonlyArray<{
    readonly country: string;
    /** Name of the city, as scans show it. */
    readonly city: string;
    /** Name of the region, if several cities have the name. */
    readonly region?: string | undefined;
  }> | undefined;
  /** Languages, such as `de` or `pt-BR`. Only the languages that the scanner weighs highest count; `de` also covers `de-AT`. */
  readonly language?: readonly string[] | undefined;
  /** Holds while the wall clock of the zone shows a time in one of the windows. */
  readonly time?: {
    /** IANA time zone whose wall clock is read. */
    readonly timezone: string;
    readonly windows: readonly TimeWindow[];
  } | undefined;
  /** A period. */
  readonly date?: {
    /** First moment. */
    readonly from?: string | undefined;
    /** First moment after it. */
    readonly until?: string | undefined;
  } | undefined;
  /** Parameters of the query of the short link. */
  readonly query?: ReadonlyArray<{
    /** Name of a parameter of the short link. */
    readonly name: string;
    /** Its exact value. Left out: any value. */
    readonly value?: string | undefined;
  }> | undefined;
  /** Keys of placements of the code. */
  readonly placement?: readonly string[] | undefined;
};

/** Every condition that is given must hold. A list holds if one of its values does. */
export type RuleConditionsBody = {
  /** Types of device. */
  readonly device?: ReadonlyArray<"ios" | "android" | "desktop" | "other" | (string & {})> | undefined;
  /** Browsers. */
  readonly browser?: ReadonlyArray<"safari" | "chrome" | "samsung_browser" | "firefox" | "edge" | "other" | (string & {})> | undefined;
  /** ISO 3166 country codes; XX is an unknown country. */
  readonly country?: readonly string[] | undefined;
  /** Regions, compared without case by the names that scans show. */
  readonly region?: ReadonlyArray<{
    readonly country: string;
    /** Name of the region, as scans show it. */
    readonly region: string;
  }> | undefined;
  /** Cities, compared without case by the names that scans show. */
  readonly city?: ReadonlyArray<{
    readonly country: string;
    /** Name of the city, as scans show it. */
    readonly city: string;
    /** Name of the region, if several cities have the name. */
    readonly region?: string | undefined;
  }> | undefined;
  /** Languages, such as `de` or `pt-BR`. Only the languages that the scanner weighs highest count; `de` also covers `de-AT`. */
  readonly language?: readonly string[] | undefined;
  /** Holds while the wall clock of the zone shows a time in one of the windows. */
  readonly time?: {
    /** IANA time zone whose wall clock is read. */
    readonly timezone: string;
    readonly windows: readonly TimeWindowBody[];
  } | undefined;
  /** A period. */
  readonly date?: {
    /** First moment. */
    readonly from?: string | undefined;
    /** First moment after it. */
    readonly until?: string | undefined;
  } | undefined;
  /** Parameters of the query of the short link. */
  readonly query?: ReadonlyArray<{
    /** Name of a parameter of the short link. */
    readonly name: string;
    /** Its exact value. Left out: any value. */
    readonly value?: string | undefined;
  }> | undefined;
  /** Keys of placements of the code. */
  readonly placement?: readonly string[] | undefined;
};

/** The rule does not apply if all of these conditions hold. Empty: no exception. */
export type RuleExceptionsBody = {
  /** Types of device. */
  readonly device?: ReadonlyArray<"ios" | "android" | "desktop" | "other" | (string & {})> | undefined;
  /** Browsers. */
  readonly browser?: ReadonlyArray<"safari" | "chrome" | "samsung_browser" | "firefox" | "edge" | "other" | (string & {})> | undefined;
  /** ISO 3166 country codes; XX is an unknown country. */
  readonly country?: readonly string[] | undefined;
  /** Regions, compared without case by the names that scans show. */
  readonly region?: ReadonlyArray<{
    readonly country: string;
    /** Name of the region, as scans show it. */
    readonly region: string;
  }> | undefined;
  /** Cities, compared without case by the names that scans show. */
  readonly city?: ReadonlyArray<{
    readonly country: string;
    /** Name of the city, as scans show it. */
    readonly city: string;
    /** Name of the region, if several cities have the name. */
    readonly region?: string | undefined;
  }> | undefined;
  /** Languages, such as `de` or `pt-BR`. Only the languages that the scanner weighs highest count; `de` also covers `de-AT`. */
  readonly language?: readonly string[] | undefined;
  /** Holds while the wall clock of the zone shows a time in one of the windows. */
  readonly time?: {
    /** IANA time zone whose wall clock is read. */
    readonly timezone: string;
    readonly windows: readonly TimeWindowBody[];
  } | undefined;
  /** A period. */
  readonly date?: {
    /** First moment. */
    readonly from?: string | undefined;
    /** First moment after it. */
    readonly until?: string | undefined;
  } | undefined;
  /** Parameters of the query of the short link. */
  readonly query?: ReadonlyArray<{
    /** Name of a parameter of the short link. */
    readonly name: string;
    /** Its exact value. Left out: any value. */
    readonly value?: string | undefined;
  }> | undefined;
  /** Keys of placements of the code. */
  readonly placement?: readonly string[] | undefined;
};

export type RuleTarget = {
  readonly id: string;
  readonly url: string;
  readonly weight: number;
  readonly label: string;
};

export type RuleTargetBody = {
  /** Id of a target of this code: send it back to keep its figures. */
  readonly id?: string | undefined;
  /** URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form. */
  readonly url: string;
  /** Share of the scanners, relative to the other targets. Defaults to 1. */
  readonly weight?: number | undefined;
  /** Name of the target in analytics. */
  readonly label?: string | undefined;
};

export type RulesTest = {
  /** `target`: the scan is redirected. `fallback`: to fallback_url. `page`: it shows a page. */
  readonly outcome: "target" | "fallback" | "page" | (string & {});
  /** The rule that decides; null if none applies. */
  readonly rule_id: string | null;
  /** The target of that rule; null for destination_url. Also null for a rule that is not saved. */
  readonly target_id: string | null;
  /** Position of the rule in the list, counted from 0. */
  readonly rule_index: number | null;
  /** The Location that a phone gets; null for a page. */
  readonly url: string | null;
  /** Why, in words: one line for each rule up to that one. */
  readonly because: readonly string[];
  /** What no scan can have, in words that begin with the rule: countries, languages, regions, cities and placements that do not exist, and rules after one without conditions. */
  readonly warnings: readonly string[];
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
  /** The target of a rule that the scan was redirected to. Empty for destination_url. */
  readonly target_id: string;
  /** The rule that decided. Empty if none did. */
  readonly rule_id: string;
  /** Key of the placement. Empty for none. */
  readonly placement: string;
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
    /** The rule that decided. Empty if none did. Only for a webhook with `include_code_details`. */
    readonly rule_id?: string | undefined;
    /** The target of a rule that the scan was redirected to. Empty for destination_url. Only for a webhook with `include_code_details`. */
    readonly target_id?: string | undefined;
    /** Key of the placement. Empty for none. Only for a webhook with `include_code_details`. */
    readonly placement?: string | undefined;
    /** The id of the code in your own system, or null if it has none. Only for a webhook with `include_code_details`. */
    readonly external_id?: string | null | undefined;
    /** Slug of the short link. Empty if the code no longer exists. Only for a webhook with `include_code_details`. */
    readonly short_code?: string | undefined;
    /** The metadata of the code when the scan was counted, or null if it is longer than 4,096 bytes: read the code then. Only for a webhook with `include_code_details`. */
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  };
};

export type ScanExport = {
  readonly qr_id: string;
  readonly period: Period;
  /** Only if the period reaches back further than the scans that the service keeps: when these begin. Earlier ones are not listed. */
  readonly retained_from?: string | undefined;
  readonly total: number;
  readonly data: readonly Scan[];
};

export type ScanList = {
  readonly data: readonly Scan[];
  readonly pagination: Pagination;
  /** Only if the period reaches back further than the scans that the service keeps: when these begin. Earlier ones are not listed. */
  readonly retained_from?: string | undefined;
};

export type Scannability = {
  /** How reliably codes with this style scan. */
  readonly level: "good" | "fair" | "poor" | (string & {});
  /** Human-readable reasons why the code may be hard to scan. Empty if there are none. */
  readonly reasons: readonly string[];
  readonly logo?: LogoScannability | undefined;
};

export type SendTestScans = {
  /** The code that is scanned. Its short link must work at this moment. */
  readonly qr_id: string;
  /** How many scans. */
  readonly count?: number | undefined;
  /** How many visitors scan, at most as many as `count`. Defaults to `count`. Each call has new visitors. */
  readonly unique?: number | undefined;
  /** When they scan, from 7 days ago until now, with an offset: 2026-11-15T08:00:00Z. Defaults to now. */
  readonly at?: string | undefined;
  /** ISO 3166 code. Defaults to XX, unknown. */
  readonly country?: string | undefined;
  /** Name of the city. Empty by default. */
  readonly city?: string | undefined;
  /** Defaults to other. */
  readonly device?: "ios" | "android" | "desktop" | "other" | (string & {}) | undefined;
  /** Defaults to other. */
  readonly browser?: "safari" | "chrome" | "samsung_browser" | "firefox" | "edge" | "other" | (string & {}) | undefined;
  /** The language that scanners prefer. Unknown by default. */
  readonly language?: string | undefined;
  /** Key of a placement of the code. None by default. */
  readonly placement?: string | undefined;
  /** The rule of the code that decides. None by default. Rules are not tried: use testRules for that. */
  readonly rule_id?: string | undefined;
  /** The target of that rule to which the scans lead. Needed if the rule has several. */
  readonly target_id?: string | undefined;
  /** Whether a program scans, such as the preview of a messenger. It is not counted, like a real one. */
  readonly automated?: boolean | undefined;
};

export type SentTestScans = {
  readonly qr_id: string;
  /** How many scans are in the scan log. They are counted within seconds. 0 if they are automated. */
  readonly scans: number;
  /** How many visitors they are of. */
  readonly visitors: number;
  /** When they happened. ISO 8601, UTC. */
  readonly at: string;
};

export type SeriesEntry = {
  /** Start of the entry: YYYY-MM-DDTHH:00:00Z for hours (in UTC); YYYY-MM-DD for days, weeks (the Monday) and months (the first day). */
  readonly date: string;
  readonly total_scans: number;
  /** Distinct visitors in this entry. Visitors of several entries do not add up. */
  readonly unique_visitors: number;
};

export type ShareLink = {
  /** Heading of the page, or null: the name of what is shared. */
  readonly title: string | null;
  readonly id: string;
  /** The code whose figures are shared; null for a tag and for the account. */
  readonly qr_id: string | null;
  /** The tag whose figures are shared, or null. */
  readonly tag: string | null;
  readonly sections: ReadonlyArray<"chart" | "map" | "codes" | "placements" | "destinations" | (string & {})>;
  /** Length of a period that moves on, or null. */
  readonly days: number | null;
  /** First day, or null with `days`. */
  readonly start_date: string | null;
  /** Last day, or null: today. */
  readonly end_date: string | null;
  readonly timezone: string;
  /** When the link ends, or null. ISO 8601, UTC. */
  readonly expires_at: string | null;
  /** Whether it has ended. */
  readonly expired: boolean;
  /** The last four characters of the link, to tell links apart. */
  readonly last_four: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

export type ShareLinkList = {
  /** The newest first. At most 100. */
  readonly data: readonly ShareLink[];
};

export type SheetLayout = {
  /** Size of the page. */
  readonly page: "a4" | "letter" | (string & {});
  /** Rows of labels. */
  readonly rows: number;
  /** Columns of labels. */
  readonly columns: number;
  /** From the top left corner of the page to the first label. */
  readonly margin_mm: {
    /** Horizontal, in millimeters. */
    readonly x: number;
    /** Vertical, in millimeters. */
    readonly y: number;
  };
  /** From the start of one label to the start of the next. */
  readonly pitch_mm: {
    /** Horizontal, in millimeters. */
    readonly x: number;
    /** Vertical, in millimeters. */
    readonly y: number;
  };
  /** Width and height of a label. */
  readonly label_mm: {
    /** Horizontal, in millimeters. */
    readonly x: number;
    /** Vertical, in millimeters. */
    readonly y: number;
  };
};

/** Appearance of the image. It cannot be changed after creation. */
export type Style = {
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
  readonly dotsGradient?: Gradient | undefined;
  readonly logo?: Logo | undefined;
  /** Experimental: draws a smaller code, or one with more error correction, by writing host and path of the short link in upper case. Not for short codes with an underscore, nor where short links begin with a path in lower case. Defaults to false. */
  readonly compact?: boolean | undefined;
};

export type SuspendTenant = {
  /** Human-readable reason, shown to the people of the account. */
  readonly reason: string;
};

export type Tag = {
  readonly name: string;
  readonly color: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | (string & {});
  /** Number of codes that have this tag. */
  readonly qr_codes: number;
};

export type TagList = {
  /** In alphabetical order. */
  readonly data: readonly Tag[];
};

export type TargetFigures = {
  /** Null for destination_url. */
  readonly target_id: string | null;
  readonly rule_id: string | null;
  readonly label: string;
  /** The URL of today, or the last one of an earlier target. */
  readonly url: string;
  readonly scans: number;
  /** Distinct visitors of this target. */
  readonly unique_visitors: number;
};

export type Tenant = {
  /** acct_… */
  readonly id: string;
  readonly name: string;
  readonly external_id: string | null;
  /** Name of the plan. */
  readonly plan: string;
  readonly limits: {
    /** Requests in any 60 seconds. */
    readonly requests_per_minute: number;
    /** Live QR codes, as far as they count against the plan. null: no limit. */
    readonly qr_codes: number | null;
    /** QR codes that may be created in any 60 seconds in each mode. null: no limit. */
    readonly new_qr_codes_per_minute: number | null;
    /** People who may belong to the account, pending invitations included. null: no limit. */
    readonly members: number | null;
  };
  readonly used: {
    /** Live QR codes that count against the limit. */
    readonly qr_codes: number;
    /** People who belong to the account, and pending invitations. */
    readonly members: number;
  };
  /** Why and since when the account is suspended, or null. */
  readonly suspension: {
    readonly reason: string;
    /** Since when. ISO 8601, UTC. */
    readonly suspended_at: string;
    /** Whether the operator of the service suspended it, who alone can release it then. */
    readonly by_operator: boolean;
  } | null;
  /** When the account was created. ISO 8601, UTC. */
  readonly created_at: string;
};

export type TenantList = {
  /** Newest first. */
  readonly data: readonly Tenant[];
  readonly pagination: ListPagination;
};

export type TestRules = {
  /** When the scan happens. Defaults to now. */
  readonly at?: string | undefined;
  /** Defaults to other. */
  readonly device?: "ios" | "android" | "desktop" | "other" | (string & {}) | undefined;
  /** Defaults to other. */
  readonly browser?: "safari" | "chrome" | "samsung_browser" | "firefox" | "edge" | "other" | (string & {}) | undefined;
  /** Defaults to XX, unknown. */
  readonly country?: string | undefined;
  /** Name of the region. */
  readonly region?: string | undefined;
  /** Name of the city. */
  readonly city?: string | undefined;
  /** An Accept-Language header, or a language such as de-AT. */
  readonly language?: string | undefined;
  /** Query of the short link, such as utm_source=flyer. */
  readonly query?: string | undefined;
  /** Key of the placement. One that the code does not have is none. */
  readonly placement?: string | undefined;
  /** Any text that stands for a visitor: the same text gets the same share of a split. */
  readonly visitor?: string | undefined;
  /** Rules to try instead of those of the code. They are not saved. */
  readonly rules?: readonly RuleBody[] | undefined;
};

/** From `from` up to, but not including, `to`. If `to` is not later than `from`, the window runs past midnight and belongs to the day on which it begins. */
export type TimeWindow = {
  /** Days of the week. */
  readonly days: ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | (string & {})>;
  readonly from: string;
  readonly to: string;
};

/** From `from` up to, but not including, `to`. If `to` is not later than `from`, the window runs past midnight and belongs to the day on which it begins. */
export type TimeWindowBody = {
  /** Days of the week. */
  readonly days: ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | (string & {})>;
  readonly from: string;
  readonly to: string;
};

export type Timeseries = {
  readonly qr_id: string;
  readonly interval: "hour" | "day" | "week" | "month" | (string & {});
  /** Only if the period reaches back further than the scans that the service keeps: when these begin. Entries before it are sums of months. */
  readonly retained_from?: string | undefined;
  /** All entries of the period, including those without scans. */
  readonly data: readonly SeriesEntry[];
};

/** The fields to change. A given style replaces the previous one. */
export type UpdateDesign = {
  /** Name of the design. */
  readonly name?: string | undefined;
  readonly style?: Style | undefined;
  /** The new frame, or null to remove it. */
  readonly frame?: Frame | null | undefined;
  /** Whether the dashboard starts with this design. At most one design is the default. Codes created through the API use it only if they name it. */
  readonly is_default?: boolean | undefined;
};

/** The fields to change. */
export type UpdatePlacement = {
  /** Where the code is printed, such as Window or Table 12. */
  readonly name?: string | undefined;
  /** A note for yourself. */
  readonly note?: string | null | undefined;
};

/** The fields to change, or the whole code as it was read, with changes. */
export type UpdateQrCode = {
  /** Display name. Must contain at least one visible character. */
  readonly name?: string | undefined;
  /** URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form. */
  readonly destination_url?: string | undefined;
  /** `true` resumes a paused code or publishes a draft; `false` pauses the code. */
  readonly active?: boolean | undefined;
  /** `true` hides the code from lists; its link keeps working and counting. `false` shows it again. */
  readonly archived?: boolean | undefined;
  /** Names of tags, at most 20. Tags that do not exist yet are created. An update replaces all tags of the code. */
  readonly tags?: readonly string[] | undefined;
  /** A note for yourself, at most 2,000 characters. Scanners never see it. */
  readonly note?: string | null | undefined;
  /** Id of the code in your own system, unique within your account and mode. Use it in paths as `ext:<external_id>`. Paths end up in logs, so use an opaque id. It is available again once the code is deleted. */
  readonly external_id?: string | null | undefined;
  /** Texts by key. An update sets the keys that it names and leaves the others; a key with null is removed, and null instead of an object removes all. A code has at most 50 keys. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
  /** Rules, at most 50. They are tried in order, and the first that applies decides; if none does, scans go to destination_url. An update replaces the list. At most 64 KiB of JSON. */
  readonly rules?: readonly RuleBody[] | null | undefined;
  /** Where scanners go while the code is paused, has not begun, has ended or is used up. Such requests are not scans. Null: they see a page. */
  readonly fallback_url?: string | null | undefined;
  /** When the code begins to redirect. Null: at once. */
  readonly starts_at?: string | null | undefined;
  /** When the code stops redirecting. Null: never. */
  readonly expires_at?: string | null | undefined;
  /** The code stops once it has this many scans in total. At least this many are redirected; it stops within about 2 seconds. Raise it or set it to null to resume. Null: no limit. */
  readonly max_scans?: number | null | undefined;
  /** Whether the query of the short link is appended to the destination. Parameters that the destination or append_query has are not. Defaults to false. */
  readonly forward_query?: boolean | undefined;
  /** Parameters to append to the destination, unless it has them already. Values may contain `{qr_id}`, `{short_code}`, `{placement}`, `{country}`, `{device}`, `{language}`, `{rule}`, `{target}`. */
  readonly append_query?: Readonly<Record<string, string>> | null | undefined;
};

/** The fields to change. */
export type UpdateTag = {
  /** Name of a tag. White space around it is removed. Names that differ only in case are the same tag, spelled as it was first. */
  readonly name?: string | undefined;
  /** Color of the tag in the dashboard. */
  readonly color?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | (string & {}) | undefined;
};

export type UpdateTenant = {
  /** Name of the account. People whom it invites see it. One line, without links. */
  readonly name?: string | undefined;
  /** Name of a plan, such as `pro`. */
  readonly plan?: string | undefined;
  /** Id of the account in your own system, unique among your accounts. */
  readonly external_id?: string | null | undefined;
  readonly limits?: OwnLimits | undefined;
  /** Suspends the account: its links stop at once. null releases it. */
  readonly suspension?: SuspendTenant | null | undefined;
};

/** The fields to change. */
export type UpdateWebhook = {
  /** URL that receives the events. Must be http or https and ASCII (write international host names in punycode), without user info or a fragment. Private, loopback, link-local and metadata addresses are rejected. */
  readonly url?: string | undefined;
  /** A note for your own use. */
  readonly description?: string | undefined;
  /** Events to send from now on. Pending deliveries of events that are not listed are not sent. */
  readonly events?: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {})> | undefined;
  /** Whether scan events say more about the code: `rule_id`, `target_id`, `placement`, `external_id`, `short_code` and `metadata` at the end of `data`. Applies to scans from now on; a delivery that is retried or replayed keeps its body. */
  readonly include_code_details?: boolean | undefined;
  /** Alias of include_code_details. */
  readonly include_routing?: boolean | undefined;
  /** Send only scans of these codes. Null, the default: of all codes. With `tags` as well: scans of either. Other events are sent for all codes. */
  readonly qr_ids?: readonly string[] | null | undefined;
  /** Send only scans of codes that have one of these tags when the scan is counted. Null, the default: of all codes. Tags that do not exist yet may be named. */
  readonly tags?: readonly string[] | null | undefined;
  /** `false` stops deliveries immediately; `true` resumes them and clears failing_since. */
  readonly enabled?: boolean | undefined;
};

export type UpsertQrCode = {
  /** Display name. Must contain at least one visible character. */
  readonly name: string;
  /** URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form. */
  readonly destination_url: string;
  /** Slug of the short link: letters, digits, `-` and `_`, starting and ending with a letter or digit. Unique on its domain, ignoring case. A short code of a live code is never given to another account; `reclaim` uses one again that you deleted. A short code of a test code is unique within your account and available again once the code is deleted. */
  readonly short_code?: string | undefined;
  /** Host of one of your active domains, or null for the host of the service. */
  readonly domain?: string | null | undefined;
  readonly style?: Style | undefined;
  /** Id of a design whose style is copied into the code. Fields in `style` take precedence. Later changes to the design do not affect the code. */
  readonly design_id?: string | undefined;
  /** A draft does not redirect until it is activated, a paused code until it is resumed. Defaults to active. */
  readonly status?: "active" | "paused" | "draft" | (string & {}) | undefined;
  /** Use `short_code` again if it belonged to a code that your account has deleted: printed copies then lead to this new code, which starts with no scans. Not where the deleted code was suspended, within 90 days, or reported and not yet looked at. */
  readonly reclaim?: boolean | undefined;
  /** Names of tags, at most 20. Tags that do not exist yet are created. An update replaces all tags of the code. */
  readonly tags?: readonly string[] | undefined;
  /** A note for yourself, at most 2,000 characters. Scanners never see it. */
  readonly note?: string | null | undefined;
  /** Rules, at most 50. They are tried in order, and the first that applies decides; if none does, scans go to destination_url. An update replaces the list. At most 64 KiB of JSON. */
  readonly rules?: readonly RuleBody[] | null | undefined;
  /** Where scanners go while the code is paused, has not begun, has ended or is used up. Such requests are not scans. Null: they see a page. */
  readonly fallback_url?: string | null | undefined;
  /** When the code begins to redirect. Null: at once. */
  readonly starts_at?: string | null | undefined;
  /** When the code stops redirecting. Null: never. */
  readonly expires_at?: string | null | undefined;
  /** The code stops once it has this many scans in total. At least this many are redirected; it stops within about 2 seconds. Raise it or set it to null to resume. Null: no limit. */
  readonly max_scans?: number | null | undefined;
  /** Whether the query of the short link is appended to the destination. Parameters that the destination or append_query has are not. Defaults to false. */
  readonly forward_query?: boolean | undefined;
  /** Parameters to append to the destination, unless it has them already. Values may contain `{qr_id}`, `{short_code}`, `{placement}`, `{country}`, `{device}`, `{language}`, `{rule}`, `{target}`. */
  readonly append_query?: Readonly<Record<string, string>> | null | undefined;
  /** Texts by key. An update sets the keys that it names and leaves the others; a key with null is removed, and null instead of an object removes all. A code has at most 50 keys. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
};

export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Events that are sent to this webhook. */
  readonly events: ReadonlyArray<"scan.created" | "qrcode.suspended" | "qrcode.released" | "account.suspended" | "account.released" | (string & {})>;
  /** Whether scan events say more about the code: `rule_id`, `target_id`, `placement`, `external_id`, `short_code` and `metadata` at the end of `data`. */
  readonly include_code_details: boolean;
  /** Alias of include_code_details. */
  readonly include_routing: boolean;
  /** Codes whose scans are sent; null for all. */
  readonly qr_ids: readonly string[] | null;
  /** Tags of codes whose scans are sent; null for all. */
  readonly tags: readonly string[] | null;
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
  /** The limit of test deliveries, on a plan without webhooks; otherwise null. */
  readonly test_limit: {
    /** Messages per day in UTC, of all test webhooks of the account. */
    readonly per_day: number;
    /** Messages of today. Retries and replays do not count. */
    readonly used: number;
    /** Messages of today beyond the limit. They are not sent, also not later. */
    readonly not_queued: number;
    /** When the next day begins. ISO 8601, UTC. */
    readonly resets_at: string;
  } | null;
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

export type ZipImages = {
  /** Ids of the codes, or `ext:` and their external ids, in this order. Up to 500. */
  readonly qr_ids?: readonly string[] | undefined;
  readonly filter?: CodeFilter | undefined;
  /** Format of the images. Defaults to png. */
  readonly format?: "png" | "svg" | (string & {}) | undefined;
  /** Width and height in pixels. */
  readonly size?: number | undefined;
  /** Id of a design in which all codes are drawn, for this file only. */
  readonly design_id?: string | undefined;
} & ({ readonly qr_ids: readonly string[] } | { readonly filter: CodeFilter });

/** The query of "List QR codes". */
export type ListQrCodesQuery = {
  /** Page to return. Defaults to 1. */
  readonly page?: number | undefined;
  /** Maximum number of items to return, from 1 to 100. Defaults to 20. */
  readonly limit?: number | undefined;
  /** Return only codes with this status. */
  readonly status?: "active" | "paused" | "draft" | undefined;
  /** `true`: only archived codes, `false`: only the others, which is the default. Codes that `ids`, `external_id` or `short_code` name are found in both cases unless you say. */
  readonly archived?: boolean | undefined;
  /** Return only the codes with these ids, at most 100. In a query, repeat the parameter. An id that no code has is left out. */
  readonly ids?: readonly string[] | undefined;
  /** Return only codes that have this tag. Repeat it to ask for several: a code must have all of them. */
  readonly tag?: readonly string[] | undefined;
  /** Text to find in the name, short code, destination, external id or tags, ignoring case. Of a destination, the first 200 characters are searched; of the tags that contain the text, the 50 with the most codes. */
  readonly search?: string | undefined;
  /** Return only the code with this external id. */
  readonly external_id?: string | undefined;
  /** Return only the code with this short code, ignoring case. */
  readonly short_code?: string | undefined;
  /** Return only codes whose destination has exactly this host, such as www.example.com. */
  readonly destination_host?: string | undefined;
  /** Return only codes on this domain, such as go.example.com. Repeated short codes are told apart by it. */
  readonly domain?: string | undefined;
  /** Return only codes that have this text under this key of `metadata`, such as `branch:berlin`. The text is compared exactly. Repeat it to ask for several: a code must have all of them. */
  readonly metadata?: readonly string[] | undefined;
  /** Return only codes whose short link is in this state at the moment, as `availability.state` of a code says. */
  readonly availability?: "live" | "suspended" | "held" | "off" | "scheduled" | "ended" | "used_up" | undefined;
  /** Return only codes created from this day or moment on. Days are in UTC. */
  readonly created_from?: string | undefined;
  /** Return only codes created up to this day or moment, inclusive. */
  readonly created_to?: string | undefined;
  /** Order of the codes, descending with a minus. Defaults to -created, the newest first. By name and by scans, the newest 10,000 matches are sorted. */
  readonly sort?: "created" | "-created" | "name" | "-name" | "scans" | "-scans" | undefined;
  /** Id of a code, or `ext:` and its external id: return the codes that follow it in the list. For sort=created and sort=-created, without page. The code may have been deleted since, if you send its id. */
  readonly starting_after?: string | undefined;
  /** Id of a code: return the codes just before it in the list. Otherwise like starting_after. */
  readonly ending_before?: string | undefined;
  /** Further fields of each code, separated by commas: short_code, domain, archived, tags, note, external_id, metadata, unique_scans, updated_at, availability, style, rules, placements. */
  readonly include?: string | undefined;
};

/** The query of "Download the image". */
export type DownloadQrCodeQuery = {
  /** Image format. Defaults to png. */
  readonly format?: "png" | "svg" | "pdf" | "eps" | undefined;
  /** Width and height in pixels. */
  readonly size?: number | undefined;
  /** Id of a design in which the code is drawn, for this download only. The code and its public image stay as they are. */
  readonly design_id?: string | undefined;
  /** Alias of design_id. */
  readonly design?: string | undefined;
  /** Key of a placement of the code: the image encodes its link. */
  readonly placement?: string | undefined;
  /** Width in millimeters, for pdf, eps and svg. Defaults to 40 for pdf and eps. */
  readonly width_mm?: number | undefined;
  /** For pdf and eps: how far the background extends beyond the trim. Defaults to 0. */
  readonly bleed_mm?: number | undefined;
  /** For pdf and eps: `rgb` keeps the colors, `k` prints in black ink only, for codes whose dots and corners are nearly black. Defaults to rgb. */
  readonly color?: "rgb" | "k" | undefined;
  /** For png: the resolution that the file states. */
  readonly dpi?: number | undefined;
  /** For png and svg: `transparent` leaves the background out. */
  readonly background?: "transparent" | undefined;
  /** A label around the code. Requires `frame_text`. */
  readonly frame?: "label-below" | "label-above" | "bubble" | "card" | undefined;
  /** Text of the label: Latin, Greek or Cyrillic. */
  readonly frame_text?: string | undefined;
  /** Color of the label. Defaults to the color of the corner squares. */
  readonly frame_color?: string | undefined;
};

/** The query of "Get the analytics summary". */
export type GetAnalyticsQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
};

/** The query of "List scans". */
export type ListScansQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
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
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
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
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
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
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
};

/** The query of "Get aggregate analytics". */
export type GetAggregateAnalyticsQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
  /** Length of each entry in the series. Weeks start on Monday. Defaults to day. A series can have at most 2,000 entries. */
  readonly interval?: "hour" | "day" | "week" | "month" | undefined;
  /** Count only codes that have this tag, at most 10,000. A tag that does not exist has none. */
  readonly tag?: string | undefined;
};

/** The query of "Get scans of all codes by weekday and hour". */
export type GetAggregateWeekHoursQuery = {
  /** Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end. */
  readonly start_date?: string | undefined;
  /** End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today. */
  readonly end_date?: string | undefined;
  /** IANA time zone that determines when days start and end. Defaults to UTC. */
  readonly timezone?: string | undefined;
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
  /** Count only codes that have this tag, at most 10,000. A tag that does not exist has none. */
  readonly tag?: string | undefined;
};

/** The query of "List scans of all codes". */
export type ListAccountScansQuery = {
  /** `next_cursor` of an earlier response. Left out: start with the first scan. */
  readonly after?: string | undefined;
  /** Maximum number of scans to return, from 1 to 500. Defaults to 100. */
  readonly limit?: number | undefined;
};

/** The query of "Export scans of all codes". */
export type ExportAccountScansQuery = {
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
  /** Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown. */
  readonly country?: string | undefined;
  /** Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities. */
  readonly city?: string | undefined;
  /** Count only scans by this type of device. */
  readonly device?: "ios" | "android" | "desktop" | "other" | undefined;
  /** Count only scans by this browser, named as in `browsers` of the summary. */
  readonly browser?: string | undefined;
  /** Count only scans that were redirected to this target of a rule; `default` for destination_url. */
  readonly target_id?: string | undefined;
  /** Count only scans that this rule decided; `default` for those that no rule decided. */
  readonly rule_id?: string | undefined;
  /** Count only scans of this placement. Use an empty value for scans without one. */
  readonly placement?: string | undefined;
  /** Count only codes that have this tag, at most 10,000. A tag that does not exist has none. */
  readonly tag?: string | undefined;
};

/** The query of "List share links". */
export type ListShareLinksQuery = {
  /** Return only links of this code: its id, or `ext:` and its external id. */
  readonly qr_id?: string | undefined;
  /** Return only links of this tag. */
  readonly tag?: string | undefined;
};

/** The query of "Download a logo". */
export type DownloadAssetQuery = {
  /** Image format. Defaults to png. */
  readonly format?: "png" | "svg" | undefined;
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

/** The query of "List audit events". */
export type ListAuditEventsQuery = {
  /** Events to return. */
  readonly limit?: number | undefined;
  /** Return events after this one. Without it, from the oldest that is kept. */
  readonly after?: string | undefined;
};

/** The query of "List accounts". */
export type ListTenantsQuery = {
  /** Page to return. Defaults to 1. */
  readonly page?: number | undefined;
  /** Maximum number of items to return, from 1 to 100. Defaults to 20. */
  readonly limit?: number | undefined;
  /** Return only the account with this external id. */
  readonly external_id?: string | undefined;
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
  listQrCodes: { method: 'GET', path: '/v1/qrcodes', input: 'query', query: ['page', 'limit', 'status', 'archived', 'ids', 'tag', 'search', 'external_id', 'short_code', 'destination_host', 'domain', 'metadata', 'availability', 'created_from', 'created_to', 'sort', 'starting_after', 'ending_before', 'include'], answer: 'page' },
  bulkCreateQrCodes: { method: 'POST', path: '/v1/qrcodes/bulk', input: 'body', query: [], answer: 'json' },
  bulkEditQrCodes: { method: 'PATCH', path: '/v1/qrcodes/bulk', input: 'body', query: [], answer: 'json' },
  getQrCode: { method: 'GET', path: '/v1/qrcodes/{id}', input: 'none', query: [], answer: 'json' },
  updateQrCode: { method: 'PATCH', path: '/v1/qrcodes/{id}', input: 'body', query: [], answer: 'json' },
  deleteQrCode: { method: 'DELETE', path: '/v1/qrcodes/{id}', input: 'none', query: [], answer: 'json' },
  upsertQrCode: { method: 'PUT', path: '/v1/qrcodes/{id}', input: 'body', query: [], answer: 'json' },
  testRules: { method: 'POST', path: '/v1/qrcodes/{id}/rules/test', input: 'body', query: [], answer: 'json' },
  downloadQrCode: { method: 'GET', path: '/v1/qrcodes/{id}/download', input: 'query', query: ['format', 'size', 'design_id', 'design', 'placement', 'width_mm', 'bleed_mm', 'color', 'dpi', 'background', 'frame', 'frame_text', 'frame_color'], answer: 'file' },
  bulkDeleteQrCodes: { method: 'POST', path: '/v1/qrcodes/bulk-delete', input: 'body', query: [], answer: 'json' },
  listTags: { method: 'GET', path: '/v1/tags', input: 'none', query: [], answer: 'json' },
  updateTag: { method: 'PATCH', path: '/v1/tags/{name}', input: 'body', query: [], answer: 'json' },
  deleteTag: { method: 'DELETE', path: '/v1/tags/{name}', input: 'none', query: [], answer: 'json' },
  createPlacement: { method: 'POST', path: '/v1/qrcodes/{id}/placements', input: 'body', query: [], answer: 'json' },
  bulkCreatePlacements: { method: 'POST', path: '/v1/qrcodes/{id}/placements/bulk', input: 'body', query: [], answer: 'json' },
  updatePlacement: { method: 'PATCH', path: '/v1/qrcodes/{id}/placements/{key}', input: 'body', query: [], answer: 'json' },
  deletePlacement: { method: 'DELETE', path: '/v1/qrcodes/{id}/placements/{key}', input: 'none', query: [], answer: 'json' },
  getAnalytics: { method: 'GET', path: '/v1/qrcodes/{id}/analytics', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement'], answer: 'json' },
  listScans: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/scans', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement', 'page', 'limit'], answer: 'page' },
  getTimeseries: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/timeseries', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement', 'interval'], answer: 'json' },
  getWeekHours: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/week-hours', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement'], answer: 'json' },
  exportScans: { method: 'GET', path: '/v1/qrcodes/{id}/analytics/export', input: 'query', query: ['format', 'bom', 'start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement'], answer: 'file' },
  getAggregateAnalytics: { method: 'GET', path: '/v1/analytics/aggregate', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement', 'interval', 'tag'], answer: 'json' },
  getAggregateWeekHours: { method: 'GET', path: '/v1/analytics/week-hours', input: 'query', query: ['start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement', 'tag'], answer: 'json' },
  listAccountScans: { method: 'GET', path: '/v1/analytics/scans', input: 'query', query: ['after', 'limit'], answer: 'feed' },
  exportAccountScans: { method: 'GET', path: '/v1/analytics/export', input: 'query', query: ['format', 'bom', 'start_date', 'end_date', 'timezone', 'country', 'city', 'device', 'browser', 'target_id', 'rule_id', 'placement', 'tag'], answer: 'file' },
  createShareLink: { method: 'POST', path: '/v1/share-links', input: 'body', query: [], answer: 'json' },
  listShareLinks: { method: 'GET', path: '/v1/share-links', input: 'query', query: ['qr_id', 'tag'], answer: 'json' },
  createQrCodeShareLink: { method: 'POST', path: '/v1/qrcodes/{id}/share-links', input: 'body', query: [], answer: 'json' },
  revokeShareLink: { method: 'DELETE', path: '/v1/share-links/{id}', input: 'none', query: [], answer: 'json' },
  createAsset: { method: 'POST', path: '/v1/assets', input: 'body', query: [], answer: 'json' },
  listAssets: { method: 'GET', path: '/v1/assets', input: 'none', query: [], answer: 'json' },
  getAsset: { method: 'GET', path: '/v1/assets/{id}', input: 'none', query: [], answer: 'json' },
  deleteAsset: { method: 'DELETE', path: '/v1/assets/{id}', input: 'none', query: [], answer: 'json' },
  downloadAsset: { method: 'GET', path: '/v1/assets/{id}/download', input: 'query', query: ['format'], answer: 'file' },
  createDesign: { method: 'POST', path: '/v1/designs', input: 'body', query: [], answer: 'json' },
  listDesigns: { method: 'GET', path: '/v1/designs', input: 'none', query: [], answer: 'json' },
  getDesign: { method: 'GET', path: '/v1/designs/{id}', input: 'none', query: [], answer: 'json' },
  updateDesign: { method: 'PATCH', path: '/v1/designs/{id}', input: 'body', query: [], answer: 'json' },
  deleteDesign: { method: 'DELETE', path: '/v1/designs/{id}', input: 'none', query: [], answer: 'json' },
  createSheet: { method: 'POST', path: '/v1/sheets', input: 'body', query: [], answer: 'file' },
  zipImages: { method: 'POST', path: '/v1/images/zip', input: 'body', query: [], answer: 'file' },
  listDomains: { method: 'GET', path: '/v1/domains', input: 'none', query: [], answer: 'json' },
  sendTestScans: { method: 'POST', path: '/v1/test/scans', input: 'body', query: [], answer: 'json' },
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
  getAccount: { method: 'GET', path: '/v1/account', input: 'none', query: [], answer: 'json' },
  listAuditEvents: { method: 'GET', path: '/v1/audit-events', input: 'query', query: ['limit', 'after'], answer: 'feed' },
  createTenant: { method: 'POST', path: '/v1/accounts', input: 'body', query: [], answer: 'json' },
  listTenants: { method: 'GET', path: '/v1/accounts', input: 'query', query: ['page', 'limit', 'external_id'], answer: 'page' },
  getTenant: { method: 'GET', path: '/v1/accounts/{id}', input: 'none', query: [], answer: 'json' },
  updateTenant: { method: 'PATCH', path: '/v1/accounts/{id}', input: 'body', query: [], answer: 'json' },
  createTenantKey: { method: 'POST', path: '/v1/accounts/{id}/keys', input: 'body', query: [], answer: 'json' },
  getOpenApi: { method: 'GET', path: '/v1/openapi.json', input: 'none', query: [], answer: 'json' },
} as const;

/** Of this package. */
export const version = '0.2.0';
