import { largestSizePx, smallestSizePx } from '@signpost/qr';
import Type from 'typebox';
import { words } from './words.ts';

export const imageFormats = ['png', 'svg'] as const;

export const ImageQuery = Type.Object({
  format: Type.Optional(words(imageFormats, 'Image format. Defaults to png.')),
  size: Type.Optional(
    Type.Integer({
      minimum: smallestSizePx,
      maximum: largestSizePx,
      default: 512,
      description: 'Width and height in pixels.',
    }),
  ),
});

export type ImageQuery = Type.Static<typeof ImageQuery>;
