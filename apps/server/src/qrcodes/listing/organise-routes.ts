import {
  type BulkEditQrCodes,
  maxPlacements,
  maxRules,
  maxShareLinks,
  maxTags,
  operations,
  type UpsertQrCode,
} from '@signpost/contract';
import { findAccountSummary } from '../../accounts/account.ts';
import { designsPerAccount } from '../../designs/design.ts';
import { presentError } from '../../http/errors.ts';
import { itemSerializer, serializedList } from '../../http/list-in-turns.ts';
import type { Routes } from '../../http/routes.ts';
import { type Caller, getCreationLimit } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId } from '../../kernel/ids.ts';
import { parsePrecondition } from '../../kernel/precondition.ts';
import type { CreationLimiter } from '../../limits/creation-limiter.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { withoutIds } from '../../rules/code-rules.ts';
import type { PlaceNames, PlaceNamesSource } from '../../rules/place-names.ts';
import { toRulesChange } from '../../rules/wire.ts';
import { parseExternalId, readIds } from '../creation/addressing.ts';
import {
  type CreationReservation,
  nothingReserved,
  reserveCreations,
  reserveEdits,
} from '../creation/creation-limit.ts';
import { limitAndUse } from '../creation/quota.ts';
import type { WantedQrCode } from '../creation/upsert.ts';
import type { StyleSource } from '../creation/wanted-styles.ts';
import type { BulkChange, EditOutcome } from '../edits/bulk-edit.ts';
import { type Links, presentCode, withEtag } from '../present.ts';
import { readDestination } from '../routes.ts';
import type { QrCodes } from '../service.ts';
import { tags } from '../tags/tags.ts';
import { presentWarnings, readPlacesForSave } from '../targets/rule-warnings.ts';
import { toFilter } from './query.ts';

type Parts = {
  readonly qrcodes: QrCodes;
  readonly links: Links;
  readonly creations: CreationLimiter;
  readonly styles: StyleSource;
  readonly clock: Clock;
  readonly placeNames: PlaceNamesSource;
  readonly webhooksPerAccount: number;
};
type Reserved = { readonly reservation: CreationReservation };

const finish = ({ reservation }: Reserved) => reservation.releaseUnused();

