import Type from 'typebox';

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const assetId = () =>
  Type.String({ pattern: '^ast_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like ast_…' });

/** 512 KiB of a picture, in base64. */
const imageLength = Math.ceil((512 * 1024) / 3) * 4;

export const CreateAsset = Type.Object(
  {
    image: Type.String({
      minLength: 4,
      maxLength: imageLength,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      'x-form': 'a picture of up to 512 KiB in base64',
      description:
        'The picture in base64: PNG, JPEG or WebP, up to 512 KiB, 64 to 2,048 pixels wide and high. It is decoded and encoded again without its metadata.',
    }),
    vector: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200 * 1024,
        description:
          'The same picture as SVG, up to 200 KiB, for SVG images of codes. Only shapes, gradients and clip paths are allowed: no text, images, styles, scripts or links.',
      }),
    ),
  },
  { title: 'CreateAsset', additionalProperties: false },
);

export const Asset = Type.Object(
  {
    id: assetId(),
    width: Type.Integer({ description: 'Width in pixels.' }),
    height: Type.Integer({ description: 'Height in pixels.' }),
    bytes: Type.Integer({ description: 'Size that counts against the limit of the account.' }),
    has_vector: Type.Boolean({ description: 'Whether there is an SVG of it.' }),
    created_at: timestamp(),
  },
  { title: 'Asset', additionalProperties: false },
);

export const AssetList = Type.Object(
  { data: Type.Array(Asset) },
  { title: 'AssetList', additionalProperties: false },
);

export const DeletedAsset = Type.Object(
  { deleted: Type.Literal(true), id: assetId() },
  { title: 'DeletedAsset', additionalProperties: false },
);

export type CreateAsset = Type.Static<typeof CreateAsset>;
export type Asset = Type.Static<typeof Asset>;
