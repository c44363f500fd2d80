import { maxShareLinks } from '@signpost/contract';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import {
  checkSections,
  defaultSections,
  hashToken,
  newToken,
  type Owner,
  type Section,
  type ShareLink,
  type Subject,
  toHint,
  toSharedPeriod,
} from './share-link.ts';
import * as store from './store.ts';

/** What share links need to know about codes and tags. */
export type Shareable = {
  /** The code that a path names; throws if the caller has none such. */
  find(on: Database, caller: Owner, id: string): Promise<{ readonly id: Uuid }>;
  /** The code that a path names; null where it can be none of the caller's. */
  resolve(on: Database, caller: Owner, id: string): Promise<Uuid | null>;
  findTag(
    on: Database,
    caller: Owner,
    name: string,
  ): Promise<{ readonly id: Uuid; readonly name: string } | null>;
};

export type WantedLink = Parameters<typeof toSharedPeriod>[0] & {
  readonly title?: string | undefined;
  readonly sections?: readonly Section[] | undefined;
  readonly expires_at?: string | undefined;
};

/** Which links to list. */
type Which = { readonly qr_id?: string | undefined; readonly tag?: string | undefined };

type Parts = { readonly ids: Ids; readonly clock: Clock; readonly codes: Shareable };

export type ShareLinks = ReturnType<typeof createShareLinks>;

/** Share links of accounts: created, listed, revoked. */
export function createShareLinks({ ids, clock, codes }: Parts) {
  async function create(db: Database, caller: Caller, subject: Subject, wanted: WantedLink) {
    if (caller.heldSince) throw notConfirmed();
    const now = clock.now();
    const sections = wanted.sections ?? defaultSections;
    checkSections(sections, subject);
    const token = newToken();
    const link: ShareLink = {
      ...subject,
      id: ids.next(),
      title: wanted.title?.trim() ?? null,
      sections,
      period: toSharedPeriod(wanted, now),
      expiresAt: parseEnd(wanted.expires_at, now),
      hint: toHint(token),
      createdAt: now,
    };
    const used = await store.insertLink(db, caller, link, hashToken(token), maxShareLinks);
    if (used === 'gone')
      throw new AppError('not_found', 'What the link would share was deleted a moment ago.');
    if (used !== null) throw quotaExceeded(used);
    return { link, token };
  }

  async function requireTag(on: Database, caller: Owner, name: string) {
    return (await codes.findTag(on, caller, name)) ?? noTag();
  }

  return {
    /** The token of a new link is returned here and cannot be read later. */
    async createForCode(db: Database, caller: Caller, id: string, wanted: WantedLink) {
      const code = await codes.find(db, caller, id);
      return await create(db, caller, { qrCodeId: code.id, tag: null }, wanted);
    },

    /** For a tag, or without one for the account. */
    async create(db: Database, caller: Caller, tag: string | undefined, wanted: WantedLink) {
      const found = tag === undefined ? null : await requireTag(db, caller, tag);
      return await create(db, caller, { qrCodeId: null, tag: found }, wanted);
    },

    async list(db: Database, caller: Owner, { qr_id: id, tag: name }: Which): Promise<readonly ShareLink[]> {
      const qrCodeId = id === undefined ? null : await codes.resolve(db, caller, id);
      const tag = name === undefined ? null : await codes.findTag(db, caller, name);
      if ((id !== undefined && !qrCodeId) || (name !== undefined && !tag)) return [];
      return await store.listLinks(db, caller, { qrCodeId, tag });
    },

    /** Once this has committed, no process shows the page: each looks the link up at every request. */
    async revoke(db: Database, caller: Owner, id: Uuid | null): Promise<void> {
      if (!id || !(await store.deleteLink(db, caller, id)))
        throw new AppError('not_found', 'No share link has this id.');
    },
  };
}

function parseEnd(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const end = new Date(text);
  if (end > now && end.getUTCFullYear() < 10_000) return end;
  throw new AppError(
    'invalid_request',
    'expires_at must be a time in the future. Leave it out for a link without an end.',
    {
      param: 'expires_at',
    },
  );
}

const quotaExceeded = (used: number) =>
  new AppError(
    'quota_exceeded',
    `You can have ${maxShareLinks} share links, and you have ${used}, including those that have ended. Revoke one first.`,
    { limit: maxShareLinks, used },
  );

const notConfirmed = () =>
  new AppError(
    'forbidden',
    'Confirm your e-mail address first: until then figures of this account cannot be shared.',
  );

function noTag(): never {
  throw new AppError('not_found', 'No tag has this name.', { param: 'tag' });
}
