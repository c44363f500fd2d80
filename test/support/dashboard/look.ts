import type { Browser, BrowserContext, Page } from 'playwright-core';

/** The two widths and two schemes that every page is held to. */
export const widths = [1440, 375] as const;
export const schemes = ['light', 'dark'] as const;

export type Look = { readonly width: (typeof widths)[number]; readonly scheme: (typeof schemes)[number] };

export const looks: readonly Look[] = schemes.flatMap(scheme => widths.map(width => ({ width, scheme })));

export const nameOfLook = ({ width, scheme }: Look) => `${width} px, ${scheme}`;

/** A browser window of that look, with everything in it that nobody wants to see. */
export type Watched = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, exceptions, refusals and failed or foreign requests, in order. */
  readonly faults: readonly string[];
};

export async function openWatched(browser: Browser, url: string, look: Look): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.width === 375 ? 812 : 900 },
    colorScheme: look.scheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    baseURL: url,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  return { page, context, faults: watch(page, url) };
}

function watch(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', error => faults.push(`exception: ${error.message}`));
  page.on('response', response => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', request => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      faults.push(`foreign: ${request.url()}`);
  });
  page.on('requestfailed', request => {
    // A question that nobody waits for any more is dropped when its page is left, and so is the live stream.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${reason}`);
  });
  return faults;
}
