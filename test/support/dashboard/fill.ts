import type { Page } from 'playwright-core';
import { waitUntil } from '../../../tools/engines/wait.ts';
import { goodPassword } from '../people.ts';
import type { Receiver } from '../receiver.ts';
import type { DashboardWorld } from './world.ts';

export type Filled = {
  readonly code: { readonly id: string; readonly name: string; readonly short_url: string };
  readonly webhook: { readonly id: string; readonly url: string };
};

/** Gives whoever is signed in a key, a code with scans and an edit, and an endpoint with a delivery. */
export async function fillAccount(page: Page, world: DashboardWorld, receiver: Receiver): Promise<Filled> {
  const call = async (method: 'POST' | 'PATCH' | 'GET', path: string, data?: object) => {
    const answer = await page.request.fetch(path, {
      method,
      headers: { origin: world.url },
      ...(data ? { data } : {}),
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return await answer.json();
  };
  await call('POST', '/account/keys', {
    name: 'Online shop',
    mode: 'live',
    current_password: goodPassword,
  });
  const code = await call('POST', '/account/v1/qrcodes', {
    name: 'Spring menu',
    destination_url: 'https://example.com/menu/spring',
    style: { dotsType: 'dots', dotsColor: '#8A8A8A' },
  });
  await call('PATCH', `/account/v1/qrcodes/${code.id}`, {
    destination_url: 'https://example.com/menu/summer',
  });
  const webhook = await call('POST', '/account/v1/webhooks', { url: `${receiver.url}/hook` });
  for (const address of ['203.0.113.7', '198.51.100.9', '8.8.8.8'])
    await world.scan(code.short_url, { address });
  await waitUntil('the scans are counted', async () => {
    const { total_scans } = await call('GET', `/account/v1/qrcodes/${code.id}`);
    return total_scans === 3;
  });
  return { code, webhook };
}
