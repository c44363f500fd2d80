import type { Page, Response } from 'playwright-core';

export type Transfer = { readonly url: string; readonly bytes: number; readonly encoding: string };

/** Every script loaded from now on, with its size on the wire. */
export function watchScripts(page: Page): () => Promise<readonly Transfer[]> {
  const responses: Response[] = [];
  page.on('response', response => {
    if (response.request().resourceType() === 'script') responses.push(response);
  });
  return () =>
    Promise.all(
      responses.map(async response => {
        await response.finished();
        const { responseBodySize } = await response.request().sizes();
        return {
          url: response.url(),
          bytes: responseBodySize,
          encoding: (await response.allHeaders())['content-encoding'] ?? 'none',
        };
      }),
    );
}

export const sumOf = (transfers: readonly Transfer[]) => transfers.reduce((sum, { bytes }) => sum + bytes, 0);
