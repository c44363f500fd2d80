import { readFileSync } from 'node:fs';
import { renderSvg } from '@signpost/qr';
import type { Browser } from 'playwright-core';

type Pictures = {
  /** A screenshot of the analytics of a code. */
  readonly analytics: string;
  readonly shortUrl: string;
  readonly target: string;
};

/** The picture at the top of the README: a printed card beside the dashboard that counts its scans. */
export async function drawPrintedCode(browser: Browser, pictures: Pictures): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 430 } });
  await page.setContent(pageOf(pictures));
  await page.locator('main').screenshot({ path: pictures.target });
  await page.close();
}

function pageOf({ analytics, shortUrl }: Pictures): string {
  const style = {
    dotsType: 'rounded',
    cornersSquareType: 'extra-rounded',
    cornersDotType: 'square',
    dotsColor: '#1B2A3A',
  } as const;
  const shot = readFileSync(analytics).toString('base64');
  return `<style>
    body { margin: 0; font-family: Inter, system-ui, sans-serif; color: #1b2a3a }
    main { position: relative; width: 1200px; height: 430px; overflow: hidden; border-radius: 12px;
           background: linear-gradient(120deg, #e9e2d6, #d5e5e6) }
    .card { position: absolute; left: 70px; top: 42px; width: 258px; height: 346px; border-radius: 6px; text-align: center;
            background: #fffdf8; box-shadow: 0 18px 40px rgb(30 40 50 / .28); transform: rotate(-3deg) }
    .card h1 { font: 600 19px Georgia, serif; margin: 20px 0 6px }
    .card svg { width: 216px; height: 216px }
    .card p { font-weight: 600; font-size: 15px; margin: 0 }
    .card small { display: block; font: 10.5px monospace; color: #5b6773; margin-top: 8px; white-space: nowrap }
    .dashboard { position: absolute; left: 392px; top: 30px; width: 860px; height: 480px; overflow: hidden;
                 border-radius: 10px 0 0 0; box-shadow: 0 18px 50px rgb(30 40 50 / .25) }
    .dashboard img { width: 812px; display: block }
  </style>
  <main>
    <div class="card">
      <h1>Harbour Roasters</h1>
      ${renderSvg(shortUrl, style, 400)}
      <p>Scan for today’s menu</p>
      <small>${shortUrl.replace('https://', '')}</small>
    </div>
    <div class="dashboard"><img src="data:image/png;base64,${shot}"></div>
  </main>`;
}
