import type { BulkResult, CreateQrCode } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import { ApiError } from '../../api/api-error.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { importText } from '../../strings/import.ts';
import type { ImportRow, Refused } from './import-row.ts';

/** Rows that are sent in one call. The key makes a repetition harmless, so it stays with its rows. */
export type Batch = { readonly key: string; readonly rows: readonly ImportRow[] };

/** A code that was made, as far as the end of an import needs it. */
export type Created = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly destination: string;
  readonly ending: string;
  /** Empty: the host of the service. */
  readonly domain: string;
  readonly shortUrl: string;
  readonly imageUrl: string;
};

export const batchRows = 500;
/** The server takes 5 MB in one call. */
const batchChars = 1_500_000;

/** Divides the rows into calls that the server takes. */
export function batchesOf(
  rows: readonly ImportRow[],
  most: number,
  newKey: () => string = randomKey,
): Batch[] {
  const batches: Batch[] = [];
  let [current, chars]: [ImportRow[], number] = [[], 0];
  for (const row of rows) {
    const more = row.more ? JSON.stringify(row.more).length : 0;
    const length = row.name.length + row.destination.length + row.ending.length + more;
    if (current.length > 0 && (current.length >= most || chars + length > batchChars)) {
      batches.push({ key: newKey(), rows: current });
      [current, chars] = [[], 0];
    }
    current.push(row);
    chars += length;
  }
  return current.length > 0 ? [...batches, { key: newKey(), rows: current }] : batches;
}

/** `randomUUID` is missing on plain http. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/** The same rows and design give the same body, which the key asks for. */
export const bodyOf = ({ rows }: Batch, style: Style): { readonly items: CreateQrCode[] } => ({
  items: rows.map(({ name, destination, ending, reclaimable, more }) => ({
    name,
    destination_url: destination,
    style,
    ...(ending === '' ? {} : { short_code: ending }),
    ...(ending !== '' && ending === reclaimable ? { reclaim: true } : {}),
    ...(more?.tags ? { tags: [...more.tags] } : {}),
    ...(more?.externalId ? { external_id: more.externalId } : {}),
    ...(more?.note ? { note: more.note } : {}),
    ...(more?.domain ? { domain: more.domain } : {}),
    ...(more?.metadata ? { metadata: more.metadata } : {}),
  })),
});

/** What became of the rows of a batch: codes, or rows with the reason in their cell. */
export function outcomeOf(
  { rows }: Batch,
  { data }: BulkResult,
): { readonly created: readonly Created[]; readonly refused: readonly ImportRow[] } {
  const created: Created[] = [];
  const refused: ImportRow[] = [];
  rows.forEach((row, index) => {
    const item = data[index];
    if (item?.status === 'created') {
      const { qr_code: code } = item;
      created.push({
        number: row.number,
        id: code.id,
        name: code.name,
        destination: code.destination_url,
        ending: code.short_code,
        domain: code.domain ?? '',
        shortUrl: code.short_url,
        imageUrl: code.image_url,
      });
    } else if (item?.status === 'failed' && item.error.reclaimable)
      refused.push({
        ...row,
        reclaimable: row.ending,
        refused: { ending: importText.faults.reclaimableEnding },
      });
    else if (item?.status !== 'valid') refused.push({ ...row, refused: refusedBy(item?.error) });
  });
  return { created, refused };
}

type ItemError = Extract<BulkResult['data'][number], { status: 'failed' }>['error'];

const own: Readonly<Record<string, Refused>> = {
  short_code_taken: { ending: importText.faults.takenEnding },
  external_id_taken: { row: importText.faults.takenExternalId },
  reserved_short_code: { ending: importText.faults.reservedEnding },
};

function refusedBy(error: ItemError | undefined): Refused {
  if (!error) return { row: importText.run.refused };
  const items = error.errors ?? [error];
  const reasons = items.map(item => {
    const known = item.code === undefined ? undefined : own[item.code];
    return known ?? byField(item.message, item.param);
  });
  return Object.assign({}, ...reasons) as Refused;
}

function byField(message: string, param: string | undefined): Refused {
  const found = fieldErrors(new ApiError(400, '', message, param === undefined ? {} : { param }), [
    'name',
    'destination_url',
    'short_code',
  ]);
  if (found.name) return { name: found.name };
  if (found.destination_url) return { destination: found.destination_url };
  return found.short_code ? { ending: found.short_code } : { row: message };
}

/** What to do after a call that failed. */
export type AfterFailure = 'wait' | 'ask_again' | 'give_up';

/**
 * Without an answer, or with a fault of the server, the codes may exist: only the same call with the same key tells. A refusal
 * is kept by the server under the key, so the rows need a new one.
 */
export function afterFailure(error: unknown): AfterFailure {
  if (!(error instanceof ApiError)) return 'ask_again';
  if (error.code === 'idempotency_in_progress') return 'wait';
  if (error.status === 429) return 'wait';
  // The session has ended: after the sign-in the same call goes on.
  return error.status === 0 || error.status >= 500 || error.status === 401 ? 'ask_again' : 'give_up';
}
