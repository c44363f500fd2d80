import {
  colorPattern,
  cornersDotTypes,
  cornersSquareTypes,
  dotsTypes,
  gradientStops,
  gradientTypes,
  largestLogoMargin,
  logoShapes,
  logoSizes,
  type Gradient as QrGradient,
} from '@signpost/qr';
import Type from 'typebox';
import { words } from './words.ts';

const hexColor = (description: string) =>
  Type.String({ pattern: colorPattern, 'x-form': 'a hex colour such as #1A2B3C', description });
const color = (description: string) => Type.Optional(hexColor(description));

/** Requests and responses each have their own: later versions may add to responses. */
type Titles = '' | 'QrCode';

const gradientBody = (titles: Titles) =>
  Type.Object(
    {
      type: words(gradientTypes, 'Linear, or radial around the center.'),
      rotation: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 360,
          description:
            'Direction of a linear gradient in degrees: 0 runs from left to right, 90 from top to bottom. Defaults to 0.',
        }),
      ),
      stops: Type.Array(
        Type.Object(
          {
            offset: Type.Number({ minimum: 0, maximum: 1, description: 'Position, from 0 to 1.' }),
            color: hexColor('Color at this position.'),
          },
          { title: `${titles}GradientStop`, additionalProperties: false },
        ),
        {
          minItems: gradientStops.least,
          maxItems: gradientStops.most,
          description: 'Two to five colors, in ascending order of `offset`.',
        },
      ),
    },
    {
      title: `${titles}Gradient`,
      additionalProperties: false,
      description:
        'Colors the dots instead of `dotsColor`. The corners keep their plain colors. It is graded by the stop that is closest to the background.',
    },
  );

/** As the renderer has it, whose lists cannot be changed. */
const gradient = (titles: Titles) => Type.Unsafe<QrGradient>(gradientBody(titles));

const assetId = () =>
  Type.String({
    pattern: '^ast_[0-9a-hjkmnp-tv-z]{26}$',
    'x-form': 'an id that looks like ast_…',
    description: 'Id of the asset.',
  });

const logo = (titles: Titles) =>
  Type.Object(
    {
      asset_id: assetId(),
      size: Type.Optional(
        words(
          logoSizes,
          'At least 15, 20 or 30 % of the width of the code. A larger logo makes a larger code. Defaults to medium.',
        ),
      ),
      shape: Type.Optional(words(logoShapes, 'Shape that the logo is cut to. Defaults to square.')),
      margin: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: largestLogoMargin,
          multipleOf: 0.5,
          description: 'Free space around the logo in modules, within its size. Defaults to 0.5.',
        }),
      ),
    },
    {
      title: `${titles}Logo`,
      additionalProperties: false,
      description:
        'A picture in the middle of the code. It covers so much that at least half of the error correction of every block remains.',
    },
  );

const fieldsOf = (titles: Titles) => ({
  dotsType: Type.Optional(words(dotsTypes, 'Shape of the dots. Defaults to square.')),
  dotsColor: color('Color of the dots. Defaults to #000000.'),
  backgroundColor: color('Color of the background. Defaults to #FFFFFF.'),
  cornersSquareType: Type.Optional(
    words(cornersSquareTypes, 'Shape of the corner squares. Defaults to square.'),
  ),
  cornersSquareColor: color('Color of the corner squares. Defaults to dotsColor.'),
  cornersDotType: Type.Optional(
    words(
      cornersDotTypes,
      'Shape of the corner dots. Defaults to dot inside a dot corner square, otherwise to square.',
    ),
  ),
  cornersDotColor: color('Color of the corner dots. Defaults to cornersSquareColor.'),
  dotsGradient: Type.Optional(gradient(titles)),
  logo: Type.Optional(logo(titles)),
  compact: Type.Optional(
    Type.Boolean({
      description:
        'Experimental: draws a smaller code, or one with more error correction, by writing host and path of the short link in upper case. Not for short codes with an underscore, nor where short links begin with a path in lower case. Defaults to false.',
    }),
  ),
});

export const StyleBody = Type.Object(fieldsOf(''), {
  title: 'Style',
  additionalProperties: false,
  description: 'Appearance of the image. It cannot be changed after creation.',
});

/** The same in responses, where later versions may add to it. */
export const QrCodeStyle = Type.Object(fieldsOf('QrCode'), {
  title: 'QrCodeStyle',
  additionalProperties: false,
  description: 'Appearance of the image, as given on creation.',
});

export type StyleBody = Type.Static<typeof StyleBody>;
