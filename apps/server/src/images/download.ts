import type { DownloadQuery, Frame } from '@signpost/contract';
import { isNearlyBlack, type Style } from '@signpost/qr';
import { missingLetter } from '@signpost/qr/frames';
import type { StoredLogo } from '../designs/assets/asset.ts';
import type { LinkName } from '../kernel/addresses/link-key.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { parseId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Image } from './image.ts';

/** Where downloads find designs of the caller; throws where there is none. */
export type DesignSource = {
  get(
    on: Database,
    caller: Caller,
    id: Uuid | null,
  ): Promise<{ readonly style: Style; readonly frame: Frame | null }>;
};

type Parts = {
  readonly designs: DesignSource;
  readonly findLogo: (db: Database, style: Style) => Promise<StoredLogo | undefined>;
  readonly linkNames: LinkNames;
};

/** The design that a request names: `design` is an alias of `design_id`. */
export function readDesignId({
  design_id: id,
  design,
}: Pick<DownloadQuery, 'design' | 'design_id'>): string | undefined {
  if (id !== undefined && design !== undefined && id !== design)
    throw new AppError('invalid_request', 'design and design_id differ. Send only design_id.', {
      param: 'design',
    });
  return id ?? design;
}

export type Downloads = ReturnType<typeof createDownloads>;

type Code = LinkName & { readonly style: Style; readonly placements: readonly { readonly key: string }[] };

/** What owners may ask of an image: another design, a frame, and what print needs. Nothing of it is stored. */
export function createDownloads({ designs, findLogo, linkNames }: Parts) {
  /** The look of a download: that of the code, or of a design. */
  async function findLook(on: Database, caller: Caller, code: Code, design: string | undefined) {
    if (design === undefined) return { style: code.style, frame: null };
    return await designs.get(on, caller, parseId('dsn', design));
  }

  return {
    async toImage(on: Database, caller: Caller, code: Code, query: DownloadQuery): Promise<Image> {
      const { format = 'png', size = 512 } = query;
      refuseElsewhere(query);
      const { style, frame } = await findLook(on, caller, code, readDesignId(query));
      if (query.color === 'k') refuseColors(style);
      return {
        shortUrl: linkNames.toUrl(code) + toLinkSuffix(code, query.placement),
        style,
        format,
        sizePx: size,
        print: {
          widthMm: query.width_mm,
          bleedMm: query.bleed_mm,
          ink: query.color,
          dpi: query.dpi,
          isClear: query.background === 'transparent' || undefined,
          frame: readFrame(query) ?? frame ?? undefined,
        },
        logo: await findLogo(on, style),
      };
    },
  };
}

/** The end of the link of a placement; an unknown one would be printed and counted as none. */
function toLinkSuffix({ placements }: Code, wanted: string | undefined): string {
  if (wanted === undefined) return '';
  const key = wanted.toLowerCase();
  if (placements.some(placement => placement.key === key)) return `.${key}`;
  throw new AppError('invalid_request', `The code has no placement ${wanted}.`, { param: 'placement' });
}

/** Which formats each parameter is for: elsewhere it would be passed over in silence. */
const formatsOf = {
  width_mm: ['svg', 'pdf', 'eps'],
  bleed_mm: ['pdf', 'eps'],
  color: ['pdf', 'eps'],
  dpi: ['png'],
  background: ['png', 'svg'],
} as const;

function refuseElsewhere(query: DownloadQuery): void {
  const { format = 'png' } = query;
  for (const [param, formats] of Object.entries(formatsOf)) {
    if (query[param as keyof typeof formatsOf] === undefined) continue;
    if ((formats as readonly string[]).includes(format)) continue;
    throw new AppError('invalid_request', `${param} is for ${formats.join(', ')}, not for ${format}.`, {
      param,
    });
  }
}

/** Black ink alone would print another picture than the one that was approved. */
function refuseColors(style: Style): void {
  if (isNearlyBlack(style)) return;
  throw new AppError(
    'invalid_request',
    'Only codes whose dots and corners are nearly black can be printed in black ink alone. Ask for rgb.',
    { param: 'color' },
  );
}

function readFrame({ frame, frame_text: text, frame_color: color }: DownloadQuery): Frame | null {
  if (frame === undefined) {
    if (text === undefined && color === undefined) return null;
    throw new AppError('invalid_request', 'frame_text and frame_color need a frame.', { param: 'frame' });
  }
  if (text === undefined)
    throw new AppError('invalid_request', 'A frame needs frame_text.', { param: 'frame_text' });
  const missing = missingLetter(text);
  if (missing !== null)
    throw new AppError('invalid_request', `There is no letter for "${missing}" in the font of frames.`, {
      param: 'frame_text',
    });
  return { type: frame, text, ...(color === undefined ? {} : { color }) };
}
