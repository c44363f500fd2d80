import {
  type CreateQrCode,
  CreateQrCode as CreateSchema,
  operations,
  type QrCode as WireQrCode,
} from '@signpost/contract';
import { gradeStyle } from '@signpost/qr';
import Type from 'typebox';
import { presentError } from '../http/errors.ts';
import type { Routes } from '../http/routes.ts';
import { compileValidator } from '../http/validation.ts';
import { bulkItems, type Caller, type Standing } from '../kernel/caller.ts';
import { cpuQueue } from '../kernel/cpu-queue.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { shortUrlOf } from '../kernel/link-key.ts';
import { presentPage } from '../kernel/page.ts';
import type { CreationLimiter } from '../limits/creation-limiter.ts';
import type { Database } from '../platform/postgres.ts';
import { type Availability, availabilityOf } from './availability.ts';
import { type CreationReservation, reserveCreations } from './creation-limit.ts';
import type { NewQrCode, QrCode } from './qr-code.ts';
import type { QrCodes } from './service.ts';

export type Links = {
  readonly shortBaseUrl: string;
  readonly imageBaseUrl: string;
  readonly publicUrl: string;
};

/** The endpoints of QR codes. Wire names are mapped here and nowhere else. */
export function addQrCodeRoutes(
  routes: Routes,
  qrcodes: QrCodes,
  links: Links,
  creations: CreationLimiter,
): void {
  const present = (code: QrCode, caller: Caller) => presentCode(code, caller, links);
  const reserve = (db: Database, caller: Caller, count: number, param?: string) =>
    reserveCreations(creations, {
      caller,
      count,
      ...(param === undefined ? {} : { param }),
      quotaRefusal: () => qrcodes.quotaRefusal(db, caller, count),
    });
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
        const wanted = qrcodes.validate(toNewQrCode(body));
        if (wanted instanceof AppError) throw wanted;
        return { wanted, reservation: await reserve(db, caller, 1) };
      },
      finish,
    },
  );

  routes.add(operations.listQrCodes, async ({ db, caller, query }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 20 };
    const found = await qrcodes.list(db, caller, page, query.status ?? null);
    return { data: found.items.map(code => presentListItem(code, links)), pagination: presentPage(found) };
  });

  routes.add(
    operations.bulkCreateQrCodes,
    async ({ db, caller, body, requestId }, { items, reservation }: Bulk) => {
      const outcomes = await qrcodes.createMany(db, caller, items, body.atomic ?? false);
      const data = outcomes.map((outcome, index) =>
        'code' in outcome
          ? { index, status: 'created' as const, qr_code: present(outcome.code, caller) }
          : {
              index,
              status: 'failed' as const,
              error: presentError(outcome.error, requestId, links.publicUrl).error,
            },
      );
      const created = outcomes.filter(outcome => 'code' in outcome).length;
      reservation.created = created;
      return { created, failed: outcomes.length - created, data };
    },
    {
      body: BulkEnvelope,
      async prepare({ db, caller, body }): Promise<Bulk> {
        const items = await parseItems(body.items, qrcodes.validate);
        const valid = items.filter(item => !(item instanceof AppError)).length;
        const wanted = body.atomic && valid < items.length ? 0 : valid;
        return { items, reservation: await reserve(db, caller, wanted, 'items') };
      },
      finish,
    },
  );

  routes.add(operations.getQrCode, async ({ db, caller, params }) =>
    present(await qrcodes.get(db, caller, parseId('qr', params.id)), caller),
  );

  routes.add(operations.updateQrCode, async ({ db, caller, params, body }) => {
    const { name, destination_url: destinationUrl, active } = body;
    const wanted = { name, destinationUrl, active };
    return present(await qrcodes.update(db, caller, parseId('qr', params.id), wanted), caller);
  });

  routes.add(operations.deleteQrCode, async ({ db, caller, params }) => {
    await qrcodes.delete(db, caller, parseId('qr', params.id));
    return { deleted: true as const, id: params.id };
  });
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

const itemsPerTurn = 25;

/** In slices: five hundred of the largest at once would delay all other requests. */
async function parseItems(
  items: readonly unknown[],
  check: (item: NewQrCode) => NewQrCode | AppError,
): Promise<(NewQrCode | AppError)[]> {
  const parse = (item: unknown) => {
    const parsed = parseItem(item);
    return parsed instanceof AppError ? parsed : check(parsed);
  };
  if (items.length <= itemsPerTurn) return items.map(parse);
  const parsed: (NewQrCode | AppError)[] = [];
  for (let at = 0; at < items.length; at += itemsPerTurn) {
    const slice = items.slice(at, at + itemsPerTurn);
    parsed.push(...(await cpuQueue.run(() => slice.map(parse))));
  }
  return parsed;
}

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

/** `destination` is an alias of `destination_url`. Where both are sent and differ, we must not guess. */
function toNewQrCode(body: CreateQrCode): NewQrCode {
  const { destination, destination_url: given } = body;
  if (destination !== undefined && given !== undefined && destination !== given) {
    throw new AppError(
      'invalid_request',
      'destination and destination_url differ. Send only destination_url.',
      {
        param: 'destination',
      },
    );
  }
  return {
    name: body.name,
    destinationUrl: given ?? destination!,
    shortCode: body.short_code,
    status: body.status ?? 'active',
    style: body.style ?? {},
  };
}

function presentCode(code: QrCode, owner: Standing, links: Links): WireQrCode {
  const id = formatId('qr', code.id);
  const { level, reasons } = gradeStyle(code.style);
  return {
    id,
    name: code.name,
    destination_url: code.destinationUrl,
    short_code: code.shortCode,
    short_url: shortUrlOf(links.shortBaseUrl, code),
    image_url: `${links.imageBaseUrl}/${id}/public`,
    status: code.status,
    active: code.status === 'active',
    total_scans: code.totalScans,
    unique_scans: code.uniqueScans,
    created_at: code.createdAt.toISOString(),
    updated_at: code.updatedAt.toISOString(),
    style: code.style,
    scannability: { level, reasons: [...reasons] },
    availability: presentAvailability(availabilityOf(code, owner)),
  };
}

export const presentAvailability = ({ state, since, reason }: Availability): WireQrCode['availability'] => ({
  state,
  since: since?.toISOString() ?? null,
  reason,
});

export function presentListItem(code: QrCode, links: Links) {
  return {
    id: formatId('qr', code.id),
    name: code.name,
    destination_url: code.destinationUrl,
    short_url: shortUrlOf(links.shortBaseUrl, code),
    status: code.status,
    total_scans: code.totalScans,
    created_at: code.createdAt.toISOString(),
  };
}
