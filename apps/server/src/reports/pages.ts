import { reportKinds } from '@signpost/contract';
import { escapeHtml, type SignPage, signPage } from '../http/sign-page.ts';
import { type FormErrors, maxLink, maxText } from './form.ts';
import type { ReportKind } from './report.ts';
import { reportsKeptDays } from './service.ts';

/** What people see who report a link. Nothing that they send is in it. */
export type ReportPages = {
  readonly form: SignPage;
  wrong(errors: FormErrors): SignPage;
  readonly thanks: SignPage;
  readonly refusals: Readonly<Record<Refusal, SignPage>>;
};

export type Refusal = 'limited' | 'full' | 'large' | 'no_form' | 'unavailable' | 'not_allowed';

type Options = {
  readonly shortBaseUrl: string;
  /** Where the operator can be written to; empty where nothing is known. */
  readonly contact: string;
};

const kindWords: Readonly<Record<ReportKind, readonly [title: string, text: string]>> = {
  phishing: ['Phishing', 'It poses as somebody else to get passwords or payment data.'],
  malware: ['Malware', 'It makes people download or install something harmful.'],
  scam: ['Scam', 'It takes money by false promises: a fake shop, a prize.'],
  illegal: ['Illegal content', 'What it leads to is against the law.'],
  other: ['Something else', 'Tell us below what is wrong.'],
};

export function createReportPages({ shortBaseUrl, contact }: Options): ReportPages {
  const base = escapeHtml(shortBaseUrl);
  const linkErrors: Readonly<Record<NonNullable<FormErrors['link']>, string>> = {
    missing: 'Enter the short link.',
    foreign: `This is not one of our short links. They begin with ${base}/ – enter the link in the QR code, not the page that it leads to.`,
    unknown: 'There is no such code. Check the link letter by letter.',
  };
  const textErrors: Readonly<Record<NonNullable<FormErrors['text']>, string>> = {
    missing: 'Tell us what is wrong.',
    long: `Use at most ${maxText.toLocaleString('en')} characters.`,
  };
  const otherWay = contactWords(contact);

  function formOf({ link, kind, text }: FormErrors): string {
    const first = link ? 'link' : kind ? 'kind' : 'text';
    const isWrong = Boolean(link || kind || text);
    const focus = (name: string) => (isWrong && name === first ? ' autofocus' : '');
    const error = (name: string, words: string | undefined) =>
      words === undefined ? '' : `<p class="error" id="${name}-error">${words}</p>\n`;
    const mark = (name: string, isBad: boolean) =>
      `aria-describedby="${name}-hint${isBad ? ` ${name}-error" aria-invalid="true` : ''}"`;
    const choices = reportKinds.map(
      (one, at) =>
        `<label class="choice"><input type="radio" name="kind" value="${one}" required${at === 0 ? focus('kind') : ''}><b>${kindWords[one][0]}</b><span>${kindWords[one][1]}</span></label>`,
    );
    const alert = `<p class="alert" role="alert"><b>Your report was not sent.</b> Please fill in the form again, and look at what is marked. We keep nothing until a report is complete.</p>\n`;
    return `<h1>Report a link</h1>
<p>Does one of our short links or QR codes lead to something harmful? Tell us, and we will look at it.</p>
${isWrong ? alert : ''}<form method="post" action="report" accept-charset="utf-8">
<div class="field">
<label for="link">Short link</label>
<p class="hint" id="link-hint">It begins with ${base}/</p>
${error('link', link && linkErrors[link])}<input type="text" id="link" name="link" required maxlength="${maxLink}" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false" ${mark('link', Boolean(link))}${focus('link')}>
</div>
<fieldset class="field"${kind ? ' aria-describedby="kind-error"' : ''}>
<legend>What is wrong with it?</legend>
${error('kind', kind && 'Choose one of these.')}${choices.join('\n')}
</fieldset>
<div class="field">
<label for="text">Details</label>
<p class="hint" id="text-hint">Optional, unless you chose “${kindWords.other[0]}”. Up to ${maxText.toLocaleString('en')} characters. Please leave out passwords and personal data.</p>
${error('text', text && textErrors[text])}<textarea id="text" name="text" rows="5" maxlength="${maxText}" ${mark('text', Boolean(text))}${focus('text')}></textarea>
</div>
<button>Send report</button>
<p class="note">We keep what you enter here, and when, for ${reportsKeptDays} days. We do not keep your network address or anything about your browser.</p>
</form>`;
  }

  const form = (errors: FormErrors, title: string) =>
    signPage({ title, main: formOf(errors), layout: 'form' });
  const words = (title: string, ...paragraphs: readonly string[]) =>
    signPage({
      title,
      main: `<h1>${title}</h1>\n${paragraphs.map(text => `<p>${text}</p>`).join('\n')}`,
      layout: 'words',
    });
  const again = '<a href="report">Back to the form</a>';

  return {
    form: form({}, 'Report a link'),
    wrong: errors => form(errors, 'Not sent: report a link'),
    thanks: words(
      'Thank you for your report',
      'We will look at where the link leads. If it is harmful we stop it, and nobody is sent there any more.',
      'You will not hear from us: we do not know who you are. If you have entered a password or a card number there, change the password or call your bank now.',
      '<a href="report">Report another link</a>',
    ),
    refusals: {
      limited: words(
        'Too many reports for now',
        `Many reports came from your network, and this one was not kept. Try again later${otherWay}.`,
      ),
      full: words(
        'Too many reports today',
        `More reports came in than we can take in a day, and this one was not kept. Try again tomorrow${otherWay}.`,
      ),
      large: words('This report is too long', 'Nothing of it was kept. Say it in fewer words.', again),
      no_form: words(
        'This report could not be read',
        'This report could not be read. Please use the form.',
        again,
      ),
      unavailable: words(
        'One moment, please',
        `We cannot take your report right now, and it was not kept. Try again in a minute${otherWay}.`,
        again,
      ),
      not_allowed: words('Not possible here', 'This page accepts only GET and POST.', again),
    },
  };
}

function contactWords(contact: string): string {
  if (contact === '') return '';
  const isPage = contact.startsWith('https://');
  const href = escapeHtml(isPage ? contact : `mailto:${contact}`);
  return `, or ${isPage ? 'go to' : 'write to'} <a href="${href}">${escapeHtml(contact)}</a>`;
}
