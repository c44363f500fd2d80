import {
  type CreateQrCode,
  CreateQrCode as CreateSchema,
  type ListQrCodesQuery,
  operations,
  type RulesTest,
  type UpsertQrCode,
} from '@signpost/contract';
import Type from 'typebox';
import { presentError } from '../http/errors.ts';
import { listInTurns } from '../http/list-in-turns.ts';
import type { Routes } from '../http/routes.ts';
import { compileValidator } from '../http/validation/validation.ts';
import { bulkItems, type Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { mapInTurns } from '../kernel/running/cpu-queue.ts';
import type { CreationLimiter } from '../limits/creation-limiter.ts';
import { rolledBack } from '../platform/postgres/dry-run.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { listRulePlaces, type PlaceNamesSource } from '../rules/place-names.ts';
import { toRules, toRulesChange } from '../rules/wire.ts';
import { getAvailability } from './availability.ts';
import { type CreationReservation, nothingReserved, reserveCreations } from './creation/creation-limit.ts';
import { type StyleSource, withStyles } from './creation/wanted-styles.ts';
import type { CodePage } from './listing/list.ts';
import { parseSort, toFilter } from './listing/query.ts';
import { type Links, presentCode, presentCodePage, presentListItem } from './present.ts';
import type { NewQrCode, QrCode } from './qr-code.ts';
import type { QrCodes } from './service.ts';
import { testRules } from './targets/try-rules.ts';

type Parts = {
  readonly qrcodes: QrCodes;
  readonly links: Links;
  readonly creations: CreationLimiter;
  readonly styles: StyleSource;
  readonly clock: Clock;
  readonly placeNames: PlaceNamesSource;
};

/** The endpoints of QR codes. Wire names are mapped here and nowhere else. */
export function addQrCodeRoutes(routes: Routes, parts: Parts): void {
  const { qrcodes, links, creations, styles, clock, placeNames } = parts;
  const present = (code: QrCode, caller: Caller) => presentCode(code, caller, links, clock.now());
  const reserve = (db: Database, caller: Caller, count: number, param?: string) =>
    reserveCreations(creations, {
      caller,
      count,
      ...(param === undefined ? {} : { param }),
      quotaRefusal: () => qrcodes.quotaRefusal(db, caller, count),
    });
  async function listPage(db: Database, caller: Caller, query: ListQrCodesQuery): Promise<CodePage> {
    const [filter, sort] = [toFilter(query), parseSort(query.sort)];
    const limit = query.limit ?? 20;
    const cursor = readCursor(query);
    if (!cursor) return await qrcodes.list(db, caller, filter, sort, { page: query.page ?? 1, limit });
    const id = parseId('qr', cursor.id);
    const found = id && (await qrcodes.listBeside(db, caller, filter, sort, { ...cursor, id }, limit));
    if (found) return found;
    throw new AppError('invalid_request', `${cursor.param} is not the id of a QR code.`, {
      param: cursor.param,
    });
  }

  const finish = ({ reservation }: { readonly reservation: CreationReservation }) =>
    reservation.releaseUnused();

  routes.add(
    operations.createQrCode,
    async ({ db, caller }, { wanted, reservation }: Single) => {
      const code = await qrcodes.create(db, caller, wanted);
      reservation.created = 1;
      return present(code, caller);
    },
    {
      async prepare({ db, caller, body }): Promise<Single> {
        const [styled] = await withStyles(styles, db, caller, [toNewQrCode(body)]);
        const wanted = styled instanceof AppError ? styled : qrcodes.validate(styled!);
        if (wanted instanceof AppError) throw wanted;
        return { wanted, reservation: await reserve(db, caller, 1) };
      },
      finish,
    },
  );

  routes.add(operations.listQrCodes, async ({ db, caller, query }) => {
    const include = query.include?.split(',') ?? [];
    const found = await listPage(db, caller, query);
    const tagged = include.includes('tags') ? await qrcodes.withTags(db, found) : found;
    const hasAvailability = include.includes('availability');
    const page = hasAvailability ? await qrcodes.withSuspensions(db, tagged) : tagged;
    const now = clock.now();
    return {
      data: page.items.map(code =>
        presentListItem(code, links, include, hasAvailability ? getAvailability(code, caller, now) : null),
      ),
      pagination: presentCodePage(page),
    };
  });

  routes.add(
    operations.bulkCreateQrCodes,
    async ({ db, caller, body, requestId }, { items, reservation }: Bulk) => {
      const dryRun = body.dry_run ?? false;
      const create = (on: Database) => qrcodes.createMany(on, caller, items, body.atomic ?? false);
      const outcomes = dryRun ? await rolledBack(db, create) : await create(db);
      const data = listInTurns(outcomes, (outcome, index) =>
        'code' in outcome
          ? { index, status: 'created' as const, qr_code: present(outcome.code, caller) }
          : {
              index,
              status: 'failed' as const,
              error: presentError(outcome.error, requestId, links.publicUrl).error,
            },
      );
      const created = outcomes.filter(outcome => 'code' in outcome).length;
      if (!dryRun) reservation.created = created;
      const counts = { created, failed: outcomes.length - created, data };
      return dryRun ? { dry_run: true as const, ...counts } : counts;
    },
    {
      body: BulkEnvelope,
      async prepare({ db, caller, body }): Promise<Bulk> {
        const parsed = await mapInTurns(body.items, parseItem);
        const styled = await withStyles(styles, db, caller, parsed);
        const items = await mapInTurns(styled, item =>
          item instanceof AppError ? item : qrcodes.validate(item),
        );
        if (body.dry_run) return { items, reservation: nothingReserved() };
        const valid = items.filter(item => !(item instanceof AppError)).length;
        const wanted = body.atomic && valid < items.length ? 0 : valid;
        return { items, reservation: await reserve(db, caller, wanted, 'items') };
      },
      finish,
    },
  );

  routes.add(operations.getQrCode, async ({ db, caller, params }) =>
    present(await qrcodes.find(db, caller, params.id), caller),
  );

  routes.add(operations.updateQrCode, async ({ db, caller, params, body, raw }) => {
    const {
      name,
      destination_url: destinationUrl,
      active,
      tags,
      note,
      external_id: externalId,
      metadata,
    } = body;
    const routing = toRulesChange(body);
    const wanted = { name, destinationUrl, active, tags, note, externalId, metadata, routing };
    const revision = parseRevision(raw.request.headers['if-match']);
    const id = await qrcodes.resolve(db, caller, params.id);
    return present(await qrcodes.update(db, caller, id, wanted, revision), caller);
  });

  routes.add(operations.testRules, async (_call, tested: RulesTest) => tested, {
    // Names of places are read from a file.
    async prepare({ db, caller, params, body }) {
      const code = await qrcodes.find(db, caller, params.id);
      const draft = body.rules && { rules: toRules(body.rules) };
      if (draft) await qrcodes.validateRules(db, draft);
      const placements = await qrcodes.placementKeys(db, code.id);
      const hasPlaces = listRulePlaces(draft?.rules ?? code.routing.rules).length > 0;
      const places = hasPlaces ? await placeNames() : null;
      const now = clock.now();
      return testRules({ code, owner: caller, placements, draft: draft?.rules, places, now }, body);
    },
  });

  routes.add(operations.deleteQrCode, async ({ db, caller, params }) => {
    const id = await qrcodes.delete(db, caller, await qrcodes.resolve(db, caller, params.id));
    return { deleted: true as const, id: formatId('qr', id) };
  });
}

/** Where a list goes on, if the query says so. */
function readCursor({
  starting_after: after,
  ending_before: before,
  page,
  sort = '-created',
}: ListQrCodesQuery) {
  if (after === undefined && before === undefined) return null;
  const [param, id, side] =
    after === undefined
      ? ['ending_before', before!, 'before' as const]
      : ['starting_after', after, 'after' as const];
  const refuse = (name: string, message: string) =>
    new AppError('invalid_request', `${message} Leave one of them out.`, { param: name });
  if (after !== undefined && before !== undefined)
    throw refuse('ending_before', 'starting_after and ending_before exclude each other.');
  if (page !== undefined) throw refuse('page', `page and ${param} exclude each other.`);
  if (!/^-?created$/.test(sort))
    throw refuse(param, `${param} works with sort=created and sort=-created only.`);
  return { param, id, side };
}

/** A validated code, with what it has reserved of the creations per minute. */
type Single = { readonly wanted: NewQrCode; readonly reservation: CreationReservation };

/** The validated items of a bulk call, with what the valid ones have reserved. */
type Bulk = { readonly items: readonly (NewQrCode | AppError)[]; readonly reservation: CreationReservation };

/** The bulk body without the schema of its items: those are validated one by one, so that an invalid one fails alone. */
const BulkEnvelope = Type.Object(
  {
    ...operations.bulkCreateQrCodes.body.properties,
    items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: bulkItems }),
  },
  { additionalProperties: false },
);

