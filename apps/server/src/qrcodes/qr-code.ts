import { isDeepStrictEqual } from 'node:util';
import { maxMetadataKeys } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import type { Caller, Standing } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { CodeRules, CodeRulesChange } from '../rules/code-rules.ts';
import type { Placement } from './placements/placement.ts';
import { sameTags } from './tags/tag.ts';

/** Whose codes: an account in one mode. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** A printed code whose destination can be changed. */
export type QrCode = {
  readonly id: Uuid;
  /** Its number in the order of creation within account and mode. */
  readonly number: number;
  readonly name: string;
  readonly destinationUrl: string;
  /** The space within which the short code is unique. */
  readonly keySpace: string;
  readonly shortCode: string;
  /** The host of its domain; null for the host of the service. It never changes. */
  readonly domain: string | null;
  readonly status: Status;
  /** Whether lists leave it out. */
  readonly archived: boolean;
  readonly style: Style;
  readonly totalScans: number;
  readonly uniqueScans: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** In alphabetical order, as the account spells them; empty in lists that do not read them. */
  readonly tags: readonly string[];
  readonly note: string | null;
  /** Its name in a system of the owner. */
  readonly externalId: string | null;
  readonly metadata: Metadata;
  /** Why this code is stopped for safety; null in lists, which do not read it. */
  readonly suspension: Standing['suspension'];
  /** Lists read only its schedule and limit. */
  readonly routing: CodeRules;
  /** Not read by lists. */
  readonly placements: readonly Placement[];
  /** Whether it has or had placements, so that scans may have keys of deleted ones. Not read by lists. */
  readonly hadPlacements: boolean;
  /** When it reached the limit of its scans. */
  readonly usedUpAt: Date | null;
  /** Rises by one with every change of what its owner can set, and with nothing else. */
  readonly revision: number;
};

export type Metadata = Readonly<Record<string, string>>;

/** A deleted code has no status: it is a tombstone that no read returns. */
export type Status = 'active' | 'paused' | 'draft';

/** A code as its owner requests it. */
export type NewQrCode = {
  readonly name: string;
  readonly destinationUrl: string;
  /** Left out: the service generates one. */
  readonly shortCode?: string | undefined;
  /** The host of a domain of the account; null and left out: the host of the service. */
  readonly domain?: string | null | undefined;
  /** Whether it may take the short code of a code that its account has deleted. */
  readonly reclaim?: boolean | undefined;
  readonly status: Status;
  readonly style: Style;
  readonly tags?: readonly string[] | undefined;
  readonly note?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly metadata?: Metadata | undefined;
  /** The design whose style is copied, before that is done. */
  readonly designId?: string | undefined;
  readonly routing?: CodeRulesChange | undefined;
};

export type QrCodeChange = {
  readonly name?: string | undefined;
  readonly destinationUrl?: string | undefined;
  readonly active?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly note?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  /** Keys with null are removed; null removes all. */
  readonly metadata?: MetadataChange | undefined;
  /** Its rules have their ids by the time that it is applied. */
  readonly routing?: Partial<CodeRules> | undefined;
};

export type MetadataChange = Readonly<Record<string, string | null>> | null;

/** A change as it is asked for. */
export type WantedChange = Omit<QrCodeChange, 'routing'> & { readonly routing?: CodeRulesChange | undefined };

/**
 * The code after a change; the same object if nothing about it changes. Nothing returns to draft, so a draft cannot be paused.
 */
export function change(code: QrCode, wanted: QrCodeChange, now: Date): QrCode {
  const settings = changeSettings(code, wanted);
  if (isSame(code, settings)) return code;
  return {
    ...code,
    ...settings,
    ...(settings.routing === code.routing ? {} : { usedUpAt: findUsedUpAt(code, settings.routing, now) }),
    updatedAt: now,
    revision: code.revision + 1,
  };
}

/** What the owner of a code can set. Its placements are changed one by one. */
type Settings = Pick<
  QrCode,
  'name' | 'destinationUrl' | 'status' | 'archived' | 'tags' | 'note' | 'externalId' | 'metadata' | 'routing'
>;

function changeSettings(code: QrCode, wanted: QrCodeChange): Settings {
  return {
    name: wanted.name ?? code.name,
    destinationUrl: wanted.destinationUrl ?? code.destinationUrl,
    status: wanted.active === undefined ? code.status : nextStatus(code.status, wanted.active),
    archived: wanted.archived ?? code.archived,
    tags: wanted.tags ?? code.tags,
    note: wanted.note === undefined ? code.note : wanted.note,
    externalId: wanted.externalId === undefined ? code.externalId : wanted.externalId,
    metadata: wanted.metadata === undefined ? code.metadata : mergeMetadata(code.metadata, wanted.metadata),
    routing: wanted.routing ? changeRouting(code.routing, wanted.routing) : code.routing,
  };
}

function changeRouting(routing: CodeRules, wanted: Partial<CodeRules>): CodeRules {
  const changed = { ...routing, ...wanted };
  refuseEmptyPeriod(changed);
  // Parameters are appended in their order.
  const sameOrder = JSON.stringify(changed.appendQuery) === JSON.stringify(routing.appendQuery);
  return sameOrder && isDeepStrictEqual(changed, routing) ? routing : changed;
}

const isSame = (code: QrCode, { tags, metadata, ...others }: Settings): boolean =>
  Object.entries(others).every(([field, value]) => code[field as keyof typeof others] === value) &&
  sameTags(code.tags, tags) &&
  isDeepStrictEqual(code.metadata, metadata);

/** A limit that is raised above the scans so far, or removed, lets the code go on. */
function findUsedUpAt(code: QrCode, { maxScans }: CodeRules, now: Date): Date | null {
  const isUsedUp = maxScans !== null && code.totalScans >= maxScans;
  return isUsedUp ? (code.usedUpAt ?? now) : null;
}

export function refuseEmptyPeriod({ startsAt, expiresAt }: Pick<CodeRules, 'startsAt' | 'expiresAt'>): void {
  if (startsAt === null || expiresAt === null || startsAt < expiresAt) return;
  throw new AppError('invalid_request', 'expires_at must be later than starts_at.', { param: 'expires_at' });
}

/** The keys that a change names are set or removed; the others stay. */
export function mergeMetadata(metadata: Metadata, change: MetadataChange): Metadata {
  if (change === null) return {};
  const entries = Object.entries({ ...metadata, ...change });
  const merged = entries.filter((entry): entry is [string, string] => entry[1] !== null);
  if (merged.length > maxMetadataKeys)
    throw new AppError(
      'invalid_request',
      `A code has at most ${maxMetadataKeys} keys of metadata, and these would be ${merged.length}. Remove some: set them to null.`,
      { param: 'metadata' },
    );
  return Object.fromEntries(merged);
}

export function nextStatus(status: Status, active: boolean): Status {
  if (active) return 'active';
  if (status === 'draft') {
    throw new AppError('invalid_transition', "A draft can't be paused. Publish it first.", {
      param: 'active',
    });
  }
  return 'paused';
}
