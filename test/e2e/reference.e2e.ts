import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { errorCodes } from '@signpost/contract';
import type { TestAccount } from '@signpost/testing/api.ts';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { faintTexts } from '@signpost/testing/dashboard/contrast.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type View = { readonly width: number; readonly colorScheme: 'light' | 'dark' };

/** In CI a desk and a phone, one in each scheme. */
const views: readonly View[] = process.env.CI
  ? [
      { width: 1440, colorScheme: 'light' },
      { width: 375, colorScheme: 'dark' },
    ]
  : [1440, 820, 375].flatMap(width =>
      (['light', 'dark'] as const).map(colorScheme => ({ width, colorScheme })),
    );
/** A folder for pictures of the page. */
const pictures = process.env.REFERENCE_PICTURES;

let fixture: DashboardFixture;
let browser: Browser;
beforeAll(async () => {
  fixture = await createDashboardFixture();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

type Watched = {
  readonly page: Page;
  /** What the console said, and what the policy of the page refused. */
  readonly faults: string[];
  readonly requests: { readonly method: string; readonly url: URL }[];
};

/** The reference at an address, with everything that it says and asks for. */
async function openReference(address = '', view = views[0]!): Promise<Watched> {
  const { width, colorScheme } = view;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.setDefaultTimeout(60_000);
  const [faults, requests]: [string[], Watched['requests'][number][]] = [[], []];
  page.on('console', message => {
    if (message.type() !== 'info') faults.push(message.text());
  });
  page.on('pageerror', error => faults.push(error.message));
  page.on('request', request => requests.push({ method: request.method(), url: new URL(request.url()) }));
  await page.goto(`${fixture.url}/docs${address}`);
  await page.getByRole('heading', { name: 'Signpost API', level: 1 }).waitFor();
  return { page, faults, requests };
}

const operation = (page: Page, id: string) => page.locator(`section[id$="/${id}"]`);

/** What the page sent or loaded from anywhere but the server it came from. */
const elsewhere = ({ requests }: Watched) =>
  requests
    .filter(({ url }) => url.origin !== fixture.url && !['data:', 'blob:'].includes(url.protocol))
    .map(({ url }) => url.href);

/** What is looked at: where the page opens, and addresses in it. */
const parts = {
  operation: null,
  errors: 'error-not_found',
  start: 'getting-started',
  rules: 'rules-and-placements',
  print: 'design-and-print',
  analytics: 'analytics',
};

describe('the page', () => {
  test.each(views)('at $width pixels, $colorScheme, is whole and accessible', async view => {
    const watched = await openReference('#createQrCode', view);
    const { page, faults } = watched;
    const section = operation(page, 'createQrCode');
    await section.getByText('destination_url').first().waitFor();
    const name = `${view.width}-${view.colorScheme}`;
    if (pictures) mkdirSync(pictures, { recursive: true });
    for (const [at, [part, address]] of Object.entries(parts).entries()) {
      // In CI each in one of the two views, by turns.
      if (!isFullSize && at % 2 !== views.indexOf(view)) continue;
      if (address) await page.evaluate(`location.hash = '${address}'`);
      // The renderer scrolls smoothly.
      await page.waitForTimeout(1_500);
      if (pictures) await page.screenshot({ path: `${pictures}/${part}-${name}.png` });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), part).toBe(0);
      expect(await seriousFindings(page), part).toEqual([]);
      // axe leaves out what is not in view.
      const texts = await faintTexts(page, '#reference .markdown');
      expect(texts.checked).toBeGreaterThan(1_000);
      expect(texts.faint, part).toEqual([]);
    }
    // The measure finds one word in a colour of the other scheme.
    const other = view.colorScheme === 'dark' ? '#14191d' : '#dde3e8';
    await page.evaluate(`document.querySelector('#reference .markdown li em').style.color = '${other}'`);
    expect((await faintTexts(page, '#reference .markdown li')).faint).toHaveLength(1);
    const font = (await page.evaluate('document.fonts.check("16px Inter")')) as boolean;
    const dark = (await page.evaluate('document.body.classList.contains("dark-mode")')) as boolean;
    expect([font, dark]).toEqual([true, view.colorScheme === 'dark']);
    expect(faults).toEqual([]);
    expect(elsewhere(watched)).toEqual([]);
    await page.close();
  });

  test('an address of every error code leads to its explanation, also while the page is open', async () => {
    const { page, faults } = await openReference(`#error-${errorCodes[0]}`);
    // In CI one in eight.
    for (const code of errorCodes.filter((_, at) => isFullSize || at % 8 === 0)) {
      await page.evaluate(`location.hash = 'error-${code}'`);
      const heading = page.getByRole('heading', { name: new RegExp(`^${code.replaceAll('_', ' ')}$`, 'i') });
      await page.waitForURL(url => url.hash === `#description/${code.replaceAll('_', '-')}`);
      await expect.poll(async () => isInView(heading), { timeout: 20_000 }).toBe(true);
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  test.each([
    ['its path', '/v1/qrcodes/bulk', 'Create many QR codes'],
    ['a field of its body', 'old_secret_expires_in', 'Rotate the webhook secret'],
  ])('search finds an operation by %s', async (_what, text, found) => {
    const { page } = await openReference();
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click();
    await page.keyboard.type(text);
    const first = page.getByRole('option').first();
    await expect.poll(async () => first.textContent(), { timeout: 20_000 }).toContain(found);
    await first.click();
    await expect
      .poll(async () => isInView(page.getByRole('heading', { name: found })), { timeout: 20_000 })
      .toBe(true);
    await page.close();
  });
});

async function isInView(heading: Locator): Promise<boolean> {
  const box = await heading.first().boundingBox();
  return box !== null && box.y >= 0 && box.y < 400;
}

describe('the samples of the page', () => {
  const ids = ['createQrCode', 'listQrCodes', 'getQrCode', 'updateQrCode', 'downloadQrCode'];
  let accounts: Record<string, TestAccount>;
  let samples: Record<string, Record<string, string>>;

  beforeAll(async () => {
    accounts = { curl: await fixture.base.account(), TypeScript: await fixture.base.account() };
    samples = { curl: {}, TypeScript: {} };
    const { page } = await openReference();
    for (const id of ids) {
      await page.evaluate(`location.hash = '${id}'`);
      const section = operation(page, id);
      const picker = section.getByTestId('client-picker');
      for (const label of Object.keys(samples)) {
        await picker.click();
        await page.getByRole('option', { name: label }).click();
        await picker.filter({ hasText: label }).waitFor();
        samples[label]![id] = (await section.locator('.scalar-code-block code').first().textContent()) ?? '';
      }
    }
    await page.close();
  });

  /** With the id of a code that exists; the one of the sample is an example. */
  const withCode = (sample: string, id: string) => sample.replaceAll(/qr_\w{26}/g, id);

  test.each(['curl', 'TypeScript'])('work as they are in %s', async label => {
    const folder = mkdtempSync(join(tmpdir(), 'signpost-samples-'));
    mkdirSync(join(folder, 'node_modules/@signpost'), { recursive: true });
    symlinkSync(
      resolve(import.meta.dirname, '../../packages/sdk'),
      join(folder, 'node_modules/@signpost/sdk'),
    );
    const key = accounts[label]!.test;
    const run = async (id: string, code = '') => {
      const sample = withCode(samples[label]![id]!, code);
      const file = join(folder, label === 'curl' ? `${id}.sh` : `${id}.ts`);
      writeFileSync(file, sample);
      const program = label === 'curl' ? 'sh' : process.execPath;
      const env = { PATH: process.env.PATH, SIGNPOST_KEY: key };
      return (await promisify(execFile)(program, [file], { cwd: folder, env })).stdout;
    };
    const get = async (path: string) => (await ask({ url: `${fixture.url}${path}`, key })).body;

    expect(await run('createQrCode')).toContain('short_url');
    const { data } = await get('/v1/qrcodes');
    expect(data).toHaveLength(1);
    const code = data[0].id as string;
    for (const id of ['listQrCodes', 'getQrCode']) expect(await run(id, code)).toContain(code);
    const before = await get(`/v1/qrcodes/${code}`);
    await run('updateQrCode', code);
    expect((await get(`/v1/qrcodes/${code}`)).updated_at).not.toBe(before.updated_at);
    await run('downloadQrCode', code);
    expect(readFileSync(join(folder, 'code.svg'), 'utf8')).toMatch(/^<svg /);
  });
});

describe('trying an operation', () => {
  async function tryList(key: string) {
    const watched = await openReference('#listQrCodes');
    const { page } = watched;
    await operation(page, 'listQrCodes')
      .getByRole('button', { name: /Test Request/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByPlaceholder('Token').fill(key);
    await dialog.getByRole('button', { name: /^Send/ }).first().click();
    return { ...watched, dialog };
  }
  const calls = ({ requests }: Watched) =>
    requests
      .filter(({ url }) => url.pathname.startsWith('/v1/'))
      .map(({ method, url }) => `${method} ${url.pathname}`);

  test('takes a test key, keeps it nowhere, and sends nothing to another origin', async () => {
    const { test: key } = await fixture.base.account();
    const body = { name: 'Try me', destination_url: 'https://example.com/try' };
    await ask({ method: 'POST', url: `${fixture.url}/v1/qrcodes`, key, body });
    const tried = await tryList(key);
    await tried.dialog.getByText('Try me').first().waitFor();
    expect(calls(tried)).toEqual(['GET /v1/qrcodes']);
    expect(elsewhere(tried)).toEqual([]);
    expect(tried.faults).toEqual([]);
    // Later than the renderer writes what it keeps.
    await tried.page.waitForTimeout(2_000);
    const kept = await tried.page.evaluate(
      `indexedDB.databases().then(found => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, found]))`,
    );
    expect(kept).not.toContain(key.slice('sk_test_'.length));
    expect(kept).toMatch(/\[\]\]$/);
    await tried.page.reload();
    await tried.page.getByRole('heading', { name: 'Signpost API', level: 1 }).waitFor();
    const inputs = await tried.page
      .locator('input')
      .evaluateAll(found => found.map(input => (input as unknown as { value: string }).value));
    expect(inputs).not.toContain(key);
    await tried.page.close();
  });

  test('refuses a live key and says why, before anything is sent', async () => {
    const { live: key } = await fixture.base.account();
    const tried = await tryList(key);
    await tried.dialog
      .getByText(/Not sent: this page takes test keys only, because a live key/)
      .first()
      .waitFor();
    expect(calls(tried)).toEqual([]);
    expect(elsewhere(tried)).toEqual([]);
    if (pictures) await tried.page.screenshot({ path: `${pictures}/live-key.png` });
    await tried.page.close();
  });
});
