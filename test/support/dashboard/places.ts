import type { Page } from 'playwright-core';

/** Every page of the dashboard, with the heading that shows that it is there. */
export type Place = { readonly path: string; readonly heading: string };

export const outsidePlaces: readonly Place[] = [
  { path: '/app/sign-in', heading: 'Sign in' },
  { path: '/app/sign-up', heading: 'Create an account' },
  { path: '/app/first-operator', heading: 'Set up this server' },
  { path: '/app/forgot-password', heading: 'Choose a new password' },
  { path: '/app/reset-password#token=none', heading: 'Choose a new password' },
  { path: '/app/verify-email#token=none', heading: 'Confirm your e-mail' },
];

export const insidePlaces = (code: { id: string; name: string }, webhook: { id: string; url: string }) =>
  [
    { path: '/app/codes', heading: 'Codes' },
    { path: '/app/codes/new', heading: 'New code' },
    { path: `/app/codes/${code.id}`, heading: code.name },
    { path: `/app/codes/${code.id}/analytics`, heading: code.name },
    { path: `/app/codes/${code.id}/history`, heading: code.name },
    { path: '/app/analytics', heading: 'Analytics' },
    { path: '/app/settings/keys', heading: 'API keys' },
    { path: '/app/settings/webhooks', heading: 'Webhooks' },
    { path: `/app/settings/webhooks/${webhook.id}`, heading: webhook.url },
    { path: '/app/settings/plan', heading: 'Plan and usage' },
    { path: '/app/settings/account', heading: 'Account' },
  ] satisfies readonly Place[];

/** Goes there and waits until everything that is loaded has come. */
export async function settle(page: Page, { path, heading }: Place): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  // What is still waited for says so by its role.
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' });
  await page.locator('.mantine-Skeleton-root, [data-busy]').first().waitFor({ state: 'detached' });
}

/** What opens over a page: where, and how. Each closes with Escape. */
export const overlays = (code: { id: string; name: string }, webhook: { id: string; url: string }) => [
  {
    what: 'a new key',
    place: { path: '/app/settings/keys', heading: 'API keys' },
    open: (page: Page) => page.getByRole('button', { name: 'New live key' }).click(),
  },
  {
    what: 'the deletion of a code',
    place: { path: `/app/codes/${code.id}`, heading: code.name },
    open: (page: Page) => page.getByRole('button', { name: 'Delete' }).click(),
  },
  {
    what: 'a delivery',
    place: { path: `/app/settings/webhooks/${webhook.id}`, heading: webhook.url },
    open: (page: Page) => page.getByRole('table', { name: 'Deliveries' }).getByRole('button').first().click(),
  },
  {
    what: 'the edit of an endpoint',
    place: { path: `/app/settings/webhooks/${webhook.id}`, heading: webhook.url },
    async open(page: Page) {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    },
  },
];
