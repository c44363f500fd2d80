import type { Browser, Device } from '../scan.ts';
import { userAgentLimit } from './agents.ts';

/** The first rule with a token in the user agent wins. Tokens match as substrings, case-sensitive. */
type Rules<Name> = readonly (readonly [name: Name, tokens: readonly string[]])[];

const rule = <Name>(name: Name, tokens: string) => [name, tokens.split('|')] as const;

/** `ios` and `android` are phones and tablets. Other devices that run those systems, or claim to be like them, come first. */
const deviceRules: Rules<Device> = [
  rule('other', 'Windows Phone|IEMobile|Xbox|PlayStation|Nintendo|; Quest|Watch|watchOS'),
  rule('other', 'Tizen|SMART-TV|SmartTV|Smart TV|smart-tv|Android TV|GoogleTV|HbbTV|BRAVIA|MiTV|VIDAA|; AFT'),
  rule('other', 'AppleTV|Apple TV|tvOS|Web0S|webOS|Roku|CrKey'),
  rule('other', 'KAIOS|KaiOS|BB10|BlackBerry|Symbian|J2ME|OpenHarmony|like Android'),
  rule('ios', 'iPhone|iPad|iPod|iOS/|iOS '),
  rule('android', 'Android'),
  rule('desktop', 'Windows NT|Windows;|Macintosh|CrOS|X11|Linux x86_64|Linux i686'),
];

/**
 * Names the program that the person looks at. An app with an embedded browser is therefore `other`, whatever its engine;
 * so are the many browsers built on Chromium that identify themselves. Those that do not, such as Brave, are `chrome`.
 */
const browserRules: Rules<Browser> = [
  rule(
    'other',
    'FBAN|FBAV|FB_IAB|Instagram|Barcelona|MicroMessenger| Line/|musical_ly|trill_|BytedanceWebview',
  ),
  rule('other', 'Snapchat|Twitter|Pinterest|LinkedInApp|KAKAOTALK|NAVER|Telegram|WhatsApp|Zalo|Reddit|Weibo'),
  rule('other', 'GSA/|BingSapphire/|baiduboxapp|YaApp|QQ/|DuckDuckGo/|Ddg/|Brave/|Ecosia|Focus/|Klar/'),
  rule('other', 'OPR/|OPT/|OPX/|OPiOS/|Opera|Vivaldi/|YaBrowser/|Whale/|UCBrowser/|UBrowser/|AlohaBrowser/'),
  rule('other', 'MiuiBrowser/|HuaweiBrowser/|VivoBrowser/|HeyTapBrowser/|QQBrowser/|Quark/|Silk/|Puffin/'),
  rule('other', 'OculusBrowser/|coc_coc_browser/|Avast/|Maxthon|Electron/|QtWebEngine/|Epiphany/|Falkon/'),
  rule(
    'other',
    'SeaMonkey/|PaleMoon/|Waterfox/|KAIOS|Windows Phone|IEMobile|PlayStation|Nintendo|Web0S|CrKey',
  ),
  // A WebView inside an Android app: today's token, and that of Android 4.4.
  rule('other', '; wv)|Version/4.0 Chrome/'),
  rule('samsung_browser', 'SamsungBrowser/'),
  rule('edge', 'Edg/|EdgA/|EdgiOS/|Edge/'),
  rule('firefox', 'Firefox/|FxiOS/'),
  rule('chrome', 'Chrome/|CriOS/|Chromium/'),
];

export const detectDevice = (userAgent: string): Device =>
  firstMatch(deviceRules, truncate(userAgent)) ?? 'other';

export function detectBrowser(userAgent: string): Browser {
  const agent = truncate(userAgent);
  return firstMatch(browserRules, agent) ?? (isSafari(agent) ? 'safari' : 'other');
}

/** Safari has no token of its own: other WebKit browsers leave out `Version/` or the system of an Apple device. */
function isSafari(agent: string): boolean {
  const systems = ['(Macintosh;', '(iPhone;', '(iPad;', '(iPod;', '(iPod touch;', '(Windows'];
  return (
    agent.includes('Version/') && agent.includes('Safari/') && systems.some(token => agent.includes(token))
  );
}

function firstMatch<Name>(rules: Rules<Name>, agent: string): Name | undefined {
  for (const [name, tokens] of rules) {
    for (const token of tokens) if (agent.includes(token)) return name;
  }
  return undefined;
}

const truncate = (userAgent: string) => userAgent.slice(0, userAgentLimit);
