import { currentMode } from '../api/mode.ts';

/** A curl command for the API of this very server, as the pages without data show it. */
export function curlFor(method: 'GET' | 'POST', path: string, body?: object): string {
  const key = currentMode() === 'test' ? 'sk_test_…' : 'sk_live_…';
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${window.location.origin}${path}`,
    `  -H 'Authorization: Bearer ${key}'`,
    ...(body ? [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body)}'`] : []),
  ].join(' \\\n');
}
