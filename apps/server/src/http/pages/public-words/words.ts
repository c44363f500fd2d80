import type { reportKinds } from '@signpost/contract';

/**
 * Every word that the public reads: pages after a scan, previews and the report form. Plain text, except that functions get
 * HTML that is escaped already.
 */
export type PublicWords = {
  /** Why a scanner is not redirected. */
  readonly pages: Readonly<Record<PublicPageKind, TitleAndText>>;
  readonly reference: (requestId: string) => string;
  readonly preview: PreviewWords;
  readonly report: ReportWords;
};

type PublicPageKind =
  | 'paused'
  | 'not_begun'
  | 'ended'
  | 'stopped'
  | 'held'
  | 'unknown'
  | 'home'
  | 'not_connected'
  | 'deleted'
  | 'busy'
  | 'unavailable'
  | 'not_allowed';

type TitleAndText = { readonly title: string; readonly text: string };

type PreviewWords = {
  readonly oneHost: string;
  readonly manyHosts: string;
  readonly andMore: string;
  readonly changedOn: (day: string) => string;
  readonly note: string;
  readonly report: string;
};

type ReportWords = {
  readonly title: string;
  readonly titleNotSent: string;
  readonly lead: string;
  readonly notSent: TitleAndText;
  readonly link: string;
  readonly linkHint: (begin: string) => string;
  readonly linkMissing: string;
  readonly linkForeign: (begin: string) => string;
  readonly linkUnknown: string;
  readonly question: string;
  readonly kindMissing: string;
  readonly kinds: Readonly<Record<(typeof reportKinds)[number], TitleAndText>>;
  readonly details: string;
  readonly detailsHint: (maxCharacters: string) => string;
  readonly detailsMissing: string;
  readonly detailsLong: (maxCharacters: string) => string;
  readonly send: string;
  readonly privacy: (days: number) => string;
  readonly thanks: TitleAndText & { readonly advice: string; readonly another: string };
  readonly limited: TitleAndText;
  readonly full: TitleAndText;
  readonly large: TitleAndText;
  readonly unreadable: TitleAndText;
  readonly unavailable: TitleAndText;
  readonly notAllowed: TitleAndText;
  readonly back: string;
  readonly writeTo: (address: string) => string;
  readonly visit: (address: string) => string;
};
