import type { ApiPromise } from './api-promise.ts';
import type { Pagination } from './generated.ts';

export type Page<Item> = { readonly data: readonly Item[]; readonly pagination: Pagination };

/** One page when you await it; every item from there on, page by page, when you iterate it. */
export type Pages<Answer extends Page<unknown>> = ApiPromise<Answer> & AsyncIterable<Answer['data'][number]>;

export type FeedPage<Item> = {
  readonly data: readonly Item[];
  readonly next_cursor: string;
  readonly has_more: boolean;
};

/** One page when you await it; every item from there to the newest when you iterate it. */
export type Feed<Answer extends FeedPage<unknown>> = ApiPromise<Answer> &
  AsyncIterable<Answer['data'][number]>;

/** How a list goes on: by the number of the page, or from an item on, which neither repeats nor misses any. */
export type Walk = 'page' | 'starting_after' | 'ending_before';

/** What is asked for instead of the first page. */
type Next = { readonly [By in Walk]?: number | string };

/** `read` fetches the page that was asked for, or another. The first request is sent at once. */
export function pagesOf<Answer extends Page<unknown>>(
  read: (next?: Next) => ApiPromise<Answer>,
  walk: Walk = 'page',
): Pages<Answer> {
  const first = read();
  async function* items() {
    for (let page = await first; ; ) {
      yield* page.data;
      // By the newest answer: items may come and go meanwhile.
      if (page.data.length === 0 || !page.pagination.has_more) return;
      page = await read({ [walk]: nextOf(page, walk) });
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}

function nextOf({ data, pagination }: Page<unknown>, walk: Walk): number | string {
  if (walk === 'page') return pagination.page + 1;
  return (data.at(walk === 'starting_after' ? -1 : 0) as { readonly id: string }).id;
}

/** The same of a feed: `read` fetches what came after the cursor of an earlier page. */
export function feedOf<Answer extends FeedPage<unknown>>(
  read: (next?: { readonly after: string }) => ApiPromise<Answer>,
): Feed<Answer> {
  const first = read();
  async function* items() {
    for (let page = await first; ; ) {
      yield* page.data;
      if (!page.has_more) return;
      page = await read({ after: page.next_cursor });
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
