import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { findingsInSchemes } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, schemes, type WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPng, rasterOfPpm, rasterOfSvg } from '@signpost/testing/raster.ts';
import { solidPng } from '@signpost/testing/solid-png.ts';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const onStage = loadDataset();

/** One person, who walks through everything in one window. */
let owner: WatchedPage;
let code: { id: string; short_url: string; style: { logo?: { asset_id: string; size?: string } } };
beforeAll(async () => {
  const { browser, fixture } = onStage();
  owner = await openWatchedPage(browser, fixture.url, { width: 1280, scheme: 'light' });
  await signUpByForm(owner.page);
});
afterAll(() => owner?.context.close());

const call = (method: 'GET' | 'POST', path: string, data?: object) =>
  callAs(owner.page.request, onStage().fixture.url, method, path, data);

/** As a drawing program writes it: classes, styles, a title and its own vocabulary. */
const logoSvg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:ink="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 64 64">
  <title>Mark</title><metadata><ink:x/></metadata><style>.a{fill:#0B3D2E}</style>
  <rect class="a" width="64" height="64" rx="14"/><circle cx="32" cy="32" r="15" style="fill:none;stroke:#fff;stroke-width:7"/></svg>`;
const withText = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#0B3D2E"/><text x="9" y="44" font-size="36" fill="#fff">ab</text></svg>`;

const drop = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page
    .getByRole('group', { name: 'Logo' })
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType, buffer });
const choice = (page: Page | Locator, label: string, option: string) =>
  page.getByRole('radiogroup', { name: label }).getByText(option, { exact: true }).click();
const pictureIn = async (image: Locator) => {
  const src = (await image.getAttribute('src'))!;
  return rasterOfSvg(decodeURIComponent(src.replace('data:image/svg+xml,', '')));
};

