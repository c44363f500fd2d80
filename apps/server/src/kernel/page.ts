/** One page of a long list. */
export type Page = { readonly page: number; readonly limit: number };

export type Paged<Item> = { readonly items: readonly Item[]; readonly page: Page; readonly total: number };

export const toOffset = ({ page, limit }: Page) => (page - 1) * limit;

/** The pagination object of the wire. */
export function presentPage({ page, total }: Paged<unknown>) {
  return {
    page: page.page,
    limit: page.limit,
    total,
    total_pages: Math.ceil(total / page.limit),
    has_more: page.page * page.limit < total,
  };
}
