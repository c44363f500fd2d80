/**
 * The fixed values of the contract, without its schemas: what a browser can import without the schema library. The schemas are
 * built from these, so each is written once.
 */

export const statuses = ['active', 'paused', 'draft'] as const;

/** Whether a short link works. */
export const availabilityStates = [
  'live',
  'suspended',
  'held',
  'off',
  'scheduled',
  'ended',
  'used_up',
] as const;

export const shortCodePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9]$';
export const shortCodeLength = { min: 3, max: 64 } as const;

export const destinationPattern =
  '^[hH][tT][tT][pP][sS]?://[^\\u0000-\\u0020\\u007F-\\u009F\\uD800-\\uDFFF]+$';
export const maxDestinationLength = 4096;

export const sorts = ['created', 'name', 'scans'] as const;
/** How the API sorts: ascending, or descending with a minus. */
export const listSorts = ['created', '-created', 'name', '-name', 'scans', '-scans'] as const;

/** Fields that a list returns on request, besides those that it always has. */
export const listIncludes = [
  'short_code',
  'domain',
  'archived',
  'tags',
  'note',
  'external_id',
  'metadata',
  'unique_scans',
  'updated_at',
  'availability',
  'style',
  'rules',
  'placements',
] as const;

export const tagColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const;
export const maxTagsOfCode = 20;
/** Tags that an account may have in each mode. */
export const maxTags = 10_000;
export const maxMetadataKeys = 50;

/** Test scans that one call may send. */
export const maxTestScans = 1000;
/** Test scans of an account in 24 hours: on a plan without webhooks, and on others. */
export const testScansPerDay = { withoutWebhooks: 10_000, withWebhooks: 100_000 } as const;

/** What the scans of a webhook may be limited to. */
export const maxWebhookCodes = 100;
export const maxWebhookTags = 20;

/** Messages of test webhooks per day in UTC, on a plan without webhooks. */
export const testDeliveriesPerDay = 1000;

/** Networks that an API key may be limited to. */
export const maxAllowedCidrs = 20;

/** What a sheet of labels prints beside each code. */
export const captions = ['none', 'name', 'short_url', 'external_id'] as const;
/** Codes that one sheet or ZIP may have. */
export const maxSheetCodes = 500;
/** Labels that one sheet may have, with all copies. */
export const maxSheetLabels = 5000;
/** Labels of each code on a sheet. */
export const maxCopies = 100;

/** What a shared page can show besides its totals, in its order. */
export const shareSections = ['chart', 'map', 'codes', 'placements', 'destinations'] as const;
/** Share links that an account may have in each mode. */
export const maxShareLinks = 100;

export const intervals = ['hour', 'day', 'week', 'month'] as const;

/** In the order of their numbers in the scan log: a new one comes last. */
export const devices = ['ios', 'android', 'desktop', 'other'] as const;
/** Likewise. */
export const browsers = ['safari', 'chrome', 'samsung_browser', 'firefox', 'edge', 'other'] as const;

/** In the order of the week. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Limits of the rules of a code: rules, targets of a rule, values of a list, windows of a time, bytes of JSON. */
export const [maxRules, maxTargets, maxRuleValues, maxTimeWindows, maxRulesBytes] = [
  50, 10, 250, 20, 65_536,
] as const;
/** Parameters that a code appends to its destination. */
export const maxAppendedPairs = 20;

/** What may stand in braces in an appended parameter. */
export const queryMacros = [
  'qr_id',
  'short_code',
  'placement',
  'country',
  'device',
  'language',
  'rule',
  'target',
] as const;

export const placementKeyPattern = '^[a-z0-9-]{1,24}$';
/** Placements that a code may have. */
export const maxPlacements = 1000;

export const suspensionStates = ['open', 'appealed', 'released'] as const;
export const reportStates = ['open', 'closed'] as const;
export const personStates = ['all', 'operators', 'unconfirmed'] as const;
export const accountStates = ['open', 'suspended', 'closed'] as const;

/** The longest reason for a suspension, in characters. */
export const maxReasonLength = 500;
/** The longest appeal, and the longest answer to one, in characters. */
export const maxAppealLength = 1000;
/** The longest link that an operator can look up, in characters. */
export const maxLookUpLength = 4096;
/** How many codes a look-up by host returns. */
export const maxFoundCodes = 50;
/** Codes that lead to a host are counted up to one more than this. */
export const maxCountedCodes = 100_000;

/** The languages of the dashboard and of mails. Each but English has a folder in apps/dashboard/src/strings. */
export const languages = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof languages)[number];

export const isLanguage = (value: unknown): value is Language =>
  (languages as readonly unknown[]).includes(value);

/** The cookie in which a browser keeps the language that somebody chose there. */
export const languageCookie = 'signpost-language';
