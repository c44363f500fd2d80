/**
 * The fixed values of the contract, without its schemas: what a browser can import without the schema library. The schemas are
 * built from these, so each is written once.
 */

export const statuses = ['active', 'paused', 'draft'] as const;

export const shortCodePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9]$';
export const shortCodeLength = { min: 3, max: 64 } as const;

export const sorts = ['created', 'name', 'scans'] as const;

export const intervals = ['hour', 'day', 'week', 'month'] as const;

/** In the order of their numbers in the scan log: a new one comes last. */
export const devices = ['ios', 'android', 'desktop', 'other'] as const;

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
