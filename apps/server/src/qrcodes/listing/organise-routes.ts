import { type BulkEditQrCodes, maxTags, operations, type UpsertQrCode } from '@signpost/contract';
import { presentError } from '../../http/errors.ts';
import { itemSerializer, serializedList } from '../../http/list-in-turns.ts';
import type { Routes } from '../../http/routes.ts';
import { type Caller, getCreationLimit } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, parseId } from '../../kernel/ids.ts';
import type { CreationLimiter } from '../../limits/creation-limiter.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { withoutIds } from '../../rules/code-rules.ts';
import { toRulesChange } from '../../rules/wire.ts';
import { parseExternalId } from '../creation/addressing.ts';
import {
  type CreationReservation,
  nothingReserved,
  reserveCreations,
  reserveEdits,
} from '../creation/creation-limit.ts';
import { limitAndUse } from '../creation/quota.ts';
import type { WantedQrCode } from '../creation/upsert.ts';
import type { StyleSource } from '../creation/wanted-styles.ts';
import type { BulkChange, BulkTarget, EditOutcome } from '../edits/bulk-edit.ts';
import { type Links, presentCode } from '../present.ts';
import { readDestination } from '../routes.ts';
import type { QrCodes } from '../service.ts';
import { tags } from '../tags/tags.ts';
import { toFilter } from './query.ts';

type Parts = {
  readonly qrcodes: QrCodes;
  readonly links: Links;
  readonly creations: CreationLimiter;
  readonly styles: StyleSource;
  readonly clock: Clock;
};
type Reserved = { readonly reservation: CreationReservation };

const finish = ({ reservation }: Reserved) => reservation.releaseUnused();

/** Codes by the ids of their owners, and many codes at once. */
export function addOrganiseRoutes(routes: Routes, { qrcodes, links, creations, styles, clock }: Parts): void {
  /** Only a new code counts as a creation. */
  async function reserveForUpsert(db: Database, caller: Caller, externalId: string) {
    const exists = (await qrcodes.resolve(db, caller, `ext:${externalId}`)) !== null;
    if (exists) return nothingReserved();
    return await reserveCreations(creations, {
      caller,
      count: 1,
      quotaRefusal: () => qrcodes.quotaRefusal(db, caller, 1),
    });
  }

  /** Without a style, that of an existing code is not compared. */
  async function styled(db: Database, caller: Caller, wanted: WantedQrCode, designId: string | undefined) {
    if (wanted.style === undefined && designId === undefined) return wanted;
    const asked = { style: wanted.style ?? {}, shortCode: wanted.shortCode, designId };
    const [style] = await styles.resolve(db, caller, [asked]);
    if (style instanceof AppError) throw style;
    return { ...wanted, style };
  }

  routes.add(
    operations.upsertQrCode,
    async ({ db, caller, raw }, { wanted, externalId, reservation }: Upserting) => {
      const { code, created } = await qrcodes.upsert(db, caller, externalId, wanted);
      if (created) {
        reservation.created = 1;
        raw.reply.code(201);
      }
      return presentCode(code, caller, links, clock.now());
    },
    {
      async prepare({ db, caller, params, body }): Promise<Upserting> {
        const externalId = checkedExternalId(params.id);
        const wanted = await styled(db, caller, toWanted(body), body.design_id);
        // Ids of rules can only be checked once it is known whether the code exists.
        const refusal = qrcodes.validate({
          ...wanted,
          routing: withoutIds(wanted.routing),
          style: wanted.style ?? {},
          metadata: {},
        });
        if (refusal instanceof AppError) throw refusal;
        return { wanted, externalId, reservation: await reserveForUpsert(db, caller, externalId) };
      },
      finish,
    },
  );

  routes.add(
    operations.bulkEditQrCodes,
    async ({ db, caller, body, requestId, raw }, { target, reservation }: Editing) => {
      const dryRun = body.dry_run ?? false;
      const toJson = itemSerializer(
        raw.reply,
        operations.bulkEditQrCodes.success.schema.properties.data.items,
      );
      const now = clock.now();
      let updated = 0;
      const show = (outcome: EditOutcome, index: number): Buffer => {
        if ('code' in outcome) updated++;
        const item =
          'code' in outcome
            ? { index, status: 'updated', qr_code: presentCode(outcome.code, caller, links, now) }
            : {
                index,
                status: 'failed',
                id: body.ids?.[index] ?? formatId('qr', outcome.id!),
                error: presentError(outcome.error, requestId, links.publicUrl).error,
              };
        return Buffer.from(toJson(item));
      };
      const shown = await qrcodes.bulk.edit(db, caller, target, toChange(body), dryRun, show);
      if (!dryRun) reservation.created = updated;
      return { dry_run: dryRun, updated, failed: shown.length - updated, data: serializedList(shown) };
    },
    {
      async prepare({ caller, body }): Promise<Editing> {
        const target = readTarget(body);
        const count = body.ids?.length ?? body.expected_count ?? 0;
        return { target, reservation: await reserveEdits(creations, caller, count) };
      },
      finish,
    },
  );

  routes.add(operations.bulkDeleteQrCodes, async ({ db, caller, body, requestId }) => {
    const dryRun = body.dry_run ?? false;
    const target = { ids: body.ids.map(id => parseId('qr', id)), expectedCount: body.expected_count };
    const outcomes = await qrcodes.bulk.delete(db, caller, target, dryRun);
    const data = outcomes.map((outcome, index) =>
      'id' in outcome
        ? { index, status: 'deleted' as const, id: formatId('qr', outcome.id) }
        : {
            index,
            status: 'failed' as const,
            id: body.ids[index]!,
            error: presentError(outcome.error, requestId, links.publicUrl).error,
          },
    );
    const deleted = data.filter(({ status }) => status === 'deleted').length;
    return { dry_run: dryRun, deleted, failed: data.length - deleted, data };
  });

  routes.add(operations.getAccount, async ({ db, caller }) => {
    const { limit, used } = limitAndUse(caller, await qrcodes.usage(db, caller));
    return {
      plan: caller.plan.name,
      mode: caller.mode,
      limits: {
        requests_per_minute: caller.plan.requestsPerMinute,
        qr_codes: limit,
        new_qr_codes_per_minute: getCreationLimit(caller.plan),
        tags: maxTags,
      },
      used: { qr_codes: used, tags: await tags.count(db, caller) },
    };
  });
}

