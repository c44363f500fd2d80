import type { ApiPromise } from './api-promise.ts';
import type { Pagination } from './generated.ts';

export type Page<Item> = { readonly data: readonly Item[]; readonly pagination: Pagination };

/** One page when you await it; every item from there on, page by page, when you iterate it. */
export type Pages<Answer extends Page<unknown>> = ApiPromise<Answer> & AsyncIterable<Answer['data'][number]>;

/** `read` fetches one page; without a number, the one that was asked for. The first request is sent at once. */
export function pagesOf<Answer extends Page<unknown>>(
  read: (page?: number) => ApiPromise<Answer>,
): Pages<Answer> {
  const first = read();
  async function* items() {
    for (let page = await first; ; page = await read(page.pagination.page + 1)) {
      yield* page.data;
      // The page count of the newest answer: items may come and go meanwhile.
      if (page.data.length === 0 || page.pagination.page >= page.pagination.total_pages) return;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
