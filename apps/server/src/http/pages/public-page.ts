import { hash } from 'node:crypto';
import { colourProperties, fonts, mark } from './brand.ts';
import { type Language, languageTags } from './language.ts';

/** A page for the public, which loads nothing and runs nothing. */
export type PublicPage = { readonly html: string; readonly headers: Readonly<Record<string, string>> };

type Parts = {
  readonly language: Language;
  readonly title: string;
  /** The HTML below the logo. Text that is not ours must be escaped. */
  readonly main: string;
  /** `message` is centred; a form is aligned to the left. */
  readonly layout: Layout;
};

type Layout = 'message' | 'form';

const shared = `${colourProperties}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;align-items:center;padding:2rem 1.25rem;background:var(--paper);
color:var(--ink);font:1rem/1.55 ${fonts.sans}}
main{width:100%;margin:0 auto;overflow-wrap:anywhere}
svg{display:block;width:3rem;height:3rem}
h1{font-size:1.625rem;font-weight:600;line-height:1.25;letter-spacing:-.01em;margin:1.5rem 0 .5rem;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty}
p+p{margin-top:.75rem}
a{color:var(--link);text-underline-offset:.15em}
code{font-family:${fonts.mono};font-size:.9em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:.25rem}`;

const styles: Readonly<Record<Layout, string>> = {
  message: `${shared}
main{max-width:26rem;text-align:center}
svg{margin:0 auto}
ul{list-style:none;margin:1.5rem 0;padding:.25rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
li{padding:.75rem 0;font-weight:500}
li+li{border-top:1px solid var(--line)}
small{display:block;margin-top:2rem;color:var(--soft);font-size:.75rem}`,
  form: `${shared}
main{max-width:34rem}
.field{margin:1.75rem 0 0;padding:0;border:0;min-width:0}
label,legend{display:block;padding:0;font-weight:500}
.hint,.note{font-size:.875rem;color:var(--soft)}
.note{margin-top:1rem}
.error{margin-top:.25rem;color:var(--wrong);font-weight:500}
input[type=text],textarea{display:block;width:100%;margin-top:.5rem;padding:.625rem .75rem;border:1px solid var(--edge);
border-radius:.5rem;background:var(--paper);color:inherit;font:inherit}
textarea{min-height:8rem;resize:vertical}
[aria-invalid]{border-color:var(--wrong)!important;border-width:2px!important}
.choice{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;align-items:start;padding:.5rem 0;font-weight:400;cursor:pointer}
.choice:first-of-type{margin-top:.25rem}
.choice b{display:block;font-weight:500}
.choice span{color:var(--soft);font-size:.875rem;text-wrap:pretty}
.choice b,.choice span{grid-column:2}
.choice input{grid-row:1/span 2;width:1.25rem;height:1.25rem;margin:.2rem 0 0;accent-color:var(--accent)}
button{display:inline-block;margin-top:1.75rem;padding:.75rem 1.5rem;border:0;border-radius:.5rem;background:var(--accent);
color:var(--on-accent);font:inherit;font-weight:500;cursor:pointer}
.alert{margin-top:1.5rem;padding:.75rem 1rem;border:2px solid var(--wrong);border-radius:.5rem;color:var(--ink)}
.alert b{font-weight:600}
@media(max-width:30rem){button{width:100%}}`,
};

/** How pages with one style are sent. The policy lets in nothing but that style. */
export function createPublicLayout(style: string, formAction = "'none'") {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    vary: 'Accept-Language',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
  return {
    headers,
    render: ({ language, title, main }: Omit<Parts, 'layout'>): PublicPage => ({
      headers: { ...headers, 'content-language': languageTags[language] },
      html: `<!doctype html>
<html lang="${languageTags[language]}" dir="ltr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<main>
${main}
</main>
`,
    }),
  };
}

const layouts = {
  message: createPublicLayout(styles.message),
  form: createPublicLayout(styles.form, "'self'"),
};

/** Of every answer to the public with this layout, whatever its language. */
export const publicHeaders = (layout: Layout) => layouts[layout].headers;

export const publicPage = ({ main, layout, ...parts }: Parts): PublicPage =>
  layouts[layout].render({ ...parts, main: `${mark}\n${main}` });
