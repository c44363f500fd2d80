import { unscannableField } from '@signpost/qr';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { Database } from '../platform/postgres.ts';
import { destinationBlocked, leadsTo } from './blocked-host.ts';
import { type Browsing, browseCodes } from './browse.ts';
import { checkDestination, type Own } from './destination.ts';
import { createRecorder, type Edit, listEdits } from './edits.ts';
import { change, type NewQrCode, type QrCode, type QrCodeChange, type Status } from './qr-code.ts';
import { foldShortCode, generateShortCode, refuseReserved } from './short-code.ts';
import * as store from './store.ts';

/** Makes every redirect process forget what it knows of these short codes; resolves when all have. */
export type LinkDropper = { drop(shortCodes: readonly string[]): Promise<void> };

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly own: Own;
  readonly links: LinkDropper;
};

/** What became of one of many: a code, or why there is none. */
export type Outcome = { readonly code: QrCode } | { readonly error: AppError };

export type QrCodes = ReturnType<typeof createQrCodes>;

/** Two generated codes meet once in billions; this many times in a row means that something else is wrong. */
const maxTries = 5;

export function createQrCodes({ ids, clock, own, links }: Parts) {
  function check(wanted: NewQrCode): void {
    checkDestination(wanted.destinationUrl, own);
    if (wanted.shortCode !== undefined) refuseReserved(wanted.shortCode);
    const field = unscannableField(wanted.style);
    if (field) {
      throw new AppError(
        'unscannable_style',
        `style.${field} is too close to the background: no scanner could read the code.`,
        {
          param: `style.${field}`,
        },
      );
    }
  }

  /** Writes in one step every code whose short code is free and whose host is not blocked; the others are refused. */
  async function createChecked(
    on: Database,
    caller: Caller,
    wanted: readonly NewQrCode[],
    atomic: boolean,
  ): Promise<Outcome[]> {
    const now = clock.now();
    const refused = new Map<NewQrCode, AppError>(repeated(wanted).map(item => [item, taken(item)]));
    for (let tries = 0; tries < maxTries; tries++) {
      const items = wanted.filter(item => !refused.has(item));
      if (atomic && items.length < wanted.length) throw refuseAll(wanted.map(item => refused.get(item)));
      if (items.length === 0) return wanted.map(item => ({ error: refused.get(item)! }));
      const codes = items.map(item => ({
        ...item,
        id: ids.next(),
        shortCode: item.shortCode ?? generateShortCode(),
      }));
      const quota = quotaOf(caller);
      const inserted = await store.insertCodes(on, caller, codes, quota, now);
      if (inserted === 'quota_exceeded') throw await quotaExceeded(on, caller);
      if (typeof inserted === 'object' && 'blockedHosts' in inserted) {
        for (const item of items) {
          const host = inserted.blockedHosts.find(host => leadsTo(item.destinationUrl, host));
          if (host !== undefined) refused.set(item, destinationBlocked(host));
        }
        continue;
      }
      if (inserted !== 'short_code_taken') {
        // Somebody may have scanned a code before it was made, and be remembered as having found nothing.
        await on.afterCommit(() => links.drop(codes.map(code => foldShortCode(code.shortCode))));
        const made = new Map(items.map((item, i) => [item, fresh(codes[i]!, inserted[i]!, now)]));
        return wanted.map(item => {
          const code = made.get(item);
          return code ? { code } : { error: refused.get(item)! };
        });
      }
      // Somebody has one of these short codes: find out which, and leave those out. Generated ones are made anew.
      const gone = await store.findTaken(
        on,
        codes.map(code => foldShortCode(code.shortCode)),
      );
      for (const item of items) {
        if (item.shortCode !== undefined && gone.has(foldShortCode(item.shortCode)))
          refused.set(item, taken(item));
      }
    }
    throw new AppError('unavailable', 'No free short code was found. Try again.', { retryAfterSeconds: 1 });
  }

  return {
    async create(on: Database, caller: Caller, wanted: NewQrCode): Promise<QrCode> {
      check(wanted);
      const [outcome] = await createChecked(on, caller, [wanted], false);
      if ('error' in outcome!) throw outcome.error;
      return outcome!.code;
    },

    /** The item as it is, or why it cannot be made; what only the database knows is not asked here. */
    checked: checkedOrError,

    /** Each item is a wanted code that was checked, or the error that it earned. */
    async createMany(
      on: Database,
      caller: Caller,
      items: readonly (NewQrCode | AppError)[],
      atomic: boolean,
    ): Promise<Outcome[]> {
      const good = items.filter((item): item is NewQrCode => !(item instanceof AppError));
      if (atomic && good.length < items.length) {
        throw refuseAll(items.map(item => (item instanceof AppError ? item : undefined)));
      }
      const outcomes = (await createChecked(on, caller, good, atomic)).values();
      return items.map(item => (item instanceof AppError ? { error: item } : outcomes.next().value!));
    },

    async get(on: Database, caller: Caller, id: Uuid | null): Promise<QrCode> {
      return (id && (await store.findCode(on, caller, id))) || notFound();
    },

    count(on: Database, caller: Caller): Promise<number> {
      return store.countUsed(on, caller, 'pool');
    },

    names(on: Database, caller: Caller, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
      return store.findNames(on, caller, ids);
    },

    justDeleted(on: Database, caller: Caller): Promise<readonly Uuid[]> {
      return store.findJustDeleted(on, caller);
    },

    /** Any code at all, deleted ones included, for what is open to everybody. */
    findAny(on: Database, id: Uuid): Promise<store.PublicCode | null> {
      return store.findAny(on, id);
    },

    list(on: Database, caller: Caller, page: Page, status: Status | null): Promise<Paged<QrCode>> {
      return store.listCodes(on, caller, page, status);
    },

    /** The list for people. */
    browse: (on: Database, caller: Caller, page: Page, wanted: Browsing): Promise<Paged<QrCode>> =>
      wanted.sort === 'created' && wanted.search === null
        ? store.listCodes(on, caller, page, wanted.status)
        : browseCodes(on, caller, page, wanted),

    async history(on: Database, caller: Caller, id: Uuid | null, page: Page): Promise<Paged<Edit>> {
      const code = (id && (await store.findCode(on, caller, id))) || notFound();
      return listEdits(on, code.id, page);
    },

    async update(on: Database, caller: Caller, id: Uuid | null, wanted: QrCodeChange): Promise<QrCode> {
      if (wanted.destinationUrl !== undefined) checkDestination(wanted.destinationUrl, own);
      const reach = {
        counts: wanted.active !== undefined,
        leads: wanted.destinationUrl !== undefined || wanted.active === true,
      };
      const decide = (code: QrCode) => change(code, wanted, clock.now());
      const record = createRecorder(ids, caller.via);
      const code = (id && (await store.updateCode(on, caller, id, reach, decide, record))) || notFound();
      await on.afterCommit(() => links.drop([foldShortCode(code.shortCode)]));
      return code;
    },

    async delete(on: Database, caller: Caller, id: Uuid | null): Promise<void> {
      const shortCode = (id && (await store.deleteCode(on, caller, id, clock.now()))) || notFound();
      await on.afterCommit(() => links.drop([foldShortCode(shortCode)]));
    },
  };

  function checkedOrError(item: NewQrCode): NewQrCode | AppError {
    try {
      check(item);
      return item;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }
}

/** Test codes count against no quota, nor do codes made in the dashboard where only those made by API count. */
function quotaOf({ mode, plan, via }: Caller): store.Quota | null {
  const { codeQuota, quotaScope } = plan;
  if (mode === 'test' || codeQuota === null || (quotaScope === 'api' && via.kind !== 'key')) return null;
  return { limit: codeQuota, scope: quotaScope };
}

async function quotaExceeded(db: Database, caller: Caller): Promise<AppError> {
  const { codeQuota, quotaScope, name } = caller.plan;
  const used = await store.countUsed(db, caller, quotaScope);
  return new AppError(
    'quota_exceeded',
    `The ${name} plan has room for ${codeQuota} QR codes and ${used} are in use. Delete some, or move to a larger plan.`,
    { limit: codeQuota ?? 0, used },
  );
}

/** Items that ask for a short code which an earlier item of the same call asks for too. */
function repeated(wanted: readonly NewQrCode[]): NewQrCode[] {
  const seen = new Set<string>();
  return wanted.filter(({ shortCode }) => {
    if (shortCode === undefined) return false;
    const folded = foldShortCode(shortCode);
    if (seen.has(folded)) return true;
    seen.add(folded);
    return false;
  });
}

function fresh(code: store.CodeToInsert, number: number, now: Date): QrCode {
  return { ...code, number, totalScans: 0, uniqueScans: 0, createdAt: now, updatedAt: now };
}

const taken = ({ shortCode }: NewQrCode) =>
  new AppError(
    'short_code_taken',
    `${shortCode} is in use or was once, and is never given out again. Choose another.`,
    {
      param: 'short_code',
    },
  );

/** With `atomic`, the first bad item is the answer to the whole call. */
function refuseAll(errors: readonly (AppError | undefined)[]): AppError {
  const index = errors.findIndex(error => error !== undefined);
  const { message, details } = errors[index]!;
  return new AppError('invalid_request', `Nothing was made. Item ${index}: ${message}`, {
    param: details.param === undefined ? `items.${index}` : `items.${index}.${details.param}`,
    cause: errors[index],
  });
}

function notFound(): never {
  throw new AppError('not_found', 'No QR code has this id.');
}