const validateItem = compileValidator(CreateSchema, 'The item');

function parseItem(item: unknown): NewQrCode | AppError {
  const result = validateItem(item);
  if ('error' in result) return result.error;
  try {
    return toNewQrCode(result.value as CreateQrCode);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function toNewQrCode(body: CreateQrCode): NewQrCode {
  return {
    name: body.name,
    destinationUrl: readDestination(body),
    shortCode: body.short_code,
    status: body.status ?? 'active',
    style: body.style ?? {},
    designId: body.design_id,
    tags: body.tags,
    note: body.note,
    externalId: body.external_id,
    metadata: body.metadata,
    routing: toRulesChange(body),
  };
}

/** The revision that a change is based on. Any other form of the header names no revision that a code could have. */
function parseRevision(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, revision] = /^\s*"?(\d{1,15})"?\s*$/.exec(ifMatch) ?? [];
  if (revision === undefined)
    throw new AppError('invalid_request', 'If-Match must be the revision of the code, such as "7".', {
      param: 'If-Match',
    });
  return Number(revision);
}

/** `destination` is an alias of `destination_url`. Where both are sent and differ, we must not guess. */
export function readDestination({ destination, destination_url: given }: UpsertQrCode): string {
  if (destination !== undefined && given !== undefined && destination !== given) {
    throw new AppError(
      'invalid_request',
      'destination and destination_url differ. Send only destination_url.',
      {
        param: 'destination',
      },
    );
  }
  return given ?? destination!;
}
