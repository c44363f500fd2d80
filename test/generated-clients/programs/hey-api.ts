import { type Client, createClient } from '../.generated/hey-api/client/index.ts';
import { bulkCreateQrCodes, createQrCode, getQrCode, listQrCodes } from '../.generated/hey-api/sdk.gen.ts';
import type {
  BulkItem,
  CreateQrCode,
  QrCode,
  QrCodeReleasedEvent,
  ScanCreatedEvent,
} from '../.generated/hey-api/types.gen.ts';

/** What a program does first, by the client that @hey-api/openapi-ts makes. */
export async function run(baseUrl: string, key: string) {
  const client: Client = createClient({ baseUrl, auth: () => key });
  const made = await createQrCode({
    client,
    body: { name: 'Menu', destination_url: 'https://example.com/menu', style: { dotsType: 'rounded' } },
  });
  if (!made.data) throw new Error(made.error.error.message);
  const read = await getQrCode({ client, path: { id: made.data.id } });
  const listed = await listQrCodes({ client, query: { limit: 1, status: 'active' } });
  const bulk = await bulkCreateQrCodes({
    client,
    body: {
      items: [
        { name: 'Good', destination_url: 'https://example.com' },
        { name: 'Bad', destination_url: 'ftp://example.com' },
      ],
    },
  });
  const none = await getQrCode({ client, path: { id: 'qr_none' } });
  return {
    made: made.data,
    read: read.data,
    listed: listed.data?.data.map(code => code.id),
    bulk: bulk.data?.data.map(outcome),
    status: none.response?.status,
    code: none.error?.error.code,
  };
}

/** `status` tells them apart. */
const outcome = (item: BulkItem): string => {
  if (item.status === 'created') return item.qr_code.name;
  return item.status === 'failed' ? item.error.code : item.status;
};

/** A value that a later version adds is text like any other. */
export const later: Pick<QrCode, 'status'> = { status: 'archived' };

// @ts-expect-error: the values of a request are closed
export const wrong: Pick<CreateQrCode, 'status'> = { status: 'archived' };

/** An event is known by its kind. */
export const scanOf = (event: ScanCreatedEvent | QrCodeReleasedEvent) =>
  event.event === 'scan.created' ? event.data.scan_id : event.data.released_at;
