import { reportKinds } from '@signpost/contract';
import { shortLinkKey } from '../kernel/short-link.ts';
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

// Line breaks and tabs stay; no other control character can be read, and PostgreSQL takes not all of them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export function parseReportForm(body: string, shortBaseUrl: string): ReportForm {
  const fields = new URLSearchParams(body);
  // Browsers send a line break as two characters, and count it as one.
  const fieldOf = (name: string) =>
    (fields.get(name) ?? '').replaceAll('\r\n', '\n').replace(unreadable, '').toWellFormed().trim();
  const [link, text] = [fieldOf('link'), fieldOf('text')];
  const report = reportKinds.find(kind => kind === fieldOf('kind'));
  const linkKey = link.length > maxLink ? null : shortLinkKey(link, shortBaseUrl);
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
