import Type from 'typebox';

export const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1, description: 'Number of this page.' }),
    limit: Type.Integer({ minimum: 1, description: 'Maximum number of items per page.' }),
    total: Type.Integer({ minimum: 0, description: 'Number of items on all pages.' }),
    total_pages: Type.Integer({ minimum: 0, description: 'Number of pages.' }),
    has_more: Type.Boolean({
      description: 'Whether more items follow. With `ending_before`: whether more come before these.',
    }),
  },
  { title: 'Pagination', additionalProperties: false },
);

export type Pagination = Type.Static<typeof Pagination>;

/** The highest page number taken: beyond it lie no rows that any table could hold. */
const maxPage = 1_000_000_000;

export const pageQuery = ({ defaultLimit, maxLimit }: { defaultLimit: number; maxLimit: number }) => ({
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxPage, default: 1, description: 'Page to return. Defaults to 1.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      default: defaultLimit,
      description: `Maximum number of items to return, from 1 to ${maxLimit}. Defaults to ${defaultLimit}.`,
    }),
  ),
});
