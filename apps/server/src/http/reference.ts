import { createHash } from 'node:crypto';
import { errorTable } from '@signpost/contract';
import { board, json, shell } from './reference/code.ts';
import {
  baseUrlOf,
  type Endpoint,
  endpointsOf,
  type OpenApiDocument,
  type Parameter,
  type Resolve,
  resolverOf,
} from './reference/document.ts';
import { createExamples, type Examples } from './reference/example.ts';
import { fieldsOf, fieldTable } from './reference/fields.ts';
import { type Chapter, chapters, errorChapter } from './reference/guide.ts';
import { type Html, html, inline, prose } from './reference/html.ts';
import { style } from './reference/style.ts';

/** For `style-src` of the page's content security policy, in single quotes there. */
export const referenceStyleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

/** The API reference as one page that needs nothing else: no script, no font, no picture from anywhere. */
export function referencePage(document: OpenApiDocument): string {
  const baseUrl = baseUrlOf(document);
  const resolve = resolverOf(document);
  const examples = createExamples(baseUrl, resolve);
  const endpoints = endpointsOf(document);
  const tags = Map.groupBy(endpoints, ({ tag }) => tag);
  const guide = [...chapters(baseUrl), errorChapter(baseUrl)];
  const { title = 'API', description = '' } = (document.info ?? {}) as {
    title?: string;
    description?: string;
  };
  const contents = html`<nav aria-label="Contents">${navigation(tags, guide)}</nav>`;

  const groups = [...tags].map(
    ([tag, members]) => html`<section class="group" aria-labelledby="${anchor(tag)}">
<h2 id="${anchor(tag)}">${tag}</h2>
${members.map(endpoint => entry(endpoint, resolve, examples))}</section>
`,
  );

  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API reference</title>
<meta name="description" content="${description}">
<style>${{ markup: style }}</style>
</head>
<body id="top">
<a class="skip" href="#content">Skip to the content</a>
<details class="menu"><summary>${brand(title)}</summary>${contents}</details>
<div class="page">
<aside class="side"><a href="#top">${brand(title)}</a>${contents}</aside>
<main id="content">
${hero(title, description, baseUrl, endpoints, examples)}
${groups}
<section class="group" aria-labelledby="guide"><h2 id="guide">About all endpoints</h2>
${guide.map(chapter)}</section>
<footer>Made from <a href="/v1/openapi.json">the OpenAPI document</a> of this service.</footer>
</main>
</div>
</body>
</html>
`.markup;
}

/** A post with one arm, which is what the product is named after. */
function brand(title: string): Html {
  return html`<span class="brand"><svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M4.6 3h11.2a1 1 0 0 1 .75.34L20 7.2l-3.45 3.86a1 1 0 0 1-.75.34H4.6A1.1 1.1 0 0 1 3.5 10.3V4.1A1.1 1.1 0 0 1 4.6 3z"/><path d="M9 12.8h2.6v8.7H9z" opacity=".55"/></svg><span>${title} <small>API</small></span></span>`;
}

function navigation(tags: ReadonlyMap<string, readonly Endpoint[]>, guide: readonly Chapter[]): Html {
  const lists = [...tags].map(
    ([tag, members]) =>
      html`<h2>${tag}</h2><ul>${members.map(
        ({ id, summary, method }) =>
          html`<li><a href="#${id}">${summary} <span class="method ${method}">${method}</span></a></li>`,
      )}</ul>`,
  );
  return html`${lists}<h2>About all endpoints</h2><ul>${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
}

function hero(
  title: string,
  description: string,
  baseUrl: string,
  endpoints: readonly Endpoint[],
  examples: Examples,
): Html {
  const first = endpoints.find(({ method }) => method === 'POST');
  return html`<header class="hero"><div class="text">
<h1>${title} API</h1>
<p class="lead">${inline(description)}</p>
<p>Requests and answers are JSON in UTF-8. Within v1 changes only add: a field, an endpoint, a word in a list. Write clients that pass
over what they do not know.</p>
<dl class="facts">
<div><dt>Base URL</dt><dd><code>${baseUrl}</code></dd></div>
<div><dt>Key</dt><dd><a href="#authentication">Bearer token</a></dd></div>
<div><dt>Machine-readable</dt><dd><a href="/v1/openapi.json">OpenAPI 3.1</a></dd></div>
</dl></div>
${first ? html`<div class="board">${board(html`<b>Your first code</b>`, shell(examples.curl(first)))}</div>` : undefined}</header>`;
}

function entry(endpoint: Endpoint, resolve: Resolve, examples: Examples): Html {
  const { id, method, path, summary, description, isPublic, parameters, body, responses } = endpoint;
  const [status = '', success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const { schema: answer, example } = success?.content?.['application/json'] ?? {};
  const answerFields = answer ? fieldTable('Fields of the answer', fieldsOf(answer, resolve), '') : undefined;
  return html`<article class="entry" id="${id}"><div class="text">
<h3>${summary}</h3>
<p class="route"><span class="method ${method}">${method}</span> <code>${path}</code>${
    isPublic ? html` <span class="open">needs no key</span>` : undefined
  }</p>
${prose(description)}
${parameterTable('Path', 'path', parameters, resolve)}
${parameterTable('Query', 'query', parameters, resolve)}
${parameterTable('Headers', 'header', parameters, resolve)}
${body ? fieldTable('Body', fieldsOf(body, resolve), 'required') : undefined}
${answerFields ? html`<details class="more"><summary>Fields of the answer</summary>${answerFields}</details>` : undefined}
${errors(endpoint)}
</div><div class="board">
${board(html`<b>Request</b>`, shell(examples.curl(endpoint)))}
${board(
  html`<b>${status}</b> ${success?.description}`,
  answer
    ? json(example ?? examples.response(answer))
    : html`${Object.keys(success?.content ?? {}).join('\n')}`,
)}
</div></article>
`;
}

function parameterTable(
  caption: string,
  place: Parameter['in'],
  parameters: readonly Parameter[],
  resolve: Resolve,
): Html | undefined {
  const fields = parameters
    .filter(parameter => parameter.in === place)
    .map(({ name, required = false, description, schema }) => ({
      name,
      required,
      schema: { ...resolve(schema), ...(description ? { description } : {}) },
    }));
  return fieldTable(caption, fields, 'required');
}

/** The refusals of an endpoint. The document names their codes in the description of each status. */
function errors({ responses }: Endpoint): Html | undefined {
  const refusals = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
  const items = refusals.flatMap(([status, { description = '' }]) =>
    [...description.matchAll(/`(\w+)`/g)]
      .map(match => match[1] ?? '')
      .filter(code => code in errorTable)
      .map(code => html`<li><a href="#error-${code}"><b>${status}</b>${code}</a></li>`),
  );
  return items.length > 0 ? html`<h4>Errors</h4><ul class="chips">${items}</ul>` : undefined;
}

function chapter({ id, title, text, board: code }: Chapter): Html {
  const side = code ? html`<div class="board">${code}</div>` : undefined;
  return html`<article class="entry${code ? '' : ' wide'}" id="${id}"><div class="text"><h3>${title}</h3>${text}</div>${side}</article>
`;
}

const anchor = (tag: string) => `tag-${tag.toLowerCase().replace(/\W+/g, '-')}`;
