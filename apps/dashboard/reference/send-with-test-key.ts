/** Shown in place of a response. */
const refusals = {
  live: 'Not sent: this page takes test keys only, because a live key can change codes that are already printed. Use a key that starts with sk_test_.',
  unknown: 'Not sent: this is not a test key. Use a key that starts with sk_test_.',
  elsewhere: 'Not sent: this page sends requests to its own server only.',
} as const;

const headers = { 'content-type': 'text/plain; charset=utf-8' };

/** Sends a request that a reader tries out: to our own server, without cookies, and never with a live key. */
export async function sendWithTestKey(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, { ...init, credentials: 'omit' });
  const refusal = refusalOf(
    new URL(request.url).origin,
    request.headers.get('authorization'),
    location.origin,
  );
  // As a response, since the renderer shows that until the next one; a failure would flash by.
  if (refusal) return new Response(refusal, { status: 403, statusText: 'Not sent', headers });
  return fetch(request);
}

/** Why a request is not sent, or null. Some operations need no key. */
export function refusalOf(target: string, authorization: string | null, own: string): string | null {
  if (target !== own) return refusals.elsewhere;
  const key = authorization?.replace(/^Bearer\s*/i, '').trim() ?? '';
  if (key === '' || key.startsWith('sk_test_')) return null;
  return key.startsWith('sk_live_') ? refusals.live : refusals.unknown;
}
