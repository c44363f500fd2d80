import type { Page } from 'playwright-core';

/** Counts what a person clicks, over all pages of the journey. A click on a label is one, though its field hears it too. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.addInitScript(
    `document.addEventListener('click', event => event.detail > 0 && countClick(), true)`,
  );
  return async () => clicks;
}
