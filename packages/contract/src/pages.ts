import Type from 'typebox';

export const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    total: Type.Integer({ minimum: 0 }),
    total_pages: Type.Integer({ minimum: 0 }),
  },
  { title: 'Pagination', additionalProperties: false },
);

export type Pagination = Type.Static<typeof Pagination>;

/** The highest page number taken: beyond it lie no rows that any table could hold. */
const maxPage = 1_000_000_000;

export const pageQuery = ({ defaultLimit, maxLimit }: { defaultLimit: number; maxLimit: number }) => ({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPage, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit })),
});
