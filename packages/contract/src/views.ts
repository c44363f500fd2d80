import Type from 'typebox';

const id = () =>
  Type.String({ pattern: '^view_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like view_…' });

const name = () =>
  Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$',
    'x-visible': true,
    'x-form': '1 to 60 characters on one line, and not only white space or invisible characters',
    description: 'Name of the view.',
  });

const query = () =>
  Type.String({
    maxLength: 2000,
    pattern: '^[\\u0021-\\u007E]*$',
    'x-form': 'the query of a URL, percent-encoded, of at most 2,000 characters',
    description: 'Query of the page of codes, percent-encoded and without the question mark.',
  });

export const SavedView = Type.Object(
  { id: id(), name: Type.String(), query: Type.String() },
  { title: 'SavedView', additionalProperties: false },
);

export const SavedViewList = Type.Object(
  { data: Type.Array(SavedView, { description: 'In the order in which they were saved.' }) },
  { title: 'SavedViewList', additionalProperties: false },
);

export const CreateView = Type.Object(
  { name: name(), query: query() },
  { title: 'CreateView', additionalProperties: false },
);

export const UpdateView = Type.Object(
  { name: Type.Optional(name()), query: Type.Optional(query()) },
  { title: 'UpdateView', additionalProperties: false, description: 'The fields to change.' },
);

export const DeletedView = Type.Object(
  { deleted: Type.Literal(true), id: id() },
  { title: 'DeletedView', additionalProperties: false },
);

export type SavedView = Type.Static<typeof SavedView>;
