/** Text that is markup already. Everything else is escaped on its way into a page. */
export type Html = { readonly markup: string };

type Part = Html | string | number | undefined | readonly Part[];

/** A template that escapes whatever is put into it, but for markup made by the same template. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = texts
    .map((text, index) => `${text}${index < parts.length ? render(parts[index]) : ''}`)
    .join('');
  return { markup };
}

/** Plain text with `code` in backticks; an empty line begins a paragraph. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n{2,}/).map(paragraph => html`<p>${inline(paragraph)}</p>`);
  return html`${paragraphs}`;
}

/** Plain text with `code` in backticks. */
export function inline(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(render).join('');
  return escaped(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? character);
}
