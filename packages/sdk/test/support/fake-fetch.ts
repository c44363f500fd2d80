import { type Fetch, Signpost, type SignpostOptions } from '../../src/index.ts';

type Sent = { readonly url: string; readonly init: RequestInit; readonly headers: Headers };

type Answer = Response | Error | ((sent: Sent) => Promise<Response>);

/** A client whose answers are given, and what it sent to get them. */
export function clientWith(answers: readonly Answer[], options: Partial<SignpostOptions> = {}) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const answer = answers[sent.length];
    const one = { url, init, headers: new Headers(init.headers) };
    sent.push(one);
    if (answer === undefined) throw new Error(`Nobody expected request ${sent.length} to ${url}`);
    if (answer instanceof Error) throw answer;
    return answer instanceof Response ? answer : answer(one);
  };
  const signpost = new Signpost({ apiKey: 'sk_test_key', baseUrl: 'https://qr.example/', fetch, ...options });
  return { signpost, sent };
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const refusal = (status: number, code: string, headers: Record<string, string> = {}, more = {}) =>
  json(
    status,
    { error: { code, message: `It is ${code}`, request_id: 'req_1', doc_url: 'https://x', ...more } },
    headers,
  );
