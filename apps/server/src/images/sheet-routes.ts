import {
  type CreateSheet,
  maxSheetCodes,
  maxSheetLabels,
  operations,
  type ZipImages,
} from '@signpost/contract';
import type { Style } from '@signpost/qr';
import { missingLetter } from '@signpost/qr/frames';
import { type LabelSheet, labelSheetOf, sheetFault } from '@signpost/qr/labels';
import type { StoredLogo } from '../designs/assets/asset.ts';
import type { Routes, StreamAnswer } from '../http/routes.ts';
import type { LinkName } from '../kernel/addresses/link-key.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId, type Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import { cpuQueue } from '../kernel/running/cpu-queue.ts';
import type { Share } from '../limits/shares/share.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { readIds } from '../qrcodes/creation/addressing.ts';
import type { CodeFilter } from '../qrcodes/listing/filter.ts';
import { toFilter } from '../qrcodes/listing/query.ts';
import { warnOfUsual } from './compact-warning.ts';
import { type DesignSource, type Downloads, readDesignId } from './download.ts';
import type { Drawing, DrawnLabel, Label } from './drawing.ts';
import type { Renderer } from './renderer.ts';
import { sheetPdf } from './sheet.ts';
import { createZip } from './zip.ts';

type Code = LinkName & {
  readonly id: Uuid;
  readonly name: string;
  readonly externalId: string | null;
  readonly style: Style;
  /** Not read by lists. */
  readonly placements: readonly { readonly key: string; readonly name: string }[];
};

/** A code as it is printed on a label: in one of its placements, or without. */
type Printed = Code & { readonly placement?: { readonly key: string; readonly name: string } };

/** Where sheets find the codes of a caller. */
type CodeSource = {
  getMany(on: Database, caller: Caller, ids: readonly (Uuid | null)[]): Promise<Code[]>;
  resolveMany(on: Database, caller: Caller, ids: readonly string[]): Promise<readonly (Uuid | null)[]>;
  list(
    on: Database,
    caller: Caller,
    filter: CodeFilter,
    sort: { readonly by: 'created'; readonly direction: 'desc' },
    page: Page,
  ): Promise<Paged<Code>>;
};

type Parts = {
  readonly codes: CodeSource;
  readonly designs: DesignSource;
  readonly downloads: Downloads;
  readonly findLogo: (db: Database, style: Style) => Promise<StoredLogo | undefined>;
  readonly renderer: Renderer;
  readonly drawing: Drawing;
  readonly exports: Share;
  readonly linkNames: LinkNames;
  readonly clock: Clock;
};

/** Labels that a thread draws in one turn of the account. */
const labelsPerPart = 8;
/** CPU time that the labels of one file may take: some times what the most expensive ones need. */
const budgetMs = 300_000;
/** Captions that are checked in one turn of the event loop. */
const captionsPerTurn = 100;

