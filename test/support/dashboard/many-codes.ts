import type { Page } from 'playwright-core';

/** Gives whoever is signed in the codes of tables `first` to `last` in test mode, where no plan is in the way. */
export async function makeManyCodes(page: Page, origin: string, first: number, last: number): Promise<void> {
  const atOnce = 500;
  for (let from = first; from <= last; from += atOnce) {
    const items = Array.from({ length: atOnce }, (_, at) => ({
      name: `Table ${String(from + at).padStart(5, '0')}`,
      destination_url: `https://example.com/tables/${from + at}`,
    }));
    const answer = await page.request.post('/account/v1/qrcodes/bulk', {
      headers: { origin, 'x-signpost-mode': 'test' },
      data: { items },
    });
    const { created } = await answer.json();
    if (created !== atOnce) throw new Error(`only ${created} codes were made: ${await answer.text()}`);
  }
}
