import type { Page } from 'playwright-core';

/** Creates codes for tables `first` to `last` in test mode, where no quota applies. */
export async function makeManyCodes(page: Page, origin: string, first: number, last: number): Promise<void> {
  const batchSize = 500;
  for (let from = first; from <= last; from += batchSize) {
    const items = Array.from({ length: batchSize }, (_, at) => ({
      name: `Table ${String(from + at).padStart(5, '0')}`,
      destination_url: `https://example.com/tables/${from + at}`,
    }));
    const response = await page.request.post('/account/v1/qrcodes/bulk', {
      headers: { origin, 'x-signpost-mode': 'test' },
      data: { items },
    });
    const { created } = await response.json();
    if (created !== batchSize)
      throw new Error(`only ${created} codes were created: ${await response.text()}`);
  }
}
