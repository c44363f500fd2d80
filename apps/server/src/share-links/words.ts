import type { Language } from '@signpost/contract';
import { de } from './texts/de.ts';
import { en, type ShareTexts } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';

const texts: Readonly<Record<Language, ShareTexts>> = { en, de, fr, es };
const locales = { en: 'en-GB', de: 'de', fr: 'fr', es: 'es' } as const satisfies Record<Language, string>;

export type Words = ReturnType<typeof createWords>;

/** A shared page in one language: its texts, and how it writes numbers and days. */
function createWords(language: Language) {
  const text = texts[language];
  const locale = locales[language];
  const numbers = new Intl.NumberFormat(locale);
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  const plurals = new Intl.PluralRules(locale);

  /** A calendar day, as text of the API. */
  const formatDay = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

  const formatMoment = (at: Date, timeZone: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at);

  const count = (value: number, { one, other }: { readonly one: string; readonly other: string }) =>
    `${numbers.format(value)} ${plurals.select(value) === 'one' ? one : other}`;

  return {
    ...text,
    language,
    number: (value: number) => numbers.format(value),
    share: (part: number) => (part > 0 && part < 0.005 ? `< ${shares.format(0.01)}` : shares.format(part)),
    country: (code: string) => (code === 'XX' ? text.unknown : (countries.of(code) ?? code)),
    dayAndMonth: (day: string) => formatDay(day, { day: 'numeric', month: 'short' }),
    month: (day: string) => formatDay(day, { month: 'short', year: 'numeric' }),
    day: (day: string) => formatDay(day, { day: 'numeric', month: 'long', year: 'numeric' }),
    hour: (at: Date, timeZone: string) =>
      formatMoment(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    dayAndHour: (at: Date, timeZone: string) =>
      formatMoment(at, timeZone, {
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
    weekOf: (day: string) => text.weekOf(formatDay(day, { day: 'numeric', month: 'short', year: 'numeric' })),

    ofCode: (name: string | null) => (name === null ? text.code : text.codeNamed(name)),
    ofTag: (tag: string, codes: number) => text.withTag(count(codes, text.codes), tag),
    ofAccount: (codes: number) => count(codes, text.codes),
    scansOf: (country: string, scans: number) => text.figure(country, count(scans, text.scanCount)),
    others: (rows: number) => count(rows, text.others),
    period: (first: string, last: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
        new Date(first),
        new Date(last),
      ),
    asOf: (at: Date, timeZone: string) =>
      text.asOf(formatMoment(at, timeZone, { dateStyle: 'long', timeStyle: 'short' }), timeZone),
  };
}

const words: Readonly<Record<Language, Words>> = {
  en: createWords('en'),
  de: createWords('de'),
  fr: createWords('fr'),
  es: createWords('es'),
};

export const getWords = (language: Language): Words => words[language];
