import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Every page is laid out for these widths: a phone, tablets, and screens from small to large. */
export const allWidths = [375, 768, 820, 1024, 1280, 1440, 1920] as const;
/** Whole journeys are made at the width of a desk and of a phone. */
export const widths = [1440, 375] as const;
export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

export type Viewport = {
  readonly width: (typeof allWidths)[number];
  readonly scheme: Scheme;
};

export const viewports: readonly Viewport[] = schemes.flatMap(scheme =>
  widths.map(width => ({ width, scheme })),
);

export const viewportName = ({ width, scheme }: Viewport) => `${width} px, ${scheme}`;

/** A browser window with a viewport, and the faults that occurred in it. */
export type WatchedPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, exceptions, error responses, and failed or foreign requests, in order. */
  readonly faults: readonly string[];
};

/** `notes`: what the browser has kept of earlier visits. */
export async function openWatchedPage(
  browser: Browser,
  url: string,
  viewport: Viewport,
  notes: readonly { name: string; value: string }[] = [],
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: viewport.width, height: viewport.width === 375 ? 812 : 900 },
    colorScheme: viewport.scheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    baseURL: url,
    permissions: ['clipboard-read', 'clipboard-write'],
    storageState: { cookies: [], origins: [{ origin: url, localStorage: [...notes] }] },
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  // The browser's own question before a page with unsaved work is left by its address.
  page.on('dialog', dialog => void dialog.accept());
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
    // Leaving a page aborts its pending queries and its live stream.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${reason}`);
  });
  return faults;
}
