import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Counting, countScan } from './counting-rule.ts';
import { agentsByPrefix, crawlerAgents, linkPreviewAgents } from './device/agents.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';
const desktop =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const navigation = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
};
const from = (agent: string, headers: IncomingHttpHeaders = {}) => ({ 'user-agent': agent, ...headers });

type Recorded = readonly [what: string, expected: Counting, headers: IncomingHttpHeaders, method?: string];

/** Requests as they arrive from the programs named. */
const recorded: readonly Recorded[] = [
  ['the camera of an iPhone opening Safari', 'counted', from(iphone, navigation)],
  ['an iPhone too old for Sec-Fetch headers', 'counted', from(iphone)],
  ['the camera of an Android phone opening Chrome', 'counted', from(android, navigation)],
  [
    'a link that was clicked on another page',
    'counted',
    from(desktop, { ...navigation, 'sec-fetch-site': 'cross-site' }),
  ],
  [
    'an address that was typed',
    'counted',
    from(desktop, { ...navigation, 'upgrade-insecure-requests': '1' }),
  ],
  [
    'Firefox on Android',
    'counted',
    from('Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', navigation),
  ],
  [
    'the browser inside Instagram',
    'counted',
    from(`${iphone.replace(/ Version.*/, '')} Mobile/15E148 Instagram 390.0.0.28.85`, navigation),
  ],
  [
    'the browser inside Facebook',
    'counted',
    from(`${iphone.replace(/ Version.*/, '')} Mobile/15E148 [FBAN/FBIOS;FBAV/530.0.0.33.107]`),
  ],
  ['the browser inside LinkedIn', 'counted', from(`${android} [LinkedInApp]/4.1.1010`)],
  ['the browser inside KakaoTalk', 'counted', from(`${android} KAKAOTALK/25.8.0`)],
  ['the browser inside Pinterest', 'counted', from(`${android} [Pinterest/Android]`)],
  [
    'a browser inside an app that names WhatsApp further back',
    'counted',
    from(`${android} WhatsApp/2.25.20.80`),
  ],
  [
    'a scanner that opens the link in a frame of its own page',
    'counted',
    from(desktop, { ...navigation, 'sec-fetch-dest': 'iframe' }),
  ],
  ['a page in a fenced frame', 'counted', from(desktop, { 'sec-fetch-dest': 'fencedframe' })],
  ['a destination in capitals and with a space', 'counted', from(desktop, { 'sec-fetch-dest': ' Document' })],
  ['an empty destination', 'counted', from(desktop, { 'sec-fetch-dest': '' })],
  ['a frame of a frameset', 'counted', from(desktop, { 'sec-fetch-dest': 'frame' })],
  [
    'a script of a scanner in a browser',
    'counted',
    from(desktop, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }),
  ],
  ['curl', 'counted', { 'user-agent': 'curl/8.14.1', accept: '*/*' }],
  ['wget', 'counted', { 'user-agent': 'Wget/1.25.0' }],
  ['fetch of Node', 'counted', { 'user-agent': 'node', 'sec-fetch-mode': 'cors' }],
  ['undici', 'counted', { 'user-agent': 'undici' }],
  ['axios', 'counted', { 'user-agent': 'axios/1.12.2' }],
  ['python-requests', 'counted', { 'user-agent': 'python-requests/2.32.5' }],
  ['Go', 'counted', { 'user-agent': 'Go-http-client/2.0' }],
  ['okhttp, as in a scanner app', 'counted', { 'user-agent': 'okhttp/5.1.0' }],
  ['an app on an iPhone', 'counted', { 'user-agent': 'QRScanner/4.2 CFNetwork/3826.500.131 Darwin/24.5.0' }],
  ['k6', 'counted', { 'user-agent': 'k6/1.3.0 (https://k6.io/)' }],
  ['a headless Chrome', 'counted', from(desktop.replace('Chrome/', 'HeadlessChrome/'), navigation)],
  ['no user agent at all', 'counted', {}],
  ['an empty user agent', 'counted', { 'user-agent': '' }],
  ['a person whose phone is called Cubot', 'counted', from(android.replace('; K', '; CUBOT NOTE 21'))],
  [
    'a browser that sends a purpose of another kind',
    'counted',
    from(desktop, { ...navigation, purpose: 'navigation' }),
  ],
  [
    'a purpose that names a prefetch only further on',
    'counted',
    from(desktop, { ...navigation, purpose: 'not a prefetch' }),
  ],
  ['an empty purpose', 'counted', from(desktop, { ...navigation, 'sec-purpose': '' })],

  ['HEAD of a link checker', 'method', { 'user-agent': 'curl/8.14.1' }, 'HEAD'],
  ['HEAD of a browser', 'method', from(desktop), 'HEAD'],
  ['OPTIONS of a script', 'method', from(desktop, { 'sec-fetch-dest': 'empty' }), 'OPTIONS'],
  ['POST', 'method', from(desktop), 'POST'],
  ['a method in lower case, which HTTP does not know', 'method', from(desktop), 'get'],

  [
    '<link rel=prefetch>',
    'prefetch',
    from(desktop, { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'empty' }),
  ],
  [
    'a prefetch by speculation rules',
    'prefetch',
    from(desktop, { ...navigation, 'sec-purpose': 'prefetch' }),
  ],
  [
    'a prerender',
    'prefetch',
    from(desktop, { ...navigation, 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' }),
  ],
  [
    'a prefetch through a proxy that hides the address',
    'prefetch',
    from(android, { 'sec-purpose': 'prefetch;anonymous-client-ip' }),
  ],
  ['a prefetch for a search result', 'prefetch', from(android, { ...navigation, 'sec-purpose': 'Prefetch' })],
  ['an old Chrome', 'prefetch', from(desktop, { purpose: 'prefetch' })],
  [
    'an old Firefox',
    'prefetch',
    from('Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0', { 'x-moz': 'prefetch' }),
  ],
  ['the top sites of an old Safari', 'prefetch', from(iphone, { 'x-purpose': 'preview' })],
  ['a preview by purpose', 'prefetch', from(iphone, { purpose: 'preview' })],
  ['a purpose in quotes', 'prefetch', from(desktop, { 'sec-purpose': '"prefetch"' })],
  ['a purpose behind spaces', 'prefetch', from(desktop, { 'sec-purpose': '  prefetch' })],
  ['a prerender by the first draft', 'prefetch', from(desktop, { 'sec-purpose': 'prerender' })],

  ['an image', 'embed', from(desktop, { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' })],
  ...[
    'script',
    'style',
    'font',
    'audio',
    'video',
    'track',
    'object',
    'embed',
    'manifest',
    'worker',
    'report',
    'json',
  ].map(
    (dest): Recorded => [
      `a page that embeds it as ${dest}`,
      'embed',
      from(desktop, { 'sec-fetch-dest': dest }),
    ],
  ),

  [
    'Facebook making a card',
    'link_preview',
    from('facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'),
  ],
  [
    'Messages of Apple making a card',
    'link_preview',
    from(
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    ),
  ],
  ['WhatsApp making a card', 'link_preview', from('WhatsApp/2.25.20.80 A')],
  ['Signal making a card', 'link_preview', from('WhatsApp/2')],
  ['Slack unfurling', 'link_preview', from('Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)')],
  ['Telegram making a card', 'link_preview', from('TelegramBot (like TwitterBot)')],
  [
    'Discord making a card',
    'link_preview',
    from('Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'),
  ],
  [
    'Teams making a card',
    'link_preview',
    from('Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com'),
  ],
  [
    'LinkedIn making a card',
    'link_preview',
    from('LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)'),
  ],
  ['LINE making a card', 'link_preview', from('facebookexternalhit/1.1;line-poker/1.0')],
  [
    'Mastodon making a card',
    'link_preview',
    from('Mastodon/4.4.3 (http.rb/5.3.1; +https://example.social/) Bot'),
  ],
  [
    'Bluesky making a card',
    'link_preview',
    from('Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'),
  ],
  [
    'the crawler of Google as a phone',
    'crawler',
    from(
      'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.54 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    ),
  ],
  [
    'the crawler of Bing',
    'crawler',
    from('Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'),
  ],
  ['the crawler of Apple', 'crawler', from(`${iphone} (Applebot/0.1; +http://www.apple.com/go/applebot)`)],
  ['a crawler in capitals', 'crawler', from('YANDEXBOT/3.0')],
  [
    'a crawler of models',
    'crawler',
    from(
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    ),
  ],
];

describe('what counts as a scan', () => {
  const cases = recorded.map(([what, expected, headers, method = 'GET']) => ({
    what,
    expected,
    method,
    headers,
  }));
  test.each(cases)('$what: $expected', ({ expected, method, headers }) => {
    expect(countScan({ method, headers })).toBe(expected);
  });

  test('the recorded requests are at least forty', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(40);
  });

  test.each([...linkPreviewAgents, ...agentsByPrefix])('%s is a link preview', agent => {
    expect(
      countScan({ method: 'GET', headers: { 'user-agent': `${agent}1.0 (+https://example.com)` } }),
    ).toBe('link_preview');
  });

  test.each([...crawlerAgents])('%s is a crawler', agent => {
    const headers = { 'user-agent': `Mozilla/5.0 (compatible; ${agent}/1.0; +https://example.com)` };
    expect(countScan({ method: 'GET', headers })).toBe('crawler');
  });

  test('a name beyond the limit of a long user agent is not found', () => {
    const upTo = (length: number) => ({
      'user-agent': `${'x'.repeat(length - 'Googlebot'.length)}Googlebot`,
    });
    expect(countScan({ method: 'GET', headers: upTo(512) })).toBe('crawler');
    expect(countScan({ method: 'GET', headers: upTo(513) })).toBe('counted');
  });

  test('the published lists name every agent', () => {
    const page = readFileSync(
      new URL('../../../../docs/guides/what-counts-as-a-scan.md', import.meta.url),
      'utf8',
    );
    const words = page.replace(/\s+/g, ' ');
    for (const agent of [...linkPreviewAgents, ...agentsByPrefix, ...crawlerAgents]) {
      expect(words).toContain(agent);
    }
  });

  test('headers without a purpose, destination or agent change nothing', () => {
    const others = fc
      .stringMatching(/^[a-z][a-z-]{0,20}$/)
      .filter(name => !/^(sec-purpose|purpose|x-purpose|x-moz|sec-fetch-dest|user-agent)$/.test(name));
    fc.assert(
      fc.property(fc.dictionary(others, fc.string()), headers => {
        expect(countScan({ method: 'GET', headers })).toBe('counted');
      }),
    );
  });
});
