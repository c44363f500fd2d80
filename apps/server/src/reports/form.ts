import { reportKinds } from '@signpost/contract';
import type { ReportKind } from './report.ts';

/** A filled-in form of the report page, or what is wrong with it. */
export type ReportForm =
  | { readonly kind: 'good'; readonly linkKey: string; readonly report: ReportKind; readonly text: string }
  | { readonly kind: 'wrong'; readonly errors: FormErrors };

export type FormErrors = {
  readonly link?: 'missing' | 'foreign' | 'unknown';
  readonly kind?: 'missing';
  readonly text?: 'long' | 'missing';
};

export const maxText = 1000;
export const maxLink = 500;
/** What the longest link and text take when every sign of them is encoded, and some more. */
export const maxFormBytes = 16 * 1024;

/** The key of the link that a path names, or null where no link could have this form. */
export type KeyInPath = (path: string) => string | null;

// Line breaks and tabs stay; no other control character can be read, and PostgreSQL takes not all of them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export function parseReportForm(body: string, shortBaseUrl: string, keyInPath: KeyInPath): ReportForm {
  const fields = new URLSearchParams(body);
  // Browsers send a line break as two characters, and count it as one.
  const fieldOf = (name: string) =>
    (fields.get(name) ?? '').replaceAll('\r\n', '\n').replace(unreadable, '').toWellFormed().trim();
  const [link, text] = [fieldOf('link'), fieldOf('text')];
  const report = reportKinds.find(kind => kind === fieldOf('kind'));
  const linkKey = reportedKey(link, shortBaseUrl, keyInPath);
  // Of the kinds this one alone says nothing by itself.
  const wrongText = text.length > maxText ? 'long' : report === 'other' && text === '' ? 'missing' : null;
  if (linkKey !== null && report && !wrongText) return { kind: 'good', linkKey, report, text };
  return {
    kind: 'wrong',
    errors: {
      ...(linkKey === null ? { link: link === '' ? 'missing' : 'foreign' } : {}),
      ...(report ? {} : { kind: 'missing' }),
      ...(wrongText ? { text: wrongText } : {}),
    },
  };
}

/**
 * What people paste: a whole short link, with or without its scheme, with a query, a `+` or a slash behind it; or only what
 * stands behind the host. null where it is none of ours.
 */
export function reportedKey(link: string, shortBaseUrl: string, keyInPath: KeyInPath): string | null {
  if (link.length > maxLink) return null;
  const base = new URL(shortBaseUrl);
  const rest = /^https?:\/\//i.test(link) ? link : link.includes('/') ? `${base.protocol}//${link}` : '';
  const url = rest !== '' && URL.canParse(rest) ? new URL(rest) : null;
  if (url && isSameHost(url, base)) {
    const prefix = base.pathname.replace(/\/$/, '');
    return url.pathname.startsWith(`${prefix}/`) ? keyIn(url.pathname.slice(prefix.length)) : null;
  }
  return /^https?:\/\//i.test(link) ? null : keyIn(`/${link.replace(/^\//, '')}`);

  function keyIn(path: string): string | null {
    const [bare = ''] = path.split(/[?#]/, 1);
    return keyInPath(bare.replace(/(?:\+|%2b)\/?$/i, ''));
  }
}

/** http and https lead to the same code: one is sent on to the other, or only one is there. */
const isSameHost = (url: URL, base: URL) =>
  url.hostname.replace(/\.$/, '') === base.hostname.replace(/\.$/, '') &&
  (url.port === base.port || (url.port === '' && base.port === ''));
