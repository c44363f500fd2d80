import { isDeepStrictEqual } from 'node:util';
import { resolveStyle, type Style } from '@signpost/qr';
import { normalizeHost } from '../../domains/placing.ts';
import type { Caller } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Precondition } from '../../kernel/precondition.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import {
  mergeMetadata,
  type NewQrCode,
  type QrCode,
  type QrCodeChange,
  type WantedChange,
} from '../qr-code.ts';
import { refuseUnmet } from '../refusals.ts';
import { findCode, findIdByExternalId, lockExternalId } from '../store.ts';
import { foldShortCode } from './short-code.ts';

/** A code as an upsert wants it: what is left out stays as it is, and gets its default in a new code. */
export type WantedQrCode = Omit<NewQrCode, 'externalId' | 'metadata' | 'style'> &
  Pick<QrCodeChange, 'metadata'> & { readonly style?: Style | undefined };

type Parts = {
  create(on: Database, caller: Caller, wanted: NewQrCode): Promise<QrCode>;
  update(
    on: Database,
    caller: Caller,
    id: Uuid | null,
    wanted: WantedChange,
    options: { readonly required: Precondition },
  ): Promise<QrCode>;
};

export type Upserted = { readonly code: QrCode; readonly created: boolean };

/** Tries after which an external id that comes and goes is given up. */
const maxTries = 3;

/** Creates or updates the code with an external id. Of several calls that would create it, one does. */
export function createUpsert({ create, update }: Parts) {
  async function updateExisting(
    on: Database,
    caller: Caller,
    code: QrCode,
    wanted: WantedQrCode,
    required: Precondition,
  ) {
    refuseUnmet(required, code);
    refuseFixed(code, wanted);
    const { name, destinationUrl, tags, note, metadata, routing } = wanted;
    return await update(
      on,
      caller,
      code.id,
      { name, destinationUrl, tags, note, metadata, routing },
      { required },
    );
  }

  /** Null where another call has created it meanwhile. */
  const createMissing = (on: Database, caller: Caller, wanted: NewQrCode & { readonly externalId: string }) =>
    on.transaction(async tx => {
      await lockExternalId(tx, caller, wanted.externalId);
      const isThere = (await findIdByExternalId(tx, caller, wanted.externalId)) !== null;
      return isThere ? null : await create(tx, caller, wanted);
    });

  return async (
    on: Database,
    caller: Caller,
    externalId: string,
    wanted: WantedQrCode,
    required: Precondition = {},
  ): Promise<Upserted> => {
    for (let tries = 1; ; tries++) {
      try {
        const id = await findIdByExternalId(on, caller, externalId);
        const existing = id && (await findCode(on, caller, id));
        if (existing)
          return { code: await updateExisting(on, caller, existing, wanted, required), created: false };
        refuseUnmet(required, null);
        const created = await createMissing(on, caller, toNew(externalId, wanted));
        if (created) return { code: created, created: true };
      } catch (error) {
        // Between the look-up and the write another call gave a code this external id, or deleted the code.
        const isStale =
          error instanceof AppError && (error.code === 'external_id_taken' || error.code === 'not_found');
        if (!isStale || tries === maxTries) throw error;
      }
    }
  };
}

const toNew = (externalId: string, { metadata, style, ...wanted }: WantedQrCode) => ({
  ...wanted,
  style: style ?? {},
  externalId,
  metadata: mergeMetadata({}, metadata ?? null),
});

/** A printed image keeps its look and its link. */
function refuseFixed(code: QrCode, { shortCode, style, domain }: WantedQrCode): void {
  if (shortCode !== undefined && foldShortCode(shortCode) !== foldShortCode(code.shortCode))
    throw immutable('short_code', `The code has the short code ${code.shortCode}, which cannot change.`);
  if (domain !== undefined && (domain && normalizeHost(domain)) !== code.domain)
    throw immutable(
      'domain',
      `The code is on ${code.domain ?? 'the host of the service'}, which cannot change.`,
    );
  if (style === undefined) return;
  if (!isDeepStrictEqual(folded(style), folded(code.style)))
    throw immutable('style', 'The style of a code cannot change after creation.');
}

/** With defaults, and colours in one spelling. */
const folded = (style: Style): unknown => JSON.parse(JSON.stringify(resolveStyle(style)).toLowerCase());

const immutable = (param: string, message: string) =>
  new AppError('immutable_field', `${message} Leave it out, or delete the code first.`, { param });
