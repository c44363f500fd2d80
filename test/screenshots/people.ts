import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { goodPassword } from '@signpost/testing/people.ts';
import type { APIRequestContext } from 'playwright-core';

const joined = [
  { name: 'Noor Haddad', email: 'noor@harbour-roasters.example', role: 'admin' },
  { name: 'Jonas Weber', email: 'jonas@harbour-roasters.example', role: 'editor' },
  { name: 'Studio Nordlicht', email: 'hello@studio-nordlicht.example', role: 'viewer' },
] as const;

/** Gives the account people in every role, and an invitation that nobody has accepted yet. */
export async function fillPeople(owner: APIRequestContext, url: string): Promise<void> {
  const invite = (email: string, role: string) =>
    callAs(owner, url, 'POST', '/account/invitations', { email, role });
  for (const { name, email, role } of joined) {
    const { link } = await invite(email, role);
    const invitation = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
    // Without the cookie of the owner.
    const response = await fetch(`${url}/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ name, email, password: goodPassword, invitation }),
    });
    if (response.status !== 201) throw new Error(await response.text());
  }
  await invite('lena@harbour-roasters.example', 'editor');
}
