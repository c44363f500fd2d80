import type { Resolve, Schema } from './document.ts';
import { type Html, html, inline } from './html.ts';

export type Field = {
  readonly name: string;
  readonly required: boolean;
  /** Fields of which one may stand in place of this one. */
  readonly or?: readonly string[];
  readonly schema: Schema;
};

/** A schema that holds itself is shown this deep. */
const maxDepth = 6;

/** The fields of an object, those within others by a dotted name: `style.dotsColor`, `items[].name`. */
export function fieldsOf(schema: Schema, resolve: Resolve, prefix = '', depth = 0): readonly Field[] {
  const { properties = {}, required = [], anyOf = [], items } = resolve(schema);
  if (depth > maxDepth) return [];
  if (items) return fieldsOf(items, resolve, `${prefix}[]`, depth + 1);
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = prefix ? `${prefix}.${key}` : key;
    const or = alternativesTo(key, anyOf);
    const field = { name, required: required.includes(key) || or.length > 0, or, schema: resolve(property) };
    return [field, ...fieldsOf(property, resolve, name, depth + 1)];
  });
}

/** Where one field of several must be there, the others. */
function alternativesTo(key: string, anyOf: readonly Schema[]): readonly string[] {
  const names = anyOf.flatMap(({ required = [] }) => required);
  return names.includes(key) ? names.filter(name => name !== key) : [];
}

/** One row a field: what it is called and holds, and what may stand in it. `promised` says what required means here. */
export function fieldTable(
  caption: string,
  fields: readonly Field[],
  promised: 'required' | '',
): Html | undefined {
  if (fields.length === 0) return undefined;
  const rows = fields.map(
    ({ name, required, or = [], schema }) => html`<tr>
<th scope="row"><code>${breakable(name)}</code> <span class="type">${typeOf(schema)}</span>${
      required && promised
        ? html` <span class="required">${or.length > 0 ? `${promised} (or ${or.join(' or ')})` : promised}</span>`
        : undefined
    }</th>
<td>${schema.description ? html`<p>${inline(schema.description)}</p>` : undefined}${allowed(schema)}</td>
</tr>`,
  );
  return html`<table><caption>${caption}</caption><tbody>${rows}</tbody></table>`;
}

function breakable(name: string): Html {
  return html`${name.split('.').map((part, index) => (index === 0 ? html`${part}` : html`.<wbr>${part}`))}`;
}

function typeOf({ type, items, format, enum: words, const: only }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  const name = Array.isArray(type) ? type.join(' or ') : (type ?? (words ? 'string' : 'any'));
  if (name === 'array') return items?.type ? `array of ${items.type}s` : 'array';
  return format ? `${name}, ${format}` : String(name);
}

function allowed(schema: Schema): Html | undefined {
  const words = schema.enum?.map(word => html`<code>${String(word)}</code> `);
  const limits = limitsOf(schema);
  if (!words && limits.length === 0) return undefined;
  return html`${words ? html`<p class="words">${words}</p>` : undefined}${
    limits.length > 0 ? html`<p class="limits">${limits.join(' · ')}</p>` : undefined
  }`;
}

/** A pattern longer than this is no help to a reader; the description says it in words. */
const readablePattern = 40;

function limitsOf(schema: Schema): string[] {
  const { pattern, default: value } = schema;
  return [
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, ' items'),
    pattern !== undefined && pattern.length <= readablePattern ? `form ${pattern}` : '',
    value !== undefined ? `default ${JSON.stringify(value)}` : '',
  ].filter(Boolean);
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const show = (limit: number) => limit.toLocaleString('en');
  if (least !== undefined && most !== undefined) return `${show(least)} to ${show(most)}${unit}`;
  if (most !== undefined) return `at most ${show(most)}${unit}`;
  return least !== undefined && least > 0 ? `at least ${show(least)}${unit}` : '';
}
