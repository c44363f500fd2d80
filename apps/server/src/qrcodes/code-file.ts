import { csvCell } from '@signpost/contract/csv-cell.ts';
import { formatId } from '../kernel/ids.ts';
import { type Links, presentListItem } from './present.ts';
import type { QrCode } from './qr-code.ts';

/** A list of codes as a CSV file that spreadsheets open and the import of the dashboard reads again. */
export const codeFile = {
  type: 'text/csv; charset=utf-8',

  /** With a byte order mark: without it Excel reads UTF-8 in the local code page. */
  head: () => `\uFEFF${columns.join(',')}\r\n`,

  chunk: (codes: readonly QrCode[], links: Links) =>
    codes.map(code => `${toCells(code, links).map(csvCell).join(',')}\r\n`).join(''),
};

const columns = [
  'id',
  'name',
  'destination_url',
  'short_url',
  'status',
  'archived',
  'tags',
  'external_id',
  'note',
  'total_scans',
  'unique_scans',
  'created_at',
  'updated_at',
  'metadata',
  'domain',
];

function toCells(code: QrCode, links: Links): readonly string[] {
  const { short_url: shortUrl } = presentListItem(code, links);
  const hasMetadata = Object.keys(code.metadata).length > 0;
  return [
    formatId('qr', code.id),
    code.name,
    code.destinationUrl,
    shortUrl,
    code.status,
    String(code.archived),
    code.tags.join(' | '),
    code.externalId ?? '',
    code.note ?? '',
    String(code.totalScans),
    String(code.uniqueScans),
    code.createdAt.toISOString(),
    code.updatedAt.toISOString(),
    hasMetadata ? JSON.stringify(code.metadata) : '',
    code.domain ?? '',
  ];
}