/** Files with many codes: sheets of labels, and images in a ZIP. */
export function addSheetRoutes(routes: Routes, parts: Parts): void {
  const { codes, designs, downloads, findLogo, renderer, drawing, exports, linkNames, clock } = parts;

  async function findCodes(db: Database, caller: Caller, body: CreateSheet | ZipImages): Promise<Code[]> {
    const names = readIds(body);
    if (names && body.filter)
      throw new AppError('invalid_request', 'Send qr_ids or a filter, not both.', { param: 'filter' });
    if (names) return codes.getMany(db, caller, await codes.resolveMany(db, caller, names));
    const filter = toFilter(body.filter ?? {}, clock.now());
    const newestFirst = { by: 'created', direction: 'desc' } as const;
    const matching = await codes.list(db, caller, filter, newestFirst, { page: 1, limit: maxSheetCodes });
    if (matching.total > maxSheetCodes)
      throw new AppError(
        'invalid_request',
        `The filter matches ${matching.total} codes. At most ${maxSheetCodes} fit into one file; narrow it or send qr_ids.`,
        { param: 'filter' },
      );
    if (matching.items.length === 0)
      throw new AppError('invalid_request', 'The filter matches no code.', { param: 'filter' });
    return [...matching.items];
  }

  /** A label for each placement; a code without any has one label. */
  async function inPlacements(db: Database, caller: Caller, list: readonly Code[]): Promise<Printed[]> {
    const whole = await codes.getMany(
      db,
      caller,
      list.map(({ id }) => id),
    );
    return whole.flatMap<Printed>(code =>
      code.placements.length === 0 ? code : code.placements.map(placement => ({ ...code, placement })),
    );
  }

  /** Sends a file while it is made, as one of the few that an account may have at a time. */
  async function answer(
    caller: Caller,
    type: string,
    name: string,
    printed: readonly Pick<Label, 'shortUrl' | 'style'>[],
    chunks: (signal: AbortSignal) => AsyncGenerator<Uint8Array>,
  ): Promise<StreamAnswer> {
    return {
      type,
      headers: {
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store',
        ...warnOfUsual(printed),
      },
      async *content(signal) {
        const slot = await exports.take(caller.accountId, { signal });
        try {
          for await (const chunk of chunks(signal)) {
            signal.throwIfAborted();
            yield chunk;
          }
        } finally {
          slot.release();
        }
      },
    };
  }

  /** Draws labels in parts, each in a turn of the account. */
  async function* drawnLabels(
    { db, caller, sheet }: { readonly db: Database; readonly caller: Caller; readonly sheet: LabelSheet },
    labels: readonly Label[],
    signal: AbortSignal,
  ): AsyncGenerator<DrawnLabel> {
    const known = new Set<string>();
    let usedMs = 0;
    for (let at = 0; at < labels.length; at += labelsPerPart) {
      const part = labels.slice(at, at + labelsPerPart);
      const logos = await findLogos(db, part);
      const drawn = await drawing.labels(caller.accountId, { sheet, labels: part, logos, known }, signal);
      usedMs += drawn.cpuMs;
      if (usedMs > budgetMs) throw new Error(`The labels took more than ${budgetMs / 1000} s to draw.`);
      for (const label of drawn.labels) {
        for (const { key } of label.shared) known.add(key);
        yield label;
      }
    }
  }

  async function findLogos(db: Database, labels: readonly Label[]): Promise<Map<string, StoredLogo>> {
    const logos = new Map<string, StoredLogo>();
    for (const { style } of labels) {
      const id = style.logo?.asset_id;
      const logo = id === undefined || logos.has(id) ? undefined : await findLogo(db, style);
      if (id !== undefined && logo) logos.set(id, logo);
    }
    return logos;
  }

  routes.addStream(operations.createSheet, async ({ db, caller, body }) => {
    const sheet = labelSheetOf(body.layout);
    const fault = sheetFault(sheet);
    if (fault) throw new AppError('invalid_request', sheetFaults[fault], { param: 'layout' });
    const found = await findCodes(db, caller, body);
    const list = body.placements === 'all' ? await inPlacements(db, caller, found) : found;
    const designId = readDesignId(body);
    const design = designId === undefined ? null : await designs.get(db, caller, parseId('dsn', designId));
    const copies = body.copies ?? 1;
    refuseTooMany(list.length * copies, copies);
    const fallback = body.caption_fallback ?? null;
    const labels = await toCaptioned(list, code => ({
      shortUrl: toPrintedUrl(linkNames, code),
      style: design?.style ?? code.style,
      caption: writableCaption(body.caption ?? 'none', fallback, code, linkNames),
    }));
    return await answer(caller, 'application/pdf', 'labels.pdf', labels, signal =>
      sheetPdf(sheet, drawnLabels({ db, caller, sheet }, labels, signal), copies),
    );
  });

  routes.addStream(operations.zipImages, async ({ db, caller, body }) => {
    const list = await findCodes(db, caller, body);
    const { format = 'png', size = 512 } = body;
    const designId = readDesignId(body);
    const query = { format, size, ...(designId === undefined ? {} : { design_id: designId }) };
    const { accountId } = caller;
    async function* files(signal: AbortSignal) {
      for (const code of list) {
        const image = await downloads.toImage(db, caller, code, query);
        const name = `${code.shortCode}.${format}`;
        yield {
          name,
          content: await renderer.render(image, { kind: 'owner', accountId, signal, isAdmitted: true }),
          code,
          shortUrl: image.shortUrl,
        };
      }
    }
    // Before the first byte: a design that is not there is refused as usual.
    const first = await downloads.toImage(db, caller, list[0]!, query);
    const printed = list.map(code => ({
      shortUrl: linkNames.toUrl(code),
      style: designId === undefined ? code.style : first.style,
    }));
    return await answer(caller, 'application/zip', 'images.zip', printed, signal => createZip(files(signal)));
  });
}

const toPrintedUrl = (linkNames: LinkNames, code: Printed) =>
  linkNames.toUrl(code) + (code.placement ? `.${code.placement.key}` : '');

const sheetFaults = {
  small: 'A label must be at least 10 mm wide and high.',
  overlap: 'The labels overlap.',
  outside: 'The labels do not fit onto the page.',
} as const;

function captionFor(
  kind: NonNullable<CreateSheet['caption']>,
  code: Printed,
  linkNames: LinkNames,
): string | null {
  switch (kind) {
    case 'none':
      return null;
    case 'name':
      return code.placement?.name ?? code.name;
    case 'short_url':
      return toPrintedUrl(linkNames, code).replace(/^https?:\/\//, '');
    case 'external_id':
      return code.externalId;
    default:
      throw new TypeError(`No such caption: ${kind satisfies never}`);
  }
}

function refuseTooMany(labels: number, copies: number): void {
  if (labels <= maxSheetLabels) return;
  throw new AppError(
    'invalid_request',
    `These are ${labels} labels. At most ${maxSheetLabels} fit into one file; send fewer ${copies > 1 ? 'codes or copies' : 'codes'}.`,
    { param: copies > 1 ? 'copies' : 'placements' },
  );
}

/** What can be written of a code; a caption that cannot is replaced by the fallback, or refused. */
function writableCaption(
  kind: NonNullable<CreateSheet['caption']>,
  fallback: 'short_url' | null,
  code: Printed,
  linkNames: LinkNames,
): string | null {
  const caption = captionFor(kind, code, linkNames);
  const missing = caption === null ? null : missingLetter(caption);
  if (missing === null) return caption;
  if (fallback !== null && kind !== fallback) return writableCaption(fallback, null, code, linkNames);
  throw new AppError(
    'invalid_request',
    `The caption of ${formatId('qr', code.id)}, "${caption}", has a letter that cannot be printed: "${missing}". Captions can have Latin, Greek and Cyrillic letters. Rename the code, or send caption_fallback: short_url to print its short link instead.`,
    { param: 'caption' },
  );
}

/** Looking for letters takes its time: in turns of the event loop. */
async function toCaptioned(
  list: readonly Printed[],
  toLabel: (code: Printed) => Label,
): Promise<readonly Label[]> {
  const labels: Label[] = [];
  for (let at = 0; at < list.length; at += captionsPerTurn)
    labels.push(...(await cpuQueue.run(() => list.slice(at, at + captionsPerTurn).map(toLabel))));
  return labels;
}
