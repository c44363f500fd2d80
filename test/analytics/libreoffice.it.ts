import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ScanRecord } from '@signpost/contract';
import { csvCell } from '@signpost/contract/csv-cell.ts';
import { parseStrictCsv } from '@signpost/testing/strict-csv.ts';
import { expect, onTestFinished, test } from 'vitest';
import { scanFile } from '../../apps/server/src/analytics/scan-file.ts';

const program = '/usr/bin/soffice';
const period = { start: '2026-11-01T00:00:00Z', end: '2026-11-30T23:59:59Z' };

/** Regions and cities that would shift columns, break lines or begin a formula. */
const names = [
  'Munich',
  'Île-de-France, "Paris"',
  'two\nlines\r\nthree',
  '=1+1',
  '+HYPERLINK("https://example.com")',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '＝1+1',
  "L'Aquila; Abruzzo",
  ';=1+1',
  '北京市',
  '',
];

const scans: ScanRecord[] = names.map((name, n) => ({
  id: `scan_${n}`,
  timestamp: `2026-11-15T10:00:${10 + n}.000Z`,
  country: 'DE',
  region: name,
  city: names[(n + 1) % names.length]!,
  device: 'ios',
  browser: 'safari',
  is_unique: n % 2 === 0,
  language: 'de',
  target_id: '',
  rule_id: '',
  placement: 'till',
}));

// Debian: apt-get install libreoffice-calc-nogui. Too large to download for every run.
test('LibreOffice opens an export with its columns right and no formula', async ({ skip }) => {
  skip(!existsSync(program), 'LibreOffice is not installed');
  const dir = await mkdtemp(join(tmpdir(), 'signpost-office-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = scanFile('csv', { qr_id: 'qr_1', period });
  await writeFile(join(dir, 'scans.csv'), file.head() + file.chunk(scans, 0) + file.tail(scans.length));
  await promisify(execFile)(program, [
    `-env:UserInstallation=file://${dir}/profile`,
    '--headless',
    // Commas, double quotes, UTF-8, from the first line on: what its dialog offers.
    '--infilter=CSV:44,34,76,1',
    '--convert-to',
    'fods',
    '--outdir',
    dir,
    join(dir, 'scans.csv'),
  ]);
  const sheet = await readFile(join(dir, 'scans.fods'), 'utf8');
  expect(sheet).not.toContain('table:formula');
  const rows = cellsOf(sheet).filter(row => row.some(cell => cell !== ''));
  expect(rows[0]).toEqual([
    'id',
    'timestamp',
    'country',
    'region',
    'city',
    'device',
    'browser',
    'is_unique',
    'language',
  ]);
  expect(rows.slice(1).map(row => row.length)).toEqual(scans.map(() => 8));
  expect(
    rows.slice(1).map(([id, , country, region, city, device]) => [id, country, region, city, device]),
  ).toEqual(
    scans.map(({ id, country, region, city, device }) => [id, country, shown(region), shown(city), device]),
  );
});

/** A spreadsheet shows one kind of line break; the apostrophe of a cell that must stay text is the file's own. */
function shown(text: string): string {
  const [[cell = ''] = []] = parseStrictCsv(`${csvCell(text)}\r\n`);
  return cell.replaceAll('\r\n', '\n');
}

/** The text of every cell of the first table of a flat OpenDocument. */
function cellsOf(sheet: string): string[][] {
  const table = /<table:table [\s\S]*?<\/table:table>/.exec(sheet)![0];
  return [...table.matchAll(/<table:table-row[^>]*>([\s\S]*?)<\/table:table-row>/g)].map(([, row]) =>
    [...row!.matchAll(/<table:table-cell([^>]*?)(?:\/>|>([\s\S]*?)<\/table:table-cell>)/g)].flatMap(
      ([, attributes, inner]) => {
        const times = Number(/number-columns-repeated="(\d+)"/.exec(attributes!)?.[1] ?? 1);
        return times > 8 ? [] : Array<string>(times).fill(textOf(inner ?? ''));
      },
    ),
  );
}

const textOf = (inner: string) =>
  [...inner.matchAll(/<text:p>([\s\S]*?)<\/text:p>|<text:p\/>/g)]
    .map(([, text]) => text ?? '')
    .join('\n')
    .replaceAll('<text:tab/>', '\t')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
