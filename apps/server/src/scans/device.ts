import { userAgentLimit } from './agents.ts';
import type { Browser, Device } from './scan.ts';

/** The first rule of which a mark stands in the user agent decides. Marks are searched for as they are, letter by letter. */
type Rules<Word> = readonly (readonly [word: Word, marks: readonly string[]])[];

const rule = <Word>(word: Word, marks: string) => [word, marks.split('|')] as const;

/** `ios` and `android` are phones and tablets. What else runs those systems or says it is like them comes first. */
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
 * A word names the program that the person looks at. So an app with a browser inside is `other`, whichever engine it
 * has; so are the many browsers made of Chrome that say their name. Those that keep silent, as Brave does, are `chrome`.
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
  // A view inside an Android app, by the mark of today and by that of Android 4.4.
  rule('other', '; wv)|Version/4.0 Chrome/'),
  rule('samsung_browser', 'SamsungBrowser/'),
  rule('edge', 'Edg/|EdgA/|EdgiOS/|Edge/'),
  rule('firefox', 'Firefox/|FxiOS/'),
  rule('chrome', 'Chrome/|CriOS/|Chromium/'),
];

export const deviceOf = (userAgent: string): Device => firstOf(deviceRules, cut(userAgent)) ?? 'other';

export function browserOf(userAgent: string): Browser {
  const agent = cut(userAgent);
  return firstOf(browserRules, agent) ?? (isSafari(agent) ? 'safari' : 'other');
}

/** Safari has no mark of its own: others made of WebKit leave out `Version/` or the system of an Apple device. */
function isSafari(agent: string): boolean {
  const apple = ['(Macintosh;', '(iPhone;', '(iPad;', '(iPod;', '(iPod touch;', '(Windows'];
  return agent.includes('Version/') && agent.includes('Safari/') && apple.some(mark => agent.includes(mark));
}

function firstOf<Word>(rules: Rules<Word>, agent: string): Word | undefined {
  for (const [word, marks] of rules) {
    for (const mark of marks) if (agent.includes(mark)) return word;
  }
  return undefined;
}

const cut = (userAgent: string) => userAgent.slice(0, userAgentLimit);
