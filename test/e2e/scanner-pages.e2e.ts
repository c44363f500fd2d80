import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { ask } from '@signpost/testing/client.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presentError } from '../../apps/server/src/http/errors.ts';
import {
  chooseLanguage,
  type Language,
  languages,
  languageTags,
  perLanguage,
} from '../../apps/server/src/http/pages/language.ts';
import { createLinkNames } from '../../apps/server/src/kernel/addresses/link-names.ts';
import { createReportPages } from '../../apps/server/src/moderation/reports/pages.ts';
import { createPages, fillIn } from '../../apps/server/src/redirect/pages.ts';
import { previewPage } from '../../apps/server/src/redirect/preview-page.ts';

/** Every language on a phone; the narrowest screen in CI only for the longest words, another script, and English. */
const views = [
  { width: 320, colorScheme: 'light' },
  { width: 375, colorScheme: 'dark' },
] as const;
/** In CI the language with the longest words, and one without spaces. */
const seenLanguages: readonly Language[] = process.env.CI ? ['de', 'ja'] : languages;
/** A folder for pictures of the pages. */
const pictures = process.env.PAGES_PICTURES;

const scannerPages = createPages((error, id) => presentError(error, id, 'https://qr.example'));
const kinds = Object.keys(scannerPages) as (keyof typeof scannerPages)[];
const reportPages = perLanguage(language =>
  createReportPages(language, {
    linkNames: createLinkNames('https://qr.example'),
    contact: 'abuse@qr.example',
  }),
);
const preview = {
  hosts: ['shop.example', `${'a-very-long-name-of-a-host.'.repeat(4)}example.com`],
  hasMore: true,
  updatedOn: '2026-03-01',
};

/** The layouts that differ; the others are one title and one text. */
const layouts = ['stopped', 'preview', 'form', 'invalid'];

type Answer = {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly body: string | Buffer;
};

function answersIn(language: Language): Readonly<Record<string, Answer>> {
  const { form, invalid, thanks, refusals } = reportPages[language];
  const publicPages = {
    preview: previewPage(preview, 'https://qr.example/report', language),
    form: form(null),
    invalid: invalid({ link: 'foreign', kind: 'missing', text: 'long' }),
    thanks,
    ...refusals,
  };
  return {
    ...Object.fromEntries(
      Object.entries(publicPages).map(([name, { html, headers }]) => [
        name,
        { status: 200, headers, body: html },
      ]),
    ),
    ...Object.fromEntries(
      kinds.map(kind => {
        const page = scannerPages[kind];
        const body = page.html[language];
        const bytes = fillIn(body, 'req_01k9z3w8fdm5v7c2n4s6t8r0xb');
        return [kind, { status: page.status, headers: body.headers, body: bytes }];
      }),
    ),
  };
}

const answers = perLanguage(answersIn);
const names = Object.keys(answers.en);

describe('in a browser, the pages for scanners', () => {
  let browser: Browser;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    browser = await launchChromium();
    server = createServer((request, response) => {
      const language = chooseLanguage(request.headers['accept-language']);
      const answer = answers[language][(request.url ?? '').slice(1)];
      response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (pictures) mkdirSync(pictures, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test.each(seenLanguages)('are readable on small screens, load nothing and pass axe: %s', async language => {
    for (const { width, colorScheme } of views) {
      const context = await browser.newContext({
        viewport: { width, height: 700 },
        colorScheme,
        locale: languageTags[language],
      });
      const page = await context.newPage();
      const [requests, faults]: [string[], string[]] = [[], []];
      page.on('request', request => requests.push(new URL(request.url()).pathname));
      page.on('console', message => faults.push(message.text()));
      for (const name of names) {
        requests.length = 0;
        await page.goto(`${url}/${name}`);
        const state = `${name}, ${language}, ${width} px, ${colorScheme}`;
        // Chromium asks for the icon of a site by itself.
        expect(
          requests.filter(path => path !== '/favicon.ico'),
          state,
        ).toEqual([`/${name}`]);
        expect(await page.locator('html').getAttribute('lang'), state).toBe(languageTags[language]);
        expect(await page.evaluate('document.scripts.length'), state).toBe(0);
        expect(await layoutFaults(page), state).toEqual([]);
        if (layouts.includes(name)) expect(await seriousFindings(page), state).toEqual([]);
        if (pictures)
          await page.screenshot({
            path: `${pictures}/${name}-${language}-${width}.png`,
            fullPage: true,
          });
      }
      expect(faults.filter(fault => !/responded with a status of (4|5)\d\d/.test(fault))).toEqual([]);
      await context.close();
    }
  });
});

test('every role answers in the language that is asked for, also compressed, and programs as always', async () => {
  const fixture = await createFixture({ SHORT_BASE_URL: 'https://sign.example' });
  try {
    const [all, edge] = [await fixture.server({}, 'all'), await fixture.server({}, 'redirect')];
    const { live: key } = await fixture.account();
    const body = { name: 'Menu', destination_url: 'https://example.com/menu' };
    const made = (await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body })).body;
    await ask({ method: 'PATCH', url: `${all.url}/v1/qrcodes/${made.id}`, key, body: { active: false } });
    for (const server of [all, edge]) {
      const paused = `${server.url}/${made.short_code}`;
      const page = await ask({ url: paused, headers: { 'accept-language': 'fr-CA,en;q=0.5' } });
      expect([page.status, page.headers['content-language']]).toEqual([404, 'fr']);
      expect(page.body).toContain('Ce code est en pause');
      const headers = { accept: 'application/json', 'accept-language': 'fr' };
      const json = await ask({ url: paused, headers });
      expect(json.body.error).toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(/^This code is paused\./),
      });
    }
    // One after the other, since what is compressed is kept for the next reader.
    for (const [language, title] of [
      ['de', 'Link melden'],
      ['ja', 'リンクを報告'],
      ['sv', 'Report a link'],
      ['de', 'Link melden'],
    ] as const) {
      const answer = await fetch(`${all.url}/report`, {
        headers: { 'accept-language': language, 'accept-encoding': 'br' },
      });
      expect(answer.headers.get('vary')).toBe('Accept-Language, Accept-Encoding');
      expect(await answer.text()).toContain(`<h1>${title}</h1>`);
    }
  } finally {
    await fixture.close();
  }
});
