import createClient from 'openapi-fetch';
import type { components, paths } from '../.generated/openapi-typescript.ts';

type Schemas = components['schemas'];

/** What a program does first, by the client that openapi-typescript and openapi-fetch make. */
export async function run(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const made = await client.POST('/v1/qrcodes', {
    body: { name: 'Menu', destination_url: 'https://example.com/menu', style: { dotsType: 'rounded' } },
  });
  if (!made.data) throw new Error(made.error.error.message);
  const read = await client.GET('/v1/qrcodes/{id}', { params: { path: { id: made.data.id } } });
  const listed = await client.GET('/v1/qrcodes', { params: { query: { limit: 1, status: 'active' } } });
  const bulk = await client.POST('/v1/qrcodes/bulk', {
    body: {
      items: [
        { name: 'Good', destination_url: 'https://example.com' },
        { name: 'Bad', destination_url: 'ftp://example.com' },
      ],
    },
  });
  const none = await client.GET('/v1/qrcodes/{id}', { params: { path: { id: 'qr_none' } } });
  return {
    made: made.data,
    read: read.data,
    listed: listed.data?.data.map(code => code.id),
    bulk: bulk.data?.data.map(outcome),
    status: none.response.status,
    code: none.error?.error.code,
  };
}

/** `status` tells them apart. */
const outcome = (item: Schemas['BulkItem']): string => {
  if (item.status === 'created') return item.qr_code.name;
  return item.status === 'failed' ? item.error.code : item.status;
};

/** A value that a later version adds is text like any other. */
export const later: Pick<Schemas['QrCode'], 'status'> = { status: 'archived' };

// @ts-expect-error: the values of a request are closed
export const wrong: Pick<Schemas['CreateQrCode'], 'status'> = { status: 'archived' };

/** An event is known by its kind. */
export const scanOf = (event: Schemas['ScanCreatedEvent'] | Schemas['QrCodeReleasedEvent']) =>
  event.event === 'scan.created' ? event.data.scan_id : event.data.released_at;
