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
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import { heavyWork } from '../kernel/turns.ts';
import type { NewQrCode, QrCode } from './qr-code.ts';
import type { QrCodes } from './service.ts';

export type Links = {
  readonly shortBaseUrl: string;
  readonly imageBaseUrl: string;
  readonly publicUrl: string;
};

/** The endpoints of QR codes, each a sentence. Wire names are mapped here and nowhere else. */
export function addQrCodeRoutes(routes: Routes, qrcodes: QrCodes, links: Links): void {
  const present = (code: QrCode) => presentCode(code, links);

  routes.add(operations.createQrCode, async ({ db, caller, body }) =>
    present(await qrcodes.create(db, caller, toNewQrCode(body))),
  );

  routes.add(operations.listQrCodes, async ({ db, caller, query }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 20 };
    const found = await qrcodes.list(db, caller, page, query.status ?? null);
    return { data: found.items.map(code => presentListItem(code, links)), pagination: presentPage(found) };
  });

  routes.add(
    operations.bulkCreateQrCodes,
    async ({ db, caller, body, requestId }, items: readonly (NewQrCode | AppError)[]) => {
      const outcomes = await qrcodes.createMany(db, caller, items, body.atomic ?? false);
      const data = outcomes.map((outcome, index) =>
        'code' in outcome
          ? { index, status: 'created' as const, qr_code: present(outcome.code) }
          : {
              index,
              status: 'failed' as const,
              error: presentError(outcome.error, requestId, links.publicUrl).error,
            },
      );
      const created = outcomes.filter(outcome => 'code' in outcome).length;
      return { created, failed: outcomes.length - created, data };
    },
    { body: BulkEnvelope, prepare: ({ body }) => parseItems(body.items, qrcodes.checked) },
  );

  routes.add(operations.getQrCode, async ({ db, caller, params }) =>
    present(await qrcodes.get(db, caller, parseId('qr', params.id))),
  );

  routes.add(operations.updateQrCode, async ({ db, caller, params, body }) => {
    const { name, destination_url: destinationUrl, active } = body;
    const wanted = { name, destinationUrl, active };
    return present(await qrcodes.update(db, caller, parseId('qr', params.id), wanted));
  });

  routes.add(operations.deleteQrCode, async ({ db, caller, params }) => {
    await qrcodes.delete(db, caller, parseId('qr', params.id));
    return { deleted: true as const, id: params.id };
  });
}

/** The bulk body without the form of its items: those are checked one by one, so that a bad one fails alone. */
const BulkEnvelope = Type.Object(
  {
    ...operations.bulkCreateQrCodes.body.properties,
    items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 500 }),
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

const validateItem = compileValidator(CreateSchema);

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

function presentCode(code: QrCode, links: Links): WireQrCode {
  const id = formatId('qr', code.id);
  const { level, reasons } = gradeStyle(code.style);
  return {
    id,
    name: code.name,
    destination_url: code.destinationUrl,
    short_code: code.shortCode,
    short_url: `${links.shortBaseUrl}/${code.shortCode}`,
    image_url: `${links.imageBaseUrl}/${id}/public`,
    status: code.status,
    active: code.status === 'active',
    total_scans: code.totalScans,
    unique_scans: code.uniqueScans,
    created_at: code.createdAt.toISOString(),
    updated_at: code.updatedAt.toISOString(),
    style: code.style,
    scannability: { level, reasons: [...reasons] },
  };
}

export function presentListItem(code: QrCode, links: Links) {
  return {
    id: formatId('qr', code.id),
    name: code.name,
    destination_url: code.destinationUrl,
    short_url: `${links.shortBaseUrl}/${code.shortCode}`,
    status: code.status,
    total_scans: code.totalScans,
    created_at: code.createdAt.toISOString(),
  };
}
