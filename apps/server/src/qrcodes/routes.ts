import { isDeepStrictEqual } from 'node:util';
import {
  type CreateQrCode,
  CreateQrCode as CreateSchema,
  fixedFields,
  type ListQrCodesQuery,
  operations,
  type RulesTest,
  type UpdateQrCode,
  type UpsertQrCode,
  type QrCode as WireQrCode,
} from '@signpost/contract';
import Type from 'typebox';
import { presentError } from '../http/errors.ts';
import { listInTurns } from '../http/list-in-turns.ts';
import type { Routes } from '../http/routes.ts';
import { compileValidator } from '../http/validation/validation.ts';
import { bulkItems, type Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId } from '../kernel/ids.ts';
import { parsePrecondition } from '../kernel/precondition.ts';
import { mapInTurns } from '../kernel/running/cpu-queue.ts';
import type { CreationLimiter } from '../limits/creation-limiter.ts';
import { rolledBack } from '../platform/postgres/dry-run.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { PlaceNames, PlaceNamesSource } from '../rules/place-names.ts';
import type { Rule } from '../rules/rule.ts';
import { toRules, toRulesChange } from '../rules/wire.ts';
import { getAvailability } from './availability.ts';
import { type CreationReservation, nothingReserved, reserveCreations } from './creation/creation-limit.ts';
import { type StyleSource, withStyles } from './creation/wanted-styles.ts';
import type { CodePage } from './listing/list.ts';
import { parseSort, toFilter } from './listing/query.ts';
import { type Links, presentCode, presentCodePage, presentListItem, withEtag } from './present.ts';
import type { NewQrCode, QrCode } from './qr-code.ts';
import { checkAll } from './refusals.ts';
import type { QrCodes } from './service.ts';
import { presentWarnings, readPlaces, readPlacesForSave } from './targets/rule-warnings.ts';
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
  async function listPage(
    db: Database,
    caller: Caller,
    query: ListQrCodesQuery,
    now: Date,
  ): Promise<CodePage> {
    const [filter, sort] = [toFilter(query, now), parseSort(query.sort)];
    const limit = query.limit ?? 20;
    const cursor = readCursor(query);
    if (!cursor) return await qrcodes.list(db, caller, filter, sort, { page: query.page ?? 1, limit });
    const id = await qrcodes.resolve(db, caller, cursor.id);
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
    async ({ db, caller, raw, toEvent }, { wanted, places, reservation }: Single) => {
      const code = await qrcodes.create(db, caller, wanted, id =>
        toEvent({ subjects: [formatId('qr', id)] }),
      );
      reservation.created = 1;
      const shown = present(withEtag({ raw }, code), caller);
      return { ...shown, ...presentWarnings(code, places, shown.short_url) };
    },
    {
      writesEvent: true,
      async prepare({ db, caller, body }): Promise<Single> {
        const [styled] = await withStyles(styles, db, caller, [toNewQrCode(body)]);
        const wanted = styled instanceof AppError ? styled : qrcodes.validate(styled!);
        if (wanted instanceof AppError) throw wanted;
        const places = await readPlacesForSave(placeNames, wanted.routing?.rules);
        return { wanted, places, reservation: await reserve(db, caller, 1) };
      },
      finish,
    },
  );

  routes.add(operations.listQrCodes, async ({ db, caller, query }) => {
    const include = query.include?.split(',') ?? [];
    const now = clock.now();
    const found = await listPage(db, caller, query, now);
    const tagged = include.includes('tags') ? await qrcodes.withTags(db, found) : found;
    const hasAvailability = include.includes('availability');
    const shown = hasAvailability ? await qrcodes.withSuspensions(db, tagged) : tagged;
    const hasDetails = include.includes('rules') || include.includes('placements');
    const page = hasDetails ? await qrcodes.withDetails(db, shown) : shown;
    return {
      data: listInTurns(page.items, code =>
        presentListItem(code, links, include, hasAvailability ? getAvailability(code, caller, now) : null),
      ),
      pagination: presentCodePage(page),
    };
  });

  routes.add(
    operations.bulkCreateQrCodes,
    async ({ db, caller, body, requestId, noteEvent }, { items, places, reservation }: Bulk) => {
      const dryRun = body.dry_run ?? false;
      const create = (on: Database) => qrcodes.createMany(on, caller, items, body.atomic ?? false);
      const outcomes = dryRun ? await rolledBack(db, create) : await create(db);
      const data = listInTurns(outcomes, (outcome, index) =>
        'code' in outcome
          ? dryRun
            ? { index, status: 'valid' as const }
            : {
                index,
                status: 'created' as const,
                qr_code: {
                  ...present(outcome.code, caller),
                  ...presentWarnings(outcome.code, places, links.names.toUrl(outcome.code)),
                },
              }
          : {
              index,
              status: 'failed' as const,
              error: presentError(outcome.error, requestId, links.publicUrl).error,
            },
      );
      const made = outcomes.flatMap(outcome => ('code' in outcome ? [outcome.code.id] : []));
      noteEvent({ subjects: made.map(id => formatId('qr', id)) });
      const created = made.length;
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
        const rules = items.flatMap(item => (item instanceof AppError ? [] : (item.routing?.rules ?? [])));
        const places = await readPlacesForSave(placeNames, rules);
        if (body.dry_run) return { items, places, reservation: nothingReserved() };
        const valid = items.filter(item => !(item instanceof AppError)).length;
        const wanted = body.atomic && valid < items.length ? 0 : valid;
        return { items, places, reservation: await reserve(db, caller, wanted, 'items') };
      },
      finish,
    },
  );

  routes.add(operations.getQrCode, async ({ db, caller, params, raw }) =>
    present(withEtag({ raw }, await qrcodes.find(db, caller, params.id)), caller),
  );

  routes.add(
    operations.updateQrCode,
    async ({ db, caller, params, body, raw, toEvent }, places: PlaceNames | null) => {
      const {
        name,
        destination_url: destinationUrl,
        active,
        archived,
        tags,
        note,
        external_id: externalId,
        metadata,
      } = body;
      const routing = toRulesChange(body);
      const wanted = { name, destinationUrl, active, archived, tags, note, externalId, metadata, routing };
      const required = parsePrecondition(raw.request.headers);
      const id = await qrcodes.resolve(db, caller, params.id);
      // The status was read together with active. Without a change of both, a draft stays one.
      const adapt = (code: QrCode) => {
        refuseFixed(body, () => present(code, caller));
        const isAsRead = body.status !== undefined && active === (code.status === 'active');
        return isAsRead ? { active: undefined } : {};
      };
      const code = await qrcodes.update(db, caller, id, wanted, {
        required,
        adapt,
        toEvent: changed => toEvent({ subjects: [formatId('qr', changed)] }),
      });
      return {
        ...present(withEtag({ raw }, code), caller),
        ...(body.rules === undefined ? {} : presentWarnings(code, places)),
      };
    },
    {
      writesEvent: true,
      prepare: async ({ body }) =>
        await readPlacesForSave(placeNames, body.rules as readonly Partial<Rule>[]),
    },
  );

  routes.add(operations.testRules, async (_call, tested: RulesTest) => tested, {
    async prepare({ db, caller, params, body }) {
      const code = await qrcodes.find(db, caller, params.id);
      const draft = body.rules && { rules: toRules(body.rules) };
      if (draft) await qrcodes.validateRules(db, draft);
      const placements = await qrcodes.placementKeys(db, code.id);
      const places = await readPlaces(placeNames, draft?.rules ?? code.routing.rules);
      const now = clock.now();
      return testRules({ code, owner: caller, placements, draft: draft?.rules, places, now }, body);
    },
  });

  routes.add(operations.deleteQrCode, async ({ db, caller, params, raw }) => {
    const required = parsePrecondition(raw.request.headers);
    const id = await qrcodes.delete(db, caller, await qrcodes.resolve(db, caller, params.id), required);
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
type Single = {
  readonly wanted: NewQrCode;
  readonly places: PlaceNames | null;
  readonly reservation: CreationReservation;
};

/** The validated items of a bulk call, with what the valid ones have reserved. */
type Bulk = {
  readonly items: readonly (NewQrCode | AppError)[];
  readonly places: PlaceNames | null;
  readonly reservation: CreationReservation;
};

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
    domain: body.domain,
    reclaim: body.reclaim,
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

/** Refuses another value for what an update cannot change. */
function refuseFixed(body: UpdateQrCode, read: () => WireQrCode): void {
  const sent = Object.keys(fixedFields).filter(name => body[name as keyof typeof body] !== undefined);
  if (sent.length === 0) return;
  const code: Readonly<Record<string, unknown>> = read();
  checkAll(
    sent.map(name => () => {
      if (isDeepStrictEqual(body[name as keyof typeof body], code[name])) return;
      const message = fixedFields[name as keyof typeof fixedFields];
      throw new AppError('invalid_request', message, { param: name });
    }),
  );
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
