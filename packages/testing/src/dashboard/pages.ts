import type { Page } from 'playwright-core';

/** A page of the dashboard, with the heading that shows that it has loaded. */
export type DashboardPage = { readonly path: string; readonly heading: string };

export const signedOutPages: readonly DashboardPage[] = [
  { path: '/app/sign-in', heading: 'Sign in' },
  { path: '/app/sign-up', heading: 'Create an account' },
  { path: '/app/first-operator', heading: 'Set up this server' },
  { path: '/app/forgot-password', heading: 'Choose a new password' },
  { path: '/app/reset-password#token=none', heading: 'Choose a new password' },
  { path: '/app/verify-email#token=none', heading: 'Confirm your e-mail' },
  { path: '/app/confirm-email#token=none', heading: 'Confirm your new e-mail' },
  { path: '/app/invitation#token=none', heading: 'This invitation doesn’t work' },
];

export const signedInPages = (
  code: { id: string; name: string },
  webhook: { id: string; url: string },
  design: { id: string; name: string },
) =>
  [
    { path: '/app/codes', heading: 'Codes' },
    { path: '/app/codes/new', heading: 'New code' },
    { path: '/app/codes/import', heading: 'Import codes' },
    { path: '/app/tags', heading: 'Tags' },
    { path: `/app/codes/${code.id}`, heading: code.name },
    { path: `/app/codes/${code.id}/rules`, heading: code.name },
    { path: `/app/codes/${code.id}/placements`, heading: code.name },
    { path: `/app/codes/${code.id}/analytics`, heading: code.name },
    { path: `/app/codes/${code.id}/history`, heading: code.name },
    { path: '/app/designs', heading: 'Designs' },
    { path: '/app/designs/new', heading: 'New design' },
    { path: `/app/designs/${design.id}`, heading: design.name },
    { path: '/app/print', heading: 'Print' },
    { path: '/app/print/compare', heading: 'Compare both kinds of code' },
    { path: '/app/analytics', heading: 'Analytics' },
    { path: '/app/settings/keys', heading: 'API keys' },
    { path: '/app/settings/webhooks', heading: 'Webhooks' },
    { path: `/app/settings/webhooks/${webhook.id}`, heading: webhook.url },
    { path: '/app/settings/general', heading: 'Account' },
    { path: '/app/settings/domains', heading: 'Domains' },
    { path: '/app/settings/people', heading: 'People' },
    { path: '/app/settings/activity', heading: 'Activity' },
    { path: '/app/settings/plan', heading: 'Plan' },
    { path: '/app/settings/account', heading: 'Profile & security' },
  ] satisfies readonly DashboardPage[];

/** Opens the page and waits until everything has loaded. */
export async function openPage(page: Page, { path, heading }: DashboardPage): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  // Loading elements are marked as such.
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' });
  await page.locator('.mantine-Skeleton-root, [data-busy]').first().waitFor({ state: 'detached' });
}
