import { reportKinds } from '@signpost/contract';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { ReportKind } from './report.ts';

/** A filled-in form of the report page, or what is wrong with it. */
export type ReportForm =
  | { readonly kind: 'valid'; readonly linkKey: string; readonly report: ReportKind; readonly text: string }
  | { readonly kind: 'invalid'; readonly errors: FormErrors };

export type FormErrors = {
  readonly link?: 'missing' | 'foreign' | 'unknown';
  readonly kind?: 'missing';
  readonly text?: 'long' | 'missing';
};

export const maxText = 1000;
export const maxLink = 500;
/** Enough for the longest link and text with every character percent-encoded. */
export const maxFormBytes = 16 * 1024;

// Line breaks and tabs stay. Other control characters cannot be read, and PostgreSQL does not accept all of them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export function parseReportForm(body: string, linkNames: Pick<LinkNames, 'parseKey'>): ReportForm {
  const fields = new URLSearchParams(body);
  const readField = (name: string) => clean(fields.get(name) ?? '');
  const [link, text] = [readField('link'), readField('text')];
  const report = reportKinds.find(kind => kind === readField('kind'));
  const linkKey = link.length > maxLink ? null : linkNames.parseKey(link);
  // This kind says nothing without a text.
  const textError = text.length > maxText ? 'long' : report === 'other' && text === '' ? 'missing' : null;
  if (linkKey !== null && report && !textError) return { kind: 'valid', linkKey, report, text };
  return {
    kind: 'invalid',
    errors: {
      ...(linkKey === null ? { link: link === '' ? 'missing' : 'foreign' } : {}),
      ...(report ? {} : { kind: 'missing' }),
      ...(textError ? { text: textError } : {}),
    },
  };
}

/** The link that a form names, before it is known whether it is one of ours. */
export function readReportedLink(body: string): string {
  const link = clean(new URLSearchParams(body).get('link') ?? '');
  return link.length > maxLink ? '' : link;
}

/** Browsers send a line break as two characters but count it as one. */
const clean = (field: string): string =>
  field.replaceAll('\r\n', '\n').replace(unreadable, '').toWellFormed().trim();