type Upserting = Reserved & { readonly wanted: WantedQrCode; readonly externalId: string };
type Editing = Reserved & { readonly target: BulkTarget };

const maxExternalIdLength = 255;

/** The rules of the field `external_id`, for one in a path. */
function checkedExternalId(id: string): string {
  const externalId = parseExternalId(id);
  const refuse = (message: string) => new AppError('invalid_request', message, { param: 'id' });
  if (externalId === null)
    throw refuse(
      'PUT takes ext: and your external id, such as ext:order-1. Update a code by its id with PATCH.',
    );
  const isText = /^[^\p{Cc}\p{Cs}]*[^\s\p{Cc}\p{Cf}\p{Cs}][^\p{Cc}\p{Cs}]*$/u.test(externalId);
  if (!isText || [...externalId].length > maxExternalIdLength)
    throw refuse(
      `An external id must be 1 to ${maxExternalIdLength} characters on one line, and not only white space.`,
    );
  return externalId;
}

const toWanted = (body: UpsertQrCode): WantedQrCode => ({
  name: body.name,
  destinationUrl: readDestination(body),
  shortCode: body.short_code,
  status: body.status ?? 'active',
  style: body.style,
  tags: body.tags,
  note: body.note,
  metadata: body.metadata,
  routing: toRulesChange(body),
});

function readTarget({ ids, filter, expected_count: expectedCount, set }: BulkEditQrCodes): BulkTarget {
  if (set.destination_url !== undefined && set.destination_replace)
    throw new AppError(
      'invalid_request',
      'destination_url and destination_replace exclude each other. Leave one of them out.',
      { param: 'set.destination_replace' },
    );
  if (ids && filter)
    throw new AppError('invalid_request', 'ids and filter exclude each other. Leave one of them out.', {
      param: 'filter',
    });
  if (ids) return { ids: ids.map(id => parseId('qr', id)), expectedCount };
  return { filter: toFilter(filter!), expectedCount: expectedCount! };
}

const toChange = ({ set }: BulkEditQrCodes): BulkChange => ({
  active: set.active,
  destinationUrl: set.destination_url,
  destinationReplace: set.destination_replace,
  note: set.note,
  metadata: set.metadata,
  tagsAdd: set.tags_add ?? [],
  tagsRemove: set.tags_remove ?? [],
});
