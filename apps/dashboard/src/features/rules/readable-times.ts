import { language } from '../../strings/language.ts';

const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g;

/** The times in a sentence as people write them: on the clock of the time zone at its end, else on the viewer's. */
export function readableTimes(sentence: string, inLanguage: string = language): string {
  const timeZone = / of ([A-Za-z]+(?:\/[\w+-]+)*)$/.exec(sentence)?.[1];
  const format = new Intl.DateTimeFormat(inLanguage, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return sentence.replaceAll(moment, found => format.format(new Date(found)));
}
