import { maxMetadataKeys } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import type { Caller, Standing } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { CodeRules, CodeRulesChange } from '../rules/code-rules.ts';
import type { Placement } from './placements/placement.ts';

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
  readonly status: Status;
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
  /** Counts the edits of the owner. */
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
  readonly status: 'active' | 'draft';
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

/** The code after a change. Nothing returns to draft, so a draft cannot be paused. */
export function change(code: QrCode, wanted: QrCodeChange, now: Date): QrCode {
  if (Object.values(wanted).every(value => value === undefined)) return code;
  return {
    ...code,
    name: wanted.name ?? code.name,
    destinationUrl: wanted.destinationUrl ?? code.destinationUrl,
    status: wanted.active === undefined ? code.status : nextStatus(code.status, wanted.active),
    tags: wanted.tags ?? code.tags,
    note: wanted.note === undefined ? code.note : wanted.note,
    externalId: wanted.externalId === undefined ? code.externalId : wanted.externalId,
    metadata: wanted.metadata === undefined ? code.metadata : mergeMetadata(code.metadata, wanted.metadata),
    ...(wanted.routing ? changeRouting(code, wanted.routing, now) : {}),
    updatedAt: now,
    revision: code.revision + 1,
  };
}

/** A limit that is raised above the scans so far, or removed, lets the code go on. */
function changeRouting(code: QrCode, wanted: Partial<CodeRules>, now: Date) {
  const routing = { ...code.routing, ...wanted };
  refuseEmptyPeriod(routing);
  const isUsedUp = routing.maxScans !== null && code.totalScans >= routing.maxScans;
  return { routing, usedUpAt: isUsedUp ? (code.usedUpAt ?? now) : null };
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
