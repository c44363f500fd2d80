/** The parts of a Markdown page that are checked. Lines are counted from 1. */
export type Page = {
  readonly fences: readonly Fence[];
  /** Code inside a sentence. */
  readonly spans: readonly Piece[];
  /** The targets of links and images, as written. */
  readonly links: readonly Piece[];
  /** The fragments that a link may have after its `#`. */
  readonly anchors: ReadonlySet<string>;
};

export type Fence = {
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly isClosed: boolean;
};

type Piece = { readonly line: number; readonly text: string };

export function readPage(markdown: string): Page {
  const { fences, prose } = cut(markdown.split(/\r?\n/));
  const spans = prose.flatMap(spansOf);
  const withoutCode = prose.map(piece => ({ ...piece, text: piece.text.replaceAll(span, blank) }));
  return { fences, spans, links: withoutCode.flatMap(linksOf), anchors: anchorsOf(prose) };
}

const opening = /^(\s*(?:>\s?)*)(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;

/** Code blocks, and the blocks of prose, which inline marks cannot cross. */
function cut(lines: readonly string[]): { fences: readonly Fence[]; prose: readonly Piece[] } {
  const fences: Fence[] = [];
  const prose: Piece[] = [];
  let block: { line: number; text: string } | undefined;
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index]!;
    const [, indent = '', mark, language = ''] = opening.exec(text) ?? [];
    if (mark) {
      const isEnd = (line: string) => line.trim().length >= mark.length && /^(`+|~+)$/.test(line.trim());
      const length = lines.slice(index + 1).findIndex(line => isEnd(line) && line.trim()[0] === mark[0]);
      const isClosed = length >= 0;
      const inside = lines.slice(index + 1, isClosed ? index + 1 + length : undefined);
      const code = inside.map(line =>
        line.startsWith(indent) ? line.slice(indent.length) : line.trimStart(),
      );
      fences.push({ line: index + 1, language, code: code.map(line => `${line}\n`).join(''), isClosed });
      index += inside.length + 1;
      block = undefined;
    } else if (text.trim() === '') block = undefined;
    else if (block && !beginsBlock(text)) block.text += `\n${text}`;
    else {
      const started = { line: index + 1, text };
      prose.push(started);
      block = /^#/.test(text) ? undefined : started;
    }
  }
  return { fences, prose };
}

const beginsBlock = (line: string) => /^\s*([#|>]|[-*+] |\d+[.)] )/.test(line);

/** Ends with as many backticks as it begins with. */
const span = /(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs;
const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

function spansOf(block: Piece): readonly Piece[] {
  return [...block.text.matchAll(span)].map(({ index, 2: code = '' }) => ({
    line: lineAt(block, index),
    // In a table a bar inside code is escaped.
    text: code
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll('\\|', '|')
      .trim(),
  }));
}

/** `](target "title")` of a link or an image, `<https://…>`, `[name]: target`, and the two attributes of HTML. */
const targets = [
  /\]\(\s*<?((?:[^()<>\s]|\([^()\s]*\))*)>?(?:\s+["'][^"']*["'])?\s*\)/g,
  /<((?:https?|mailto):[^<>\s]*)>/g,
  /^\s*\[[^\]]+\]:\s*<?([^<>\s]+)>?/gm,
  /\b(?:href|src)="([^"]*)"/g,
];

function linksOf(block: Piece): readonly Piece[] {
  return targets.flatMap(pattern =>
    [...block.text.matchAll(pattern)].map(({ index, 1: text = '' }) => ({
      line: lineAt(block, index),
      text,
    })),
  );
}

const lineAt = ({ line, text }: Piece, index: number) => line + text.slice(0, index).split('\n').length - 1;

function anchorsOf(prose: readonly Piece[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text } of prose) {
    for (const [, id = ''] of text.matchAll(/<\w+[^>]*\s(?:id|name)="([^"]+)"/g)) anchors.add(id);
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(text) ?? [];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** GitHub's rule: lower case, punctuation dropped, a hyphen for every space. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/`([^`]*)`|<\/?\w[^>]*>/g, (_, code = '') => code)
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<!\w)_(.+?)_(?!\w)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
