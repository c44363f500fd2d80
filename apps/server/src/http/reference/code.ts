import { type Html, html } from './html.ts';

/** A piece of code under a heading. */
export function board(caption: Html, code: Html): Html {
  return html`<figure><figcaption>${caption}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** A value as JSON with its names, texts, numbers and words told apart. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?/g;
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [all, quoted, colon, word] = match;
    parts.push(html`${text.slice(end, match.index)}`);
    if (quoted !== undefined && colon !== undefined)
      parts.push(html`<span class="k">${quoted}</span>${colon}`);
    else if (quoted !== undefined) parts.push(html`<span class="s">${quoted}</span>`);
    else
      parts.push(
        word === undefined ? html`<span class="n">${all}</span>` : html`<span class="w">${all}</span>`,
      );
    end = match.index + all.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** A command of a shell with its quoted texts told apart. */
export function shell(command: string): Html {
  const parts = command.split(/("[^"\n]*"(?= \\|$)|'(?:[^']|'\\'')*')/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span class="s">${part}</span>` : html`${part}`))}`;
}