/** Codes by the ids of their owners, and many codes at once. */
export function addOrganiseRoutes(routes: Routes, parts: Parts): void {
  const { qrcodes, links, creations, styles, clock, placeNames, webhooksPerAccount } = parts;

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
    const { shortCode, domain } = wanted;
    const asked = { style: wanted.style ?? {}, shortCode, domain, designId };
    const [style] = await styles.resolve(db, caller, [asked]);
    if (style instanceof AppError) throw style;
    return { ...wanted, style };
  }

  routes.add(
    operations.upsertQrCode,
    async ({ db, caller, raw }, { wanted, externalId, places, reservation }: Upserting) => {
      const required = parsePrecondition(raw.request.headers);
      const { code, created } = await qrcodes.upsert(db, caller, externalId, wanted, required);
      if (created) {
        reservation.created = 1;
        raw.reply.code(201);
      }
      const shown = presentCode(withEtag({ raw }, code), caller, links, clock.now());
      if (created) return { ...shown, ...presentWarnings(code, places, shown.short_url) };
      return { ...shown, ...(wanted.routing?.rules === undefined ? {} : presentWarnings(code, places)) };
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
        const places = await readPlacesForSave(placeNames, wanted.routing?.rules);
        return { wanted, externalId, places, reservation: await reserveForUpsert(db, caller, externalId) };
      },
      finish,
    },
  );

  routes.add(
    operations.bulkEditQrCodes,
    async ({ db, caller, body, requestId, raw, noteEvent }, { names, reservation }: Editing) => {
      const dryRun = body.dry_run ?? false;
      const toJson = itemSerializer(
        raw.reply,
        operations.bulkEditQrCodes.success.schema.properties.data.items,
      );
      const now = clock.now();
      let updated = 0;
      const subjects: string[] = [];
      const show = (outcome: EditOutcome, index: number): Buffer => {
        if ('code' in outcome) {
          updated++;
          subjects.push(formatId('qr', outcome.code.id));
        }
        const item =
          'code' in outcome
            ? { index, status: 'updated', qr_code: presentCode(outcome.code, caller, links, now) }
            : {
                index,
                status: 'failed',
                id: names?.[index] ?? formatId('qr', outcome.id!),
                error: presentError(outcome.error, requestId, links.publicUrl).error,
              };
        return Buffer.from(toJson(item));
      };
      const target = names
        ? { ids: await qrcodes.resolveMany(db, caller, names), expectedCount: body.expected_count }
        : { filter: toFilter(body.filter!, now), expectedCount: body.expected_count! };
      const shown = await qrcodes.bulk.edit(db, caller, target, toChange(body), dryRun, show);
      if (!dryRun) reservation.created = updated;
      noteEvent({ subjects });
      return { dry_run: dryRun, updated, failed: shown.length - updated, data: serializedList(shown) };
    },
    {
      async prepare({ caller, body }): Promise<Editing> {
        const names = readTarget(body);
        const count = names?.length ?? body.expected_count ?? 0;
        return { names, reservation: await reserveEdits(creations, caller, count) };
      },
      finish,
    },
  );

  routes.add(operations.bulkDeleteQrCodes, async ({ db, caller, body, requestId, noteEvent }) => {
    const dryRun = body.dry_run ?? false;
    const names = readIds(body)!;
    const ids = await qrcodes.resolveMany(db, caller, names);
    const target = { ids, expectedCount: body.expected_count };
    const outcomes = await qrcodes.bulk.delete(db, caller, target, dryRun);
    const data = outcomes.map((outcome, index) =>
      'id' in outcome
        ? { index, status: 'deleted' as const, id: formatId('qr', outcome.id) }
        : {
            index,
            status: 'failed' as const,
            id: names[index]!,
            error: presentError(outcome.error, requestId, links.publicUrl).error,
          },
    );
    const gone = data.filter(({ status }) => status === 'deleted');
    noteEvent({ subjects: gone.map(({ id }) => id) });
    const deleted = gone.length;
    return { dry_run: dryRun, deleted, failed: data.length - deleted, data };
  });

  routes.add(operations.getAccount, async ({ db, caller }) => {
    const { limit, used } = limitAndUse(caller, await qrcodes.usage(db, caller));
    const { name, assetBytes, memberLimit, members } = await findAccountSummary(db, caller.accountId);
    const { suspension } = caller;
    return {
      id: formatId('acct', caller.accountId),
      name,
      plan: caller.plan.name,
      suspension: suspension && {
        reason: suspension.reason,
        suspended_at: suspension.since.toISOString(),
      },
      mode: caller.mode,
      limits: {
        requests_per_minute: caller.plan.requestsPerMinute,
        qr_codes: limit,
        new_qr_codes_per_minute: getCreationLimit(caller.plan),
        tags: maxTags,
        rules_per_qr_code: maxRules,
        placements_per_qr_code: maxPlacements,
        designs: designsPerAccount,
        asset_bytes: assetBytes,
        webhooks: caller.plan.webhooks || caller.mode === 'test' ? webhooksPerAccount : 0,
        share_links: maxShareLinks,
        members: memberLimit,
      },
      used: { qr_codes: used, tags: await tags.count(db, caller), members },
    };
  });
}

type Upserting = Reserved & {
  readonly wanted: WantedQrCode;
  readonly externalId: string;
  readonly places: PlaceNames | null;
};
/** The codes of an edit as its body names them, or null where a filter finds them. */
type Editing = Reserved & { readonly names: readonly string[] | null };

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
  domain: body.domain,
  reclaim: body.reclaim,
  status: body.status ?? 'active',
  style: body.style,
  tags: body.tags,
  note: body.note,
  metadata: body.metadata,
  routing: toRulesChange(body),
});

/** The codes that an edit names, or null where a filter finds them. */
function readTarget(body: BulkEditQrCodes): readonly string[] | null {
  const { filter, set } = body;
  const names = readIds(body);
  if (set.destination_url !== undefined && set.destination_replace)
    throw new AppError(
      'invalid_request',
      'destination_url and destination_replace exclude each other. Leave one of them out.',
      { param: 'set.destination_replace' },
    );
  if (names && filter)
    throw new AppError('invalid_request', 'ids and filter exclude each other. Leave one of them out.', {
      param: 'filter',
    });
  return names;
}

const toChange = ({ set }: BulkEditQrCodes): BulkChange => ({
  active: set.active,
  archived: set.archived,
  destinationUrl: set.destination_url,
  destinationReplace: set.destination_replace,
  note: set.note,
  metadata: set.metadata,
  tagsAdd: set.tags_add ?? [],
  tagsRemove: set.tags_remove ?? [],
});
