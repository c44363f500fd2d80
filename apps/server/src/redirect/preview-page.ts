import { escapeHtml } from '../http/pages/escape-html.ts';
import { type Language, languageTags, perLanguage } from '../http/pages/language.ts';
import { type PublicPage, publicPage } from '../http/pages/public-page.ts';
import { publicWords } from '../http/pages/public-words.ts';

export type Preview = {
  /** In punycode only: other letters can imitate a name that people know. */
  readonly hosts: readonly string[];
  readonly hasMore: boolean;
  /** The day of the last change, in UTC. */
  readonly updatedOn: string;
};

const dayFormats = perLanguage(
  language =>
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : languageTags[language], {
      dateStyle: 'long',
      timeZone: 'UTC',
    }),
);

export function previewPage(
  { hosts, hasMore, updatedOn }: Preview,
  reportUrl: string,
  language: Language,
): PublicPage {
  const words = publicWords[language].preview;
  const title = hosts.length > 1 ? words.manyHosts : words.oneHost;
  const names = hosts.map(escapeHtml);
  const day = `<time datetime="${updatedOn}">${dayFormats[language].format(new Date(updatedOn))}</time>`;
  return publicPage({
    language,
    title,
    layout: 'message',
    main: `<h1>${title}</h1>
<ul>
${[...names, ...(hasMore ? [words.andMore] : [])].map(item => `<li>${item}</li>`).join('\n')}
</ul>
<p>${words.changedOn(day)}</p>
<p>${words.note}</p>
<p><a href="${reportUrl}">${words.report}</a></p>`,
  });
}
