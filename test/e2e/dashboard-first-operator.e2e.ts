import { readFileSync } from 'node:fs';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { createDashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { openWatchedPage, schemes, viewportName, widths } from '@signpost/testing/dashboard/viewport.ts';
import { goodPassword, newEmail } from '@signpost/testing/people.ts';
import { expect, onTestFinished, test } from 'vitest';
import { toTokenFilePath } from '../../apps/server/src/users/operators/operator-token-file.ts';

/** A folder for pictures of what is seen on the way. */
const pictures = process.env.FIRST_OPERATOR_PICTURES;

/** In CI a phone only. */
const viewports = widths
  .map((width, at) => ({ width, scheme: schemes[at % schemes.length]! }))
  .filter(({ width }) => !process.env.CI || width === 375);

test.each(viewports.map(viewport => [viewportName(viewport), viewport] as const))(
  'the first visit of an empty installation leads to the page that takes the token: %s',
  async (name, viewport) => {
    const [fixture, browser] = await Promise.all([
      createDashboardFixture({ SIGN_UP: 'closed' }),
      launchChromium(),
    ]);
    onTestFinished(async () => {
      await browser.close();
      await fixture.close();
    });
    const { page, faults } = await openWatchedPage(browser, fixture.url, viewport);
    const show = async (what: string) => {
      expect(await seriousFindings(page)).toEqual([]);
      if (pictures) await page.screenshot({ path: `${pictures}/${what}, ${name}.png`, fullPage: true });
    };
    await page.goto('/app/');
    await page.getByRole('heading', { name: 'Set up this server', level: 1 }).waitFor();
    await show('first operator');
    // A person whom a command has let in already can sign in all the same.
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('This server has no operator yet').waitFor();
    await show('sign-in');
    await page.getByRole('link', { name: 'Set it up with its token' }).click();
    await page.getByRole('heading', { name: 'Set up this server', level: 1 }).waitFor();
    const token = readFileSync(toTokenFilePath(fixture.base.env.SPOOL_DIR!), 'utf8');
    await page.getByLabel('Token').fill('not the token');
    await page.getByLabel('Name').fill('Olga Operator');
    await page.getByLabel('E-mail').fill(newEmail());
    await page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.getByRole('button', { name: 'Become the operator' }).click();
    await page.getByText('This is not the token of this server').waitFor();
    await show('wrong token');
    expect(faults.filter(fault => !fault.includes('403'))).toEqual([]);
    await page.getByLabel('Token').fill(` ${token}`);
    await page.getByRole('button', { name: 'Become the operator' }).click();
    await page.getByRole('heading', { name: 'New code', level: 1 }).waitFor();
    await page.context().clearCookies();
    await page.goto('/app/first-operator');
    await page.getByRole('heading', { name: 'This server has an operator', level: 1 }).waitFor();
    await show('has an operator');
    await page.goto('/app/sign-up');
    await page.getByRole('heading', { name: 'Sign-up is closed', level: 1 }).waitFor();
    await show('sign-up is closed');
  },
);
