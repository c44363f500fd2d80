import { reportKinds } from '@signpost/contract';
import type { PastedLink } from '../../domains/link.ts';
import { escapeHtml } from '../../http/pages/escape-html.ts';
import { type Language, languageTags } from '../../http/pages/language.ts';
import { type PublicPage, publicPage } from '../../http/pages/public-page.ts';
import { publicWords } from '../../http/pages/public-words.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import { type FormErrors, maxLink, maxText } from './form.ts';
import { reportsKeptDays } from './service.ts';

/** The pages for people who report a link, in one language. Of what was sent they contain the key of a link at most. */
export type ReportPages = {
  /** With the link filled in, for people who come from its preview. */
  form(link: PastedLink | null): PublicPage;
  /** Its hints are about the link that was sent, if it is known. */
  invalid(errors: FormErrors, link?: PastedLink | null): PublicPage;
  readonly thanks: PublicPage;
  readonly refusals: Readonly<Record<Refusal, PublicPage>>;
};

export type Refusal = 'limited' | 'full' | 'large' | 'no_form' | 'unavailable' | 'not_allowed';

type Options = {
  readonly linkNames: LinkNames;
  /** How to contact the operator; empty if not set. */
  readonly contact: string;
};

export function createReportPages(language: Language, { linkNames, contact }: Options): ReportPages {
  const words = publicWords[language].report;
  const maxCharacters = maxText.toLocaleString(languageTags[language]);
  const textErrors: Readonly<Record<NonNullable<FormErrors['text']>, string>> = {
    missing: words.detailsMissing,
    long: words.detailsLong(maxCharacters),
  };

  function renderForm({ link, kind, text }: FormErrors, base: string, url: string | null): string {
    const begin = escapeHtml(`${base}/`);
    const linkErrors: Readonly<Record<NonNullable<FormErrors['link']>, string>> = {
      missing: words.linkMissing,
      foreign: words.linkForeign(begin),
      unknown: words.linkUnknown,
    };
    const known = url === null ? '' : ` value="${escapeHtml(url)}"`;
    const first = link ? 'link' : kind ? 'kind' : 'text';
    const hasErrors = Boolean(link || kind || text);
    const focus = (name: string) => (hasErrors && name === first ? ' autofocus' : '');
    const error = (name: string, message: string | undefined) =>
      message === undefined ? '' : `<p class="error" id="${name}-error">${message}</p>\n`;
    const mark = (name: string, isInvalid: boolean) =>
      `aria-describedby="${name}-hint${isInvalid ? ` ${name}-error" aria-invalid="true` : ''}"`;
    const choices = reportKinds.map(
      (option, index) =>
        `<label class="choice"><input type="radio" name="kind" value="${option}" required${index === 0 ? focus('kind') : ''}><b>${words.kinds[option].title}</b><span>${words.kinds[option].text}</span></label>`,
    );
    const alert = `<p class="alert" role="alert"><b>${words.notSent.title}</b> ${words.notSent.text}</p>\n`;
    return `<h1>${words.title}</h1>
<p>${words.lead}</p>
${hasErrors ? alert : ''}<form method="post" action="report" accept-charset="utf-8">
<div class="field">
<label for="link">${words.link}</label>
<p class="hint" id="link-hint">${words.linkHint(begin)}</p>
${error('link', link && linkErrors[link])}<input type="text" id="link" name="link" required maxlength="${maxLink}" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false"${known} ${mark('link', Boolean(link))}${focus('link')}>
</div>
<fieldset class="field"${kind ? ' aria-describedby="kind-error"' : ''}>
<legend>${words.question}</legend>
${error('kind', kind && words.kindMissing)}${choices.join('\n')}
</fieldset>
<div class="field">
<label for="text">${words.details}</label>
<p class="hint" id="text-hint">${words.detailsHint(maxCharacters)}</p>
${error('text', text && textErrors[text])}<textarea id="text" name="text" rows="5" maxlength="${maxText}" ${mark('text', Boolean(text))}${focus('text')}></textarea>
</div>
<button>${words.send}</button>
<p class="note">${words.privacy(reportsKeptDays)}</p>
</form>`;
  }

  const form = (errors: FormErrors, title: string, base = linkNames.base, url: string | null = null) =>
    publicPage({ language, title, main: renderForm(errors, base, url), layout: 'form' });
  const emptyForm = form({}, words.title);
  const textPage = (title: string, ...paragraphs: readonly string[]) =>
    publicPage({
      language,
      title,
      main: `<h1>${title}</h1>\n${paragraphs.map(text => `<p>${text}</p>`).join('\n')}`,
      layout: 'message',
    });
  const linkTo = (text: string) => `<a href="report">${text}</a>`;
  const orContact = contactSentence(contact, language);
  const refusal = (
    { title, text }: { readonly title: string; readonly text: string },
    ...more: readonly string[]
  ) => textPage(title, text, ...more);

  return {
    form: link => (link === null ? emptyForm : form({}, words.title, link.base, link.url)),
    invalid: (errors, link = null) => form(errors, words.titleNotSent, link?.base),
    thanks: textPage(
      words.thanks.title,
      words.thanks.text,
      words.thanks.advice,
      linkTo(words.thanks.another),
    ),
    refusals: {
      limited: refusal(words.limited, ...orContact),
      full: refusal(words.full, ...orContact),
      large: refusal(words.large, linkTo(words.back)),
      no_form: refusal(words.unreadable, linkTo(words.back)),
      unavailable: refusal(words.unavailable, ...orContact, linkTo(words.back)),
      not_allowed: refusal(words.notAllowed, linkTo(words.back)),
    },
  };
}

function contactSentence(contact: string, language: Language): readonly string[] {
  if (contact === '') return [];
  const { writeTo, visit } = publicWords[language].report;
  const isPage = contact.startsWith('https://');
  const href = escapeHtml(isPage ? contact : `mailto:${contact}`);
  return [(isPage ? visit : writeTo)(`<a href="${href}">${escapeHtml(contact)}</a>`)];
}