describe('a logo in a new code', () => {
  test('dropped as SVG is stored as shapes and as pixels, and the meter says what it costs', async () => {
    const { page } = owner;
    await drop(page, 'mark.svg', 'image/svg+xml', Buffer.from(logoSvg));
    await page.getByText('Error correction used by the logo').waitFor();
    const meter = page.getByRole('progressbar', { name: /Error correction used/ });
    const used = Number(await meter.getAttribute('aria-valuenow'));
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThanOrEqual(50);
    const { data } = await call('GET', '/account/v1/assets');
    expect(data).toMatchObject([{ has_vector: true }]);
    expect(Math.min(data[0].width, data[0].height)).toBeGreaterThanOrEqual(512);
    expect(await page.getByText('can’t be kept as shapes').count()).toBe(0);
  });

  test('the preview shows it, and two decoders read the preview', async () => {
    const { page } = owner;
    const image = page.getByRole('img', { name: 'Preview of the code' }).filter({ visible: true });
    await expect
      .poll(async () => decodeURIComponent((await image.getAttribute('src'))!))
      .toMatch(/<circle cx="32"/);
    const picture = await pictureIn(image);
    const read = [await zxing(picture), await zbar(picture)];
    expect(read[0]).toMatch(/^http/);
    expect(read[1]).toBe(read[0]);
  });

  test('too large for a long link it is shrunk to the largest that scans, by one click', async () => {
    const { page } = owner;
    await choice(page, 'Logo size', 'Large');
    await page.getByLabel('Custom link ending').fill('a-long-link-ending-for-the-winter-menu');
    const shrink = page.getByRole('button', { name: 'Shrink to the largest size that scans' });
    await shrink.waitFor();
    expect(
      await page.getByRole('button', { name: 'Create code' }).filter({ visible: true }).isDisabled(),
    ).toBe(true);
    await shrink.click();
    await shrink.waitFor({ state: 'detached' });
    expect(
      await page.getByRole('button', { name: 'Create code' }).filter({ visible: true }).isDisabled(),
    ).toBe(false);
    await page.getByLabel('Custom link ending').fill('');
    await choice(page, 'Logo size', 'Medium');
  });

  test('that is no picture is refused in words; text in an SVG is kept as a picture, which is said', async () => {
    const { page } = owner;
    await drop(page, 'mark.png', 'image/png', Buffer.from('no picture at all'));
    await page.getByText('Your browser could not read this file.').waitFor();
    await drop(page, 'mark.gif', 'image/gif', Buffer.from('GIF89a'));
    await page.getByText('Choose a PNG, JPEG, WebP or SVG file.').waitFor();
    await drop(page, 'mark.svg', 'image/svg+xml', Buffer.from(withText));
    await page.getByText('can’t be kept as shapes').waitFor();
    const { data } = await call('GET', '/account/v1/assets');
    expect(data.map(({ has_vector }: { has_vector: boolean }) => has_vector).sort()).toEqual([false, true]);
    await drop(page, 'small.png', 'image/png', Buffer.from(solidPng(40, 0x0b3d2e)));
    await expect.poll(async () => (await call('GET', '/account/v1/assets')).data.length).toBe(3);
  });

  test('with a gradient is made as it was seen', async () => {
    const { page } = owner;
    await choice(page, 'Dot fill', 'Gradient');
    await page.getByRole('button', { name: 'Add colour' }).click();
    await page.getByLabel('Colour 2', { exact: true }).fill('#7F1D1D');
    await page.getByLabel('Position of colour 2').fill('30');
    await page.getByLabel('Name').fill('Winter menu');
    await page.getByLabel('Destination').fill('example.com/menu/winter');
    await page.getByRole('button', { name: 'Save as design' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save design' }).click();
    await dialog.getByText('Enter a name').waitFor();
    await dialog.getByLabel('Name').fill('Winter');
    await dialog.getByLabel('Start every new code with this design').check();
    await dialog.getByRole('button', { name: 'Save design' }).click();
    await page.getByText('Design “Winter” saved.').waitFor();
    await page.getByRole('button', { name: 'Create code' }).filter({ visible: true }).click();
    await page.getByText('Waiting for your first scan').waitFor();
    const { data } = await call('GET', '/account/v1/qrcodes');
    code = await call('GET', `/account/v1/qrcodes/${data[0].id}`);
    expect(code.style).toMatchObject({
      logo: { size: 'medium' },
      dotsGradient: { stops: [{ offset: 0 }, { offset: 0.3, color: '#7F1D1D' }, { offset: 1 }] },
    });
  });
});

describe('a download', () => {
  const download = async (dialog: Locator, format: string): Promise<Buffer> => {
    const [file] = await Promise.all([
      owner.page.waitForEvent('download'),
      dialog.getByRole('button', { name: `Download ${format}` }).click(),
    ]);
    await dialog.waitFor({ state: 'detached' });
    return await readFile(await file.path());
  };
  const open = async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Download “Winter menu”' });
    await choice(dialog, 'Use', 'Print');
    return dialog;
  };

  test.each(['PDF', 'EPS', 'SVG', 'PNG'] as const)(
    'as %s has logo, gradient and frame, and is read',
    async format => {
      const dialog = await open();
      await choice(dialog, 'Format', format);
      await dialog.getByLabel('Size', { exact: true }).fill('50');
      await dialog.getByRole('button', { name: 'Frame', exact: true }).click();
      await dialog.getByRole('radio', { name: 'Card' }).click();
      await dialog.getByLabel('Call to action').fill('Scan for the menu');
      const file = await download(dialog, format);
      const picture = shown(format, file);
      expect(await zxing(picture)).toBe(code.short_url);
      expect(picture.height).toBeGreaterThan(picture.width);
      if (format !== 'SVG') expect(Math.abs(picture.width - (50 / 25.4) * 300)).toBeLessThanOrEqual(2);
    },
  );

  test('in black ink alone is offered only to codes that are nearly black', async () => {
    const dialog = await open();
    await dialog.getByText('Needs dots and corners that are nearly black.').waitFor();
    expect(await dialog.getByRole('radio', { name: 'Black only' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('in another design looks like that one, and the code stays as it is', async () => {
    await call('POST', '/account/v1/designs', {
      name: 'Black and white',
      style: {},
      frame: { type: 'label-below', text: 'Menu' },
    });
    const { page } = owner;
    await page.reload();
    const dialog = await open();
    await dialog.getByLabel('Design', { exact: true }).click();
    await page.getByRole('option', { name: 'Black and white' }).click();
    await dialog.getByLabel('Call to action').waitFor();
    await choice(dialog, 'Ink', 'Black only');
    await dialog.getByLabel('Bleed in mm').fill('3');
    const pdf = await download(dialog, 'PDF');
    expect(await zxing(shown('PDF', pdf))).toBe(code.short_url);
    const ink = execFileSync(
      'gs',
      ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-o', '-', '-sDEVICE=inkcov', '-'],
      { input: pdf },
    );
    expect(ink.toString().trim().split(/\s+/).slice(0, 3).map(Number)).toEqual([0, 0, 0]);
    expect((await call('GET', `/account/v1/qrcodes/${code.id}`)).style).toEqual(code.style);
  });
});

describe('designs', () => {
  test('new codes start with the default, and a chip changes all of it', async () => {
    const { page } = owner;
    await openPage(page, { path: '/app/codes/new', heading: 'New code' });
    const chips = page.getByRole('radiogroup', { name: 'Start from a design' });
    await expect
      .poll(() => chips.getByRole('radio', { name: 'Winter' }).getAttribute('aria-checked'))
      .toBe('true');
    await chips.getByRole('radio', { name: 'Plain' }).click();
    expect(await page.getByRole('textbox', { name: 'Dot colour' }).inputValue()).toBe('#000000');
    await chips.getByRole('radio', { name: 'Winter' }).click();
  });

  test('are changed, made the default and deleted', async () => {
    const { page } = owner;
    await openPage(page, { path: '/app/designs', heading: 'Designs' });
    await page.getByRole('link', { name: 'Black and white', exact: true }).click();
    await page.getByLabel('Name').fill('Ink');
    await page.getByRole('radio', { name: 'Bubble' }).click();
    await page.getByLabel('Call to action').fill('菜单');
    await page.getByText('The font has no “菜”').waitFor();
    expect(await page.getByRole('button', { name: 'Save design' }).isDisabled()).toBe(true);
    await page.getByLabel('Call to action').fill('Меню');
    await page.getByRole('button', { name: 'Save design' }).click();
    await page.getByText('Design “Ink” saved.').waitFor();
    await page.getByRole('button', { name: 'More actions for Ink' }).click();
    await page.getByRole('menuitem', { name: 'Make default' }).click();
    await page.getByText('New codes start with “Ink”.').waitFor();
    const { data } = await call('GET', '/account/v1/designs');
    expect(data).toMatchObject([
      { name: 'Winter', is_default: false },
      { name: 'Ink', is_default: true, frame: { type: 'bubble', text: 'Меню' } },
    ]);
    await page.getByRole('button', { name: 'More actions for Ink' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete design' }).click();
    await page.getByText('Design “Ink” deleted.').waitFor();
    await page.getByRole('link', { name: 'Ink', exact: true }).waitFor({ state: 'detached' });
  });

  test('a logo that a code uses stays, one that nothing uses goes', async () => {
    const { page } = owner;
    const { data } = await call('GET', '/account/v1/assets');
    const used = data.findIndex(({ id }: { id: string }) => id === code.style.logo!.asset_id);
    const remove = async (at: number) => {
      await page.getByRole('button', { name: `Delete logo ${at + 1}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete logo' }).click();
    };
    await remove(used);
    await page.getByText('A QR code or a design uses this logo.').waitFor();
    await remove(used === 0 ? 1 : 0);
    await page.getByText('Logo deleted.').waitFor();
    await expect
      .poll(async () => (await call('GET', '/account/v1/assets')).data.length)
      .toBe(data.length - 1);
  });
});

describe('many codes', () => {
  test('are printed on a sheet as its preview shows, and come as files in a ZIP', async () => {
    const { page } = owner;
    const items = Array.from({ length: 4 }, (_, n) => ({
      name: `Table ${n + 1}`,
      destination_url: `https://example.com/${n}`,
    }));
    const made = await call('POST', '/account/v1/qrcodes/bulk', { items });
    const links = made.data.map(({ qr_code }: { qr_code: { short_url: string } }) => qr_code.short_url);
    await openPage(page, { path: '/app/print', heading: 'Print' });
    await page.getByText('5 codes match.').waitFor();
    await choice(page, 'Which codes', 'Choose codes');
    expect(await page.getByRole('button', { name: 'Download PDF' }).isDisabled()).toBe(true);
    await page.getByLabel('Choose Table 1').check();
    await page.getByLabel('Choose Table 2').check();
    await page.getByLabel('Labels per code').fill('2');
    await page.getByText('4 labels · 1 sheet').waitFor();
    const preview = page.getByRole('img', { name: 'The first sheet' });
    await preview.waitFor();
    const pdf = await saved(page, 'Download PDF');
    const printed = shown('PDF', pdf);
    const seen = await pictureIn(preview);
    for (const picture of [printed, seen])
      expect(await zxing(topLeft(picture, 80 / 210, 60 / 297))).toBe(links[0]);
    await choice(page, 'Output', 'Image files');
    const files = unzipSync(await saved(page, 'Download ZIP'));
    const images = Object.entries(files).filter(([name]) => name.endsWith('.png'));
    const read = await Promise.all(images.map(([, file]) => zxing(rasterOfPng(file))));
    expect(read).toEqual(links.slice(0, 2));
  });

  test('a caption that cannot be written becomes the short link, and a sheet that does not fit is said', async () => {
    const { page } = owner;
    await call('POST', '/account/v1/qrcodes', { name: 'Menu 菜单', destination_url: 'https://example.com' });
    await openPage(page, { path: '/app/print', heading: 'Print' });
    await page.getByText('A code whose text has others gets its short link.').waitFor();
    expect((await saved(page, 'Download PDF')).subarray(0, 5).toString()).toBe('%PDF-');
    await page.getByRole('combobox', { name: 'Sheet' }).click();
    await page.getByRole('option', { name: /^Other sheet/ }).click();
    await page.getByLabel('Labels down').fill('40');
    await page.getByText('The labels don’t fit on the page.').waitFor();
    expect(await page.getByRole('button', { name: 'Download PDF' }).isDisabled()).toBe(true);
  });

  const saved = async (page: Page, button: string): Promise<Buffer> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return await readFile(await file.path());
  };
});

describe('a compact code', () => {
  const label = 'Smaller code (experimental): test it with your phones before you print';
  const preview = (page: Page) =>
    page.getByRole('img', { name: 'Preview of the code' }).filter({ visible: true });

  test('is made with a checkbox, which is hidden while the link has an underscore', async () => {
    const { page } = owner;
    await openPage(page, { path: '/app/codes/new', heading: 'New code' });
    const ending = page.getByLabel('Custom link ending');
    await ending.fill('small-menu');
    await page.getByLabel(label).check();
    const link = await zxing(await pictureIn(preview(page)));
    expect(link).toMatch(/^https?:\/\/[^a-z]*\/SMALL-MENU$/);
    await ending.fill('small_menu');
    await page.getByLabel(label).waitFor({ state: 'detached' });
    await expect.poll(async () => await zxing(await pictureIn(preview(page)))).toMatch(/\/small_menu$/);
    await ending.fill('small-menu');
    await page.getByLabel('Name').first().fill('Small menu');
    await page.getByLabel('Destination', { exact: false }).first().fill('https://example.com/menu');
    await page.getByRole('button', { name: 'Create code' }).filter({ visible: true }).click();
    await page.getByRole('heading', { name: 'Small menu' }).waitFor();
    const { data } = await call('GET', '/account/v1/qrcodes?search=Small%20menu');
    const made = await call('GET', `/account/v1/qrcodes/${data[0].id}`);
    expect(made.style).toMatchObject({ compact: true });
  });

  test('is printed beside the usual one of the same link, in the same widths', async () => {
    const { page } = owner;
    await openPage(page, { path: '/app/print/compare', heading: 'Compare both kinds of code' });
    const sheet = page.getByRole('region', { name: 'What is printed' });
    for (const mm of [12, 16, 20, 30]) {
      const images = [
        sheet.getByRole('img', { name: `Usual code, ${mm} mm wide` }),
        sheet.getByRole('img', { name: `Smaller code, ${mm} mm wide` }),
      ];
      const read = await Promise.all(images.map(async image => await zxing(await pictureIn(image))));
      expect(read[1]?.toLowerCase()).toBe(read[0]?.toLowerCase());
      expect(read[1]).toMatch(/^https?:\/\/[^a-z]+$/);
      for (const image of images) expect((await image.boundingBox())!.width).toBeCloseTo((mm / 25.4) * 96, 0);
    }
  });
});

/** In CI the narrowest, where least fits. */
describe.each(isFullSize ? [360, 768, 1280] : [360])('at %i px', width => {
  test('nothing is cut, and axe finds nothing serious, on the pages about designs and print', async () => {
    const { page } = owner;
    await page.setViewportSize({ width, height: 900 });
    const found: string[] = [];
    const look = async (what: string) => {
      found.push(...(await findingsInSchemes(page, what, process.env.CI ? schemes.slice(0, 1) : schemes)));
      found.push(...(await layoutFaults(page)).map(fault => `${what}: ${fault}`));
    };
    for (const [path, heading] of [
      ['/app/designs', 'Designs'],
      ['/app/designs/new', 'New design'],
      ['/app/print', 'Print'],
      ['/app/print/compare', 'Compare both kinds of code'],
      ['/app/codes/new', 'New code'],
    ] as const) {
      await openPage(page, { path, heading });
      await look(path);
    }
    await page.getByRole('radio', { name: 'Winter' }).click();
    await page.getByRole('group', { name: 'Gradient colours' }).waitFor();
    await look('a new code with logo and gradient');
    await openPage(page, { path: `/app/codes/${code.id}`, heading: 'Winter menu' });
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await choice(dialog, 'Use', 'Print');
    await dialog.getByRole('button', { name: 'Frame', exact: true }).click();
    await dialog.getByRole('radio', { name: 'Bubble' }).click();
    await dialog.getByLabel('Call to action').fill('');
    await dialog.getByText('Enter a text').waitFor();
    await look('the download with a frame');
    await page.keyboard.press('Escape');
    expect(found).toEqual([]);
  });
});

test('nothing went wrong in the console on the way', () => {
  expect(owner.faults.filter(fault => !/40[09]|422/.test(fault))).toEqual([]);
});

const run = (program: string, args: readonly string[], input: Buffer) =>
  execFileSync(program, args, { input, maxBuffer: 256e6 });

function shown(format: 'PDF' | 'EPS' | 'SVG' | 'PNG', file: Buffer) {
  if (format === 'PNG') return rasterOfPng(file);
  if (format === 'SVG') return rasterOfSvg(file.toString(), 600);
  if (format === 'PDF') return rasterOfPpm(run('pdftoppm', ['-r', '300', '-singlefile'], file));
  const options = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dEPSCrop', '-sDEVICE=ppmraw', '-r300'];
  return rasterOfPpm(run('gs', [...options, '-sOutputFile=-', '-'], file));
}

function topLeft(page: ReturnType<typeof rasterOfPng>, share: number, shareDown: number) {
  const [width, height] = [Math.round(page.width * share), Math.round(page.height * shareDown)];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++)
    data.set(page.data.subarray(y * page.width * 4, (y * page.width + width) * 4), y * width * 4);
  return { width, height, data };
}
