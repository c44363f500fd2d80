import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Reply } from './api.ts';
import { zxing } from './decoders.ts';
import { onWhite, type Raster, rasterOfPng, rasterOfPpm, rasterOfSvg } from './raster.ts';

type File = { readonly type: string; readonly bytes: Uint8Array };

/** Everything that people and scanners read in an answer: headers, texts, captions, the files of archives, and codes in images. */
export async function reveal({ headers, bytes }: Pick<Reply, 'headers' | 'bytes'>): Promise<string> {
  const { texts, links } = await readFile({ type: String(headers['content-type'] ?? ''), bytes });
  return [JSON.stringify(headers), ...texts, ...links].join('\n');
}

/** The links that scanners read in an answer. */
export const scanLinks = async ({ headers, bytes }: Pick<Reply, 'headers' | 'bytes'>): Promise<string[]> =>
  (await readFile({ type: String(headers['content-type']), bytes })).links;

type Found = { readonly texts: string[]; readonly links: string[] };

async function readFile({ type, bytes }: File): Promise<Found> {
  const text = Buffer.from(bytes).toString('utf8');
  if (type.includes('zip')) return readZip(bytes);
  if (type.includes('png')) return { texts: [], links: await scan(rasterOfPng(bytes)) };
  if (type.includes('svg')) return { texts: [text], links: await scan(rasterOfSvg(text, 600)) };
  if (type.includes('pdf')) return readPdf(bytes);
  return { texts: [text], links: [] };
}

async function readZip(bytes: Uint8Array): Promise<Found> {
  const found: Found = { texts: [], links: [] };
  for (const [name, file] of Object.entries(unzipSync(bytes))) {
    const { texts, links } = await readFile({ type: name, bytes: file });
    found.texts.push(name, ...texts);
    found.links.push(...links);
  }
  return found;
}

async function readPdf(bytes: Uint8Array): Promise<Found> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-pdf-'));
  try {
    const file = join(dir, 'file.pdf');
    writeFileSync(file, bytes);
    const page = execFileSync('pdftoppm', ['-r', '200', '-singlefile', file], { maxBuffer: 256e6 });
    const text = execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
    return { texts: [text], links: await scan(rasterOfPpm(page)) };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Not every picture is of a code. Who needs one to be read looks at `scanLinks`. */
async function scan(image: Raster): Promise<string[]> {
  const link = await zxing(onWhite(image));
  return link === null ? [] : [link];
}
