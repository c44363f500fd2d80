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
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { shortUrlOf } from '../kernel/link-key.ts';
import { presentPage } from '../kernel/page.ts';
import { heavyWork } from '../kernel/turns.ts';
import type { CreationLimiter } from '../limits/creation-limiter.ts';
import type { Database } from '../platform/postgres.ts';
import { type Availability, availabilityOf } from './availability.ts';
import { type Places, takePlaces } from './creations.ts';
import type { NewQrCode, QrCode } from './qr-code.ts';
import type { QrCodes } from './service.ts';

export type Links = {
  readonly shortBaseUrl: string;
  readonly imageBaseUrl: string;
  readonly publicUrl: string;
};

/** The endpoints of QR codes, each a sentence. Wire names are mapped here and nowhere else. */
export function addQrCodeRoutes(
  routes: Routes,
  qrcodes: QrCodes,
  links: Links,
  creations: CreationLimiter,
): void {
  const present = (code: QrCode, caller: Caller) => presentCode(code, caller, links);
  const take = (db: Database, caller: Caller, count: number, param?: string) =>
    takePlaces(creations, {
      caller,
      count,
      ...(param === undefined ? {} : { param }),
      lacksRoom: () => qrcodes.lacksRoom(db, caller, count),
    });
  const finish = ({ places }: { readonly places: Places }) => places.settle();

  routes.add(
    operations.createQrCode,
    async ({ db, caller }, { wanted, places }: Single) => {
      const code = await qrcodes.create(db, caller, wanted);
      places.made = 1;
      return present(code, caller);
    },
    {
      async prepare({ db, caller, body }): Promise<Single> {
        const wanted = qrcodes.checked(toNewQrCode(body));
        if (wanted instanceof AppError) throw wanted;
        return { wanted, places: await take(db, caller, 1) };
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
    async ({ db, caller, body, requestId }, { items, places }: Bulk) => {
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
      places.made = created;
      return { created, failed: outcomes.length - created, data };
    },
    {
      body: BulkEnvelope,
      async prepare({ db, caller, body }): Promise<Bulk> {
        const items = await parseItems(body.items, qrcodes.checked);
        const good = items.filter(item => !(item instanceof AppError)).length;
        const wanted = body.atomic && good < items.length ? 0 : good;
        return { items, places: await take(db, caller, wanted, 'items') };
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

/** A code that was looked at, with its place in the minute. */
type Single = { readonly wanted: NewQrCode; readonly places: Places };

/** A bulk whose items were looked at, with the places that the good ones need. */
type Bulk = { readonly items: readonly (NewQrCode | AppError)[]; readonly places: Places };

/** The bulk body without the form of its items: those are checked one by one, so that a bad one fails alone. */
const BulkEnvelope = Type.Object(
  {
    ...operations.bulkCreateQrCodes.body.properties,
    items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: bulkItems }),
  },
  { additionalProperties: false },
);

const itemsATurn = 25;

/** Some at a time: five hundred of the largest would hold everybody else up. */
async function parseItems(
  items: readonly unknown[],
  check: (item: NewQrCode) => NewQrCode | AppError,
): Promise<(NewQrCode | AppError)[]> {
  const parse = (item: unknown) => {
    const parsed = parseItem(item);
    return parsed instanceof AppError ? parsed : check(parsed);
  };
  if (items.length <= itemsATurn) return items.map(parse);
  const parsed: (NewQrCode | AppError)[] = [];
  for (let at = 0; at < items.length; at += itemsATurn) {
    const some = items.slice(at, at + itemsATurn);
    parsed.push(...(await heavyWork.run(() => some.map(parse))));
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

/** `destination` is another name for `destination_url`; two different ones are a mistake that we must not guess at. */
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
