import { randomBytes } from 'node:crypto';
import type { CallOptions, Reply, TestApi } from './api.ts';

/** A minimal browser: it keeps cookies and sends an Origin header. */
export type Browser = {
  readonly cookies: Map<string, string>;
  call(options: CallOptions & { readonly mode?: 'live' | 'test' }): Promise<Reply>;
};

/** Random, so that attempts counted by other test runs do not apply. */
const authSecret = randomBytes(24).toString('hex');
export const goodPassword = 'correct horse battery';

/** Turns the dashboard on, with limits that no test reaches. */
export const dashboardEnv = {
  AUTH_SECRET: authSecret,
  SIGN_UP: 'open',
  SIGN_IN_ATTEMPTS: '1000000',
  SESSION_CALLS_PER_MINUTE: '1000000',
  SIGN_UPS_PER_HOUR: '1000000',
};

export function createBrowser(api: Pick<TestApi, 'call' | 'config'>): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async call({ mode, headers = {}, ...rest }) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await api.call({
        ...rest,
        headers: {
          origin: new URL(api.config.publicUrl).origin,
          ...(cookie === '' ? {} : { cookie }),
          ...(mode ? { 'x-signpost-mode': mode } : {}),
          ...headers,
        },
      });
      for (const set of setCookies(reply)) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (/max-age=0/i.test(set) || value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return reply;
    },
  };
}

export const setCookies = ({ headers }: Reply): readonly string[] =>
  ([] as string[]).concat((headers['set-cookie'] as string | string[] | undefined) ?? []);

export const newEmail = () => `${randomBytes(6).toString('hex')}@people.example`;

/** The browser of a person who has just signed up. */
export async function signUp(
  api: TestApi,
  email = newEmail(),
): Promise<Browser & { readonly email: string }> {
  const browser = createBrowser(api);
  const submit = () =>
    browser.call({
      method: 'POST',
      url: '/auth/sign-up',
      body: { name: 'Somebody', email, password: goodPassword },
    });
  let { status, text } = await submit();
  // On a slow machine the connection to Redis may not be ready yet, and sign-up needs it.
  for (let attempts = 0; status === 503 && attempts < 5; attempts++) {
    await api.redis.ping();
    ({ status, text } = await submit());
  }
  if (status !== 201) throw new Error(`sign-up failed: ${text}`);
  return { ...browser, email };
}
