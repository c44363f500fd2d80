import type { ApiPromise } from './api-promise.ts';
import type { Pagination } from './generated.ts';

export type Page<Item> = { readonly data: readonly Item[]; readonly pagination: Pagination };

/** One page when you await it; every item from there on, page by page, when you iterate it. */
export type Pages<Answer extends Page<unknown>> = ApiPromise<Answer> & AsyncIterable<Answer['data'][number]>;

/** What is asked for instead of the first page. */
type Next = { readonly page?: number; readonly starting_after?: string };

/** `read` fetches the page that was asked for, or another. The first request is sent at once. */
export function pagesOf<Answer extends Page<unknown>>(
  read: (next?: Next) => ApiPromise<Answer>,
  byCursor = false,
): Pages<Answer> {
  const first = read();
  async function* items() {
    for (let page = await first; ; ) {
      yield* page.data;
      const next = byCursor ? afterLast(page) : pageAfter(page);
      if (next === null) return;
      page = await read(next);
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}

/** By the page count of the newest answer: items may come and go meanwhile. */
const pageAfter = ({ data, pagination }: Page<unknown>): Next | null =>
  data.length === 0 || pagination.page >= pagination.total_pages ? null : { page: pagination.page + 1 };

/** A page that is not full is the last. */
function afterLast({ data, pagination }: Page<unknown>): Next | null {
  if (data.length < pagination.limit) return null;
  return { starting_after: (data.at(-1) as { readonly id: string }).id };
}
