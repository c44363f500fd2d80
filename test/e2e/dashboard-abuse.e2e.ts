import {
  callAs,
  createCodeFor,
  makeOperator,
  openOwner,
  reportLink,
} from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { go } from '@signpost/testing/dashboard/journey.ts';
import { type Person, signInByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, schemes, viewportName, widths } from '@signpost/testing/dashboard/viewport.ts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

const onStage = loadDataset();

/** A folder for pictures of what is seen on the way. */
const pictures = process.env.ABUSE_PICTURES;

const viewports = widths.map((width, at) => ({ width, scheme: schemes[at % schemes.length]! }));
/** In CI one width each: a phone for what an owner does too, a desk for what only operators do. */
const [forOwners, forOperators] = process.env.CI
  ? [viewports.slice(1), viewports.slice(0, 1)]
  : [viewports, viewports];

const [mostClicks, mostSeconds] = [6, 60];

/** A hand that counts. */
function countingHand() {
  let clicks = 0;
  return {
    clicks: () => clicks,
    async click(target: Locator): Promise<void> {
      clicks++;
      await target.click();
    },
  };
}

/** From nothing to a suspended account, as somebody does it who was told of a report. */
async function suspendReported(page: Page, operator: Person, owner: string) {
  const hand = countingHand();
  const start = performance.now();
  await page.goto('/app/sign-in');
  await page.getByLabel('E-mail').fill(operator.email);
  await page.getByLabel('Password', { exact: true }).fill(operator.password);
  await hand.click(page.getByRole('button', { name: 'Sign in' }));
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  const menu = page.getByRole('button', { name: 'Open menu' });
  if (await menu.isVisible()) await hand.click(menu);
  await hand.click(page.getByRole('link', { name: 'Reports 1 open' }));
  const report = page.getByRole('article').filter({ hasText: owner });
  await report.getByText('It asks for my bank password').waitFor();
  await hand.click(report.getByRole('button', { name: 'Suspend account' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 live codes. All its links stop immediately. Nothing is deleted.').waitFor();
  await hand.click(dialog.getByRole('button', { name: 'Phishing' }));
  await hand.click(dialog.getByRole('button', { name: 'Suspend account' }));
  await page.getByText('is suspended. All its links have stopped.').waitFor();
  return { clicks: hand.clicks(), seconds: (performance.now() - start) / 1_000, report };
}

describe('a report leads to a suspension, an appeal and a release', () => {
  test.each(forOwners.map(viewport => [viewportName(viewport), viewport] as const))(
    '%s',
    async (name, viewport) => {
      const { fixture, browser } = onStage();
      const show = async (page: Page, what: string) => {
        expect(await seriousFindings(page)).toEqual([]);
        if (pictures) await page.screenshot({ path: `${pictures}/${what}, ${name}.png`, fullPage: true });
      };
      const owner = await openOwner(browser, fixture, viewport, `Olive Owner ${viewport.width}`);
      const code = await createCodeFor(owner, fixture, `Prize-${viewport.width}`);
      const second = await createCodeFor(owner, fixture, `Bait-${viewport.width}`);
      const operator = await openOwner(browser, fixture, viewport, 'Otto Operator');
      await makeOperator(fixture, operator.person);
      await operator.context.close();
      expect(await fixture.scan(code.short_url)).toBe(302);
      await reportLink(fixture, code.short_url, 'It asks for my bank password. <b>Stop it!</b>');

      const operatorWindow = await openWatchedPage(browser, fixture.url, viewport);
      const { clicks, seconds, report } = await suspendReported(
        operatorWindow.page,
        operator.person,
        owner.person.name,
      );
      console.log(`dashboard suspended_in_clicks ${clicks} seconds ${seconds.toFixed(1)}`);
      expect(clicks).toBeLessThanOrEqual(mostClicks);
      expect(seconds).toBeLessThan(mostSeconds);
      for (const { short_url } of [code, second]) expect(await fixture.scan(short_url)).toBe(404);
      await report.waitFor({ state: 'detached' });

      const { page } = owner;
      await page.context().clearCookies();
      await signInByForm(page, owner.person);
      const banner = page.getByRole('alert').filter({ hasText: 'Your account is suspended' });
      await banner.getByText('ask for passwords or payment details').waitFor();
      await page.getByRole('button', { name: 'New code' }).first().hover();
      await page.getByRole('tooltip').getByText('Your account is suspended').waitFor();
      await show(page, 'the owner is told');
      await banner.getByRole('button', { name: 'Appeal' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('What should the operator know?').fill('It is our own shop, see the imprint.');
      await show(page, 'the appeal');
      await form.getByRole('button', { name: 'Send appeal' }).click();
      await banner.getByText('It is our own shop, see the imprint.').waitFor();
      await banner.getByRole('button', { name: 'Change appeal' }).waitFor();
      expect(await page.getByText('Suspended', { exact: true }).count()).toBe(2);
      await show(page, 'the codes of the owner');
      await page.getByRole('link', { name: code.name }).click();
      await page.getByRole('heading', { name: code.name, level: 1 }).waitFor();
      await page.getByText('Suspended', { exact: true }).waitFor();
      expect(await page.getByLabel('Destination').isEditable()).toBe(false);
      expect(
        await page
          .getByRole('status')
          .filter({ hasText: /^Live$/ })
          .count(),
      ).toBe(0);
      await show(page, 'a code of the owner');

      await operatorWindow.page.reload();
      const place = operatorWindow.page.getByRole('navigation', { name: 'Main', includeHidden: true });
      await place
        .getByText(/\d appeals?$/)
        .first()
        .waitFor({ state: 'attached' });
      await go(operatorWindow.page, 'Suspensions');
      await operatorWindow.page.getByRole('tab', { name: 'Appealed' }).click();
      const entry = operatorWindow.page.getByRole('listitem').filter({ hasText: owner.person.name });
      await entry.getByText('It is our own shop, see the imprint.').waitFor();
      await show(operatorWindow.page, 'the appeal is read');
      await entry.getByRole('button', { name: 'Keep' }).click();
      await operatorWindow.page.getByLabel('Reply').fill('The imprint names somebody else.');
      await show(operatorWindow.page, 'the appeal is answered');
      await operatorWindow.page.getByRole('dialog').getByRole('button', { name: 'Keep suspended' }).click();
      await operatorWindow.page.getByText('No appeals to answer').waitFor();
      await page.reload();
      await banner.getByText('The suspension stays: The imprint names somebody else.').waitFor();
      await show(page, 'the owner is answered');
      await banner.getByRole('button', { name: 'Appeal again' }).click();
      await form.getByLabel('What should the operator know?').fill('Now it names us.');
      await form.getByRole('button', { name: 'Send appeal' }).click();
      await operatorWindow.page.reload();
      await entry.getByText('Now it names us.').waitFor();
      await entry.getByRole('button', { name: 'Release' }).click();
      await operatorWindow.page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
      await operatorWindow.page.getByText('is released.').waitFor();
      for (const { short_url } of [code, second]) expect(await fixture.scan(short_url)).toBe(302);
      await page.reload();
      await page
        .getByRole('status')
        .filter({ hasText: /^(Live|Listening)$/ })
        .waitFor();
      expect(await banner.count()).toBe(0);

      expect(operatorWindow.faults).toEqual([]);
      // Between the suspension and the new session the owner's window may have been refused.
      expect(owner.faults.filter(fault => !fault.includes('401'))).toEqual([]);
      await operatorWindow.context.close();
      await owner.context.close();
    },
  );
});

test('who is no operator is told so, and has no such pages in the menu', async () => {
  const { fixture, browser } = onStage();
  const { page, context } = await openOwner(browser, fixture, { width: 1440, scheme: 'light' }, 'Nora');
  await page.goto('/app/operator/reports');
  await page.getByRole('heading', { name: 'For operators', level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Reports' }).count()).toBe(0);
  const answer = await page.request.get('/account/operator/reports');
  expect(answer.status()).toBe(403);
  await context.close();
});

test.each(forOperators.map(viewport => [viewportName(viewport), viewport] as const))(
  'a host that several accounts lead to is blocked once its name is typed, and its codes are not released one by one: %s',
  async (name, viewport) => {
    const { fixture, browser } = onStage();
    const show = async (page: Page, what: string) => {
      expect(await seriousFindings(page)).toEqual([]);
      if (pictures) await page.screenshot({ path: `${pictures}/${what}, ${name}.png`, fullPage: true });
    };
    const host = `shared-${viewport.width}.example`;
    const [one, other] = [
      await openOwner(browser, fixture, viewport, 'Ona'),
      await openOwner(browser, fixture, viewport, 'Oto'),
    ];
    const make = ({ page }: typeof one, path: string) =>
      callAs(page.request, fixture.url, 'POST', '/account/v1/qrcodes', {
        name: 'Menu',
        destination_url: `https://${path}`,
      });
    const code = await callAs(one.page.request, fixture.url, 'POST', '/account/v1/qrcodes', {
      name: 'Menu',
      destination_url: 'https://good.example/menu',
      rules: [{ name: 'Everybody', to: [{ url: `https://${host}/a` }] }],
    });
    await make(other, `www.${host}/b`);
    await make(other, `not-${host}/c`);
    const operatorWindow = await openOwner(browser, fixture, viewport, 'Otis Operator');
    await makeOperator(fixture, operatorWindow.person);
    const { page } = operatorWindow;

    await page.goto('/app/operator/blocked-hosts');
    await page.getByText('No list is imported').waitFor();
    await page.getByRole('button', { name: 'Block a host' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Host', { exact: true }).fill(`https://${host}/a`);
    await dialog.getByText('2 codes lead there. Accounts: 2').waitFor();
    await dialog.getByRole('button', { name: 'Block host' }).click();
    await dialog.getByText('This is not the host above').waitFor();
    expect(await fixture.scan(code.short_url)).toBe(302);
    await dialog.getByLabel(`Type ${host} to confirm`).fill(host);
    await show(page, 'a host is blocked');
    await dialog.getByRole('button', { name: 'Block host' }).click();
    await page.getByText('No code redirects there any more.').waitFor();
    expect(await fixture.scan(code.short_url)).toBe(404);
    const row = page.locator('tr, li').filter({ hasText: host });
    await row
      .getByText(viewport.width < 992 ? '2 codes suspended' : '2', { exact: viewport.width >= 992 })
      .waitFor();
    await show(page, 'blocked hosts');

    await go(page, 'Suspensions');
    const link = code.short_url.replace(/^https?:\/\//, '');
    const entry = page.getByRole('listitem').filter({ hasText: link });
    await entry.getByText('It still leads there.').waitFor();
    const release = async () => {
      await entry.getByRole('button', { name: `Release ${link}` }).click();
      await dialog.getByRole('button', { name: 'Release' }).click();
    };
    await release();
    await page.getByText(`This code still leads to ${host}, which is blocked.`).waitFor();
    await show(page, 'a release is refused');
    await callAs(one.page.request, fixture.url, 'PATCH', `/account/v1/qrcodes/${code.id}`, { rules: [] });
    await page.reload();
    await entry.getByText('Its destinations now and earlier:').waitFor();
    await entry.getByText('good.example', { exact: true }).waitFor();
    await entry.getByText(/^Removed on .* The code no longer leads there\.$/).waitFor();
    await show(page, 'it leads elsewhere now');
    await release();
    await page.getByText(`${link} is released.`).waitFor();
    expect(await fixture.scan(code.short_url)).toBe(302);
    await page.goto(`/app/operator/suspensions?state=released`);
    await entry.getByRole('link', { name: link }).click();
    await page.getByRole('heading', { name: 'Look up', level: 1 }).waitFor();
    await page.getByRole('button', { name: `Suspend code ${link}` }).waitFor();
    await show(page, 'the code is looked up');
    // The refusal is what the test asks for.
    expect(operatorWindow.faults.filter(fault => !fault.includes('409'))).toEqual([]);
    for (const { context } of [one, other, operatorWindow]) await context.close();
  },
);
