import { largestSizePx, sheetLayouts, sheetPages, smallestSizePx } from '@signpost/qr';
import Type from 'typebox';
import { designId, imageFormats } from './images.ts';
import { codeFilters } from './organise.ts';
import { codeIds } from './qrcodes.ts';
import { captions, maxCopies, maxSheetCodes, maxSheetLabels, statuses } from './values.ts';
import { words } from './words.ts';

const listed = () => ({
  qr_ids: Type.Optional(
    codeIds(maxSheetCodes, 'Ids of the codes, or `ext:` and their external ids, in this order. Up to 500.'),
  ),
  ids: Type.Optional(codeIds(maxSheetCodes, 'Alias of qr_ids.')),
});
const filter = () =>
  Type.Optional(
    Type.Object(
      { status: Type.Optional(words(statuses, 'Only codes with this status.')), ...codeFilters },
      {
        title: 'CodeFilter',
        additionalProperties: false,
        description:
          'All codes that match, newest first, instead of `qr_ids`: the filters of the list of codes. At most 500 may match.',
      },
    ),
  );
const which = [{ required: ['qr_ids'] }, { required: ['ids'] }, { required: ['filter'] }];

const mm = (maximum: number, description: string) => Type.Number({ minimum: 0, maximum, description });
const size = (description: string) =>
  Type.Object(
    {
      x: mm(1000, 'Horizontal, in millimeters.'),
      y: mm(1000, 'Vertical, in millimeters.'),
    },
    { additionalProperties: false, description },
  );

const Layout = Type.Object(
  {
    page: words(sheetPages, 'Size of the page.'),
    rows: Type.Integer({ minimum: 1, maximum: 50, description: 'Rows of labels.' }),
    columns: Type.Integer({ minimum: 1, maximum: 50, description: 'Columns of labels.' }),
    margin_mm: size('From the top left corner of the page to the first label.'),
    pitch_mm: size('From the start of one label to the start of the next.'),
    label_mm: size('Width and height of a label.'),
  },
  { title: 'SheetLayout', additionalProperties: false },
);

const design = () => ({
  design_id: Type.Optional(designId('Id of a design in which all codes are drawn, for this file only.')),
  design: Type.Optional(designId('Alias of design_id.')),
});

export const CreateSheet = Type.Object(
  {
    ...listed(),
    filter: filter(),
    layout: Type.Union([words(sheetLayouts), Layout], {
      description: 'A sheet of labels by its name (Avery L7160 on A4, Avery 5160 on Letter), or your own.',
    }),
    caption: Type.Optional(
      words(
        captions,
        'Text beside or below each code, in Latin, Greek or Cyrillic letters. A code without an external id has no text then. Defaults to none.',
      ),
    ),
    caption_fallback: Type.Optional(
      words(
        ['short_url'],
        'The text of codes whose caption has another letter. Left out: the sheet is refused, and the message names the code.',
      ),
    ),
    copies: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxCopies,
        description: `Labels of each code. Defaults to 1. A sheet has at most ${maxSheetLabels} labels.`,
      }),
    ),
    placements: Type.Optional(
      words(
        ['none', 'all'],
        'With `all`, a label for each placement of a code instead of one. Defaults to none.',
      ),
    ),
    ...design(),
  },
  { title: 'CreateSheet', additionalProperties: false, anyOf: which },
);

export const ZipImages = Type.Object(
  {
    ...listed(),
    filter: filter(),
    format: Type.Optional(words(imageFormats, 'Format of the images. Defaults to png.')),
    size: Type.Optional(
      Type.Integer({
        minimum: smallestSizePx,
        maximum: largestSizePx,
        default: 512,
        description: 'Width and height in pixels.',
      }),
    ),
    ...design(),
  },
  { title: 'ZipImages', additionalProperties: false, anyOf: which },
);

export type CreateSheet = Type.Static<typeof CreateSheet>;
export type ZipImages = Type.Static<typeof ZipImages>;
