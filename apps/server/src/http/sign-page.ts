import { hash } from 'node:crypto';

/** A page for strangers, in the look of those that a scanner is shown. It loads nothing and runs nothing. */
export type SignPage = { readonly html: string; readonly headers: Readonly<Record<string, string>> };

type Parts = {
  readonly title: string;
  /** What stands below the sign. The words are ours; what is not must be escaped. */
  readonly main: string;
  /** Centred for a few words, else from the left as a form is read. */
  readonly layout: 'words' | 'form';
};

const style = `:root{color-scheme:light dark;--ink:#14201b;--soft:#5b6a63;--paper:#fbfaf7;--sign:#0b6b4a;--field:#fff;--edge:#7d8a84;--line:#d9ddd8;--wrong:#a8221d;--on-sign:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#eef3f0;--soft:#a3b1aa;--paper:#101613;--sign:#4cc393;--field:#18201c;--edge:#75837c;--line:#2c3832;--wrong:#ff9d94;--on-sign:#07130d}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;align-items:center;padding:2rem 1.25rem;background:var(--paper);
color:var(--ink);font:1.0625rem/1.55 system-ui,sans-serif}
main{width:100%;margin:0 auto;overflow-wrap:anywhere}
.words{max-width:26rem;text-align:center}
.form{max-width:34rem}
svg{display:block;width:3.5rem;height:3.5rem;margin-left:-.5rem;color:var(--sign)}
.words svg{width:5.5rem;height:5.5rem;margin:0 auto}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.01em;margin:1.25rem 0 .5rem;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty}
p+p{margin-top:.75rem}
a{color:var(--sign);text-underline-offset:.15em}
ul{list-style:none;margin:1.5rem 0;padding:.25rem 1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--field)}
li{padding:.75rem 0;font-weight:600}
li+li{border-top:1px solid var(--line)}
.field{margin:1.75rem 0 0;padding:0;border:0;min-width:0}
label,legend{display:block;padding:0;font-weight:600}
.hint,.note{font-size:.9375rem;color:var(--soft)}
.note{margin-top:1rem}
.error{margin-top:.25rem;color:var(--wrong);font-weight:600}
input[type=text],textarea{display:block;width:100%;margin-top:.5rem;padding:.625rem .75rem;border:1px solid var(--edge);
border-radius:.5rem;background:var(--field);color:inherit;font:inherit}
textarea{min-height:8rem;resize:vertical}
[aria-invalid]{border-color:var(--wrong)!important;border-width:2px!important}
.choice{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;align-items:start;padding:.5rem 0;font-weight:400;cursor:pointer}
.choice:first-of-type{margin-top:.25rem}
.choice b{display:block;font-weight:600}
.choice span{color:var(--soft);font-size:.9375rem;text-wrap:pretty}
.choice b,.choice span{grid-column:2}
.choice input{grid-row:1/span 2;width:1.25rem;height:1.25rem;margin:.2rem 0 0;accent-color:var(--sign)}
button,.button{display:inline-block;margin-top:1.75rem;padding:.75rem 1.5rem;border:0;border-radius:.5rem;background:var(--sign);
color:var(--on-sign);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid var(--sign);outline-offset:2px}
.alert{margin-top:1.5rem;padding:.75rem 1rem;border:2px solid var(--wrong);border-radius:.5rem;color:var(--ink)}
@media(max-width:30rem){button{width:100%}}`;

const policy = (layout: Parts['layout']) =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action ${layout === 'form' ? "'self'" : "'none'"}; frame-ancestors 'none'`;

const headersOf = (layout: Parts['layout']) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy(layout),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
});

const headers = { words: headersOf('words'), form: headersOf('form') };

export const signPage = ({ title, main, layout }: Parts): SignPage => ({
  headers: headers[layout],
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<main class="${layout}">
<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M4.6 3h11.2a1 1 0 0 1 .75.34L20 7.2l-3.45 3.86a1 1 0 0 1-.75.34H4.6A1.1 1.1 0 0 1 3.5 10.3V4.1A1.1 1.1 0 0 1 4.6 3z"/><path d="M9 12.8h2.6v8.7H9z" opacity=".55"/></svg>
${main}
</main>
`,
});

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign]!);
