import Type from 'typebox';
import { DesignFrame, Frame } from './images.ts';
import { QrCodeStyle, StyleBody } from './styles.ts';

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const designId = () =>
  Type.String({ pattern: '^dsn_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like dsn_…' });

const name = () =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\u0000\\uD800-\\uDFFF]*[^\\s\\u0000\\uD800-\\uDFFF][^\\u0000\\uD800-\\uDFFF]*$',
    'x-visible': true,
    'x-form': '1 to 100 characters of well-formed text, and not only white space or invisible characters',
    description: 'Name of the design.',
  });
const isDefault = () =>
  Type.Boolean({
    description:
      'Whether the dashboard starts with this design. At most one design is the default. Codes created through the API use it only if they name it.',
  });

export const CreateDesign = Type.Object(
  {
    name: name(),
    style: StyleBody,
    frame: Type.Optional(Frame),
    is_default: Type.Optional(isDefault()),
  },
  { title: 'CreateDesign', additionalProperties: false },
);

export const UpdateDesign = Type.Object(
  {
    name: Type.Optional(name()),
    style: Type.Optional(StyleBody),
    frame: Type.Optional(
      Type.Union([Frame, Type.Null()], { description: 'The new frame, or null to remove it.' }),
    ),
    is_default: Type.Optional(isDefault()),
  },
  {
    title: 'UpdateDesign',
    additionalProperties: false,
    description: 'The fields to change. A given style replaces the previous one.',
  },
);

export const Design = Type.Object(
  {
    id: designId(),
    name: Type.String(),
    style: QrCodeStyle,
    frame: Type.Union([DesignFrame, Type.Null()], { description: 'The label around the code, or null.' }),
    is_default: isDefault(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'Design', additionalProperties: false },
);

export const DesignList = Type.Object(
  { data: Type.Array(Design) },
  { title: 'DesignList', additionalProperties: false },
);

export const DeletedDesign = Type.Object(
  { deleted: Type.Literal(true), id: designId() },
  { title: 'DeletedDesign', additionalProperties: false },
);

export type CreateDesign = Type.Static<typeof CreateDesign>;
export type UpdateDesign = Type.Static<typeof UpdateDesign>;
export type Design = Type.Static<typeof Design>;
