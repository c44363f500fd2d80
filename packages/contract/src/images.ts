import { colorPattern, largestSizePx, smallestSizePx } from '@signpost/qr';
import Type from 'typebox';
import { words } from './words.ts';

export const imageFormats = ['png', 'svg'] as const;
export const downloadFormats = ['png', 'svg', 'pdf', 'eps'] as const;
export const inkModes = ['rgb', 'k'] as const;
export const frameTypes = ['label-below', 'label-above', 'bubble', 'card'] as const;

const size = () =>
  Type.Optional(
    Type.Integer({
      minimum: smallestSizePx,
      maximum: largestSizePx,
      default: 512,
      description: 'Width and height in pixels.',
    }),
  );

export const ImageQuery = Type.Object({
  format: Type.Optional(words(imageFormats, 'Image format. Defaults to png.')),
  size: size(),
});

const frameText = () =>
  Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: '^[^\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]*$',
    'x-form': '1 to 40 characters of text on one line',
    description: 'Text of the label: Latin, Greek or Cyrillic.',
  });
const frameColor = () =>
  Type.String({
    pattern: colorPattern,
    'x-form': 'a hex colour such as #1A2B3C',
    description: 'Color of the label. Defaults to the color of the corner squares.',
  });

const frame = (title: string) =>
  Type.Object(
    { type: words(frameTypes, 'Kind of frame.'), text: frameText(), color: Type.Optional(frameColor()) },
    {
      title,
      additionalProperties: false,
      description: 'A label around the code. It never covers the quiet zone.',
    },
  );

/** A frame as designs keep it, in requests and in responses. */
export const Frame = frame('Frame');
export const DesignFrame = frame('DesignFrame');

export const designId = (description: string) =>
  Type.String({
    pattern: '^dsn_[0-9a-hjkmnp-tv-z]{26}$',
    'x-form': 'an id that looks like dsn_…',
    description,
  });

export const DownloadQuery = Type.Object({
  format: Type.Optional(words(downloadFormats, 'Image format. Defaults to png.')),
  size: size(),
  design_id: Type.Optional(
    designId(
      'Id of a design in which the code is drawn, for this download only. The code and its public image stay as they are.',
    ),
  ),
  design: Type.Optional(designId('Alias of design_id.')),
  placement: Type.Optional(
    Type.String({
      maxLength: 24,
      description: 'Key of a placement of the code: the image encodes its link.',
    }),
  ),
  width_mm: Type.Optional(
    Type.Number({
      minimum: 10,
      maximum: 2000,
      description: 'Width in millimeters, for pdf, eps and svg. Defaults to 40 for pdf and eps.',
    }),
  ),
  bleed_mm: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 10,
      description: 'For pdf and eps: how far the background extends beyond the trim. Defaults to 0.',
    }),
  ),
  color: Type.Optional(
    words(
      inkModes,
      'For pdf and eps: `rgb` keeps the colors, `k` prints in black ink only, for codes whose dots and corners are nearly black. Defaults to rgb.',
    ),
  ),
  dpi: Type.Optional(
    Type.Integer({
      minimum: 36,
      maximum: 2400,
      description: 'For png: the resolution that the file states.',
    }),
  ),
  background: Type.Optional(
    words(['transparent'], 'For png and svg: `transparent` leaves the background out.'),
  ),
  frame: Type.Optional(words(frameTypes, 'A label around the code. Requires `frame_text`.')),
  frame_text: Type.Optional(frameText()),
  frame_color: Type.Optional(frameColor()),
});

export type ImageQuery = Type.Static<typeof ImageQuery>;
export type DownloadQuery = Type.Static<typeof DownloadQuery>;
export type Frame = Type.Static<typeof Frame>;
