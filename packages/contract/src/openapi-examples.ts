import { type ErrorCode, errorCodes } from './errors.ts';
import { type ErrorExample, errorExamples, eventExamples, operationExamples } from './examples.ts';
import { type Operation, operations } from './operations.ts';
import { type WebhookEventKind, webhookEventKinds } from './webhooks.ts';

/** `example` for a body or parameter, as OpenAPI writes it; nothing where there is none. */
type Shown = { readonly example?: unknown };

const shown = (example: unknown): Shown => (example === undefined ? {} : { example });

/** Operations of the dashboard have no examples. */
const exampleOf = (id: string) =>
  Object.hasOwn(operations, id) ? operationExamples[id as PublicId] : undefined;

type PublicId = keyof typeof operations;

export const requestExample = ({ id }: Operation): Shown => shown(exampleOf(id)?.body);

export function responseExample({ id }: Operation, mediaType: string): Shown {
  const example = exampleOf(id);
  if (binaryTypes.has(mediaType)) return {};
  return shown(example?.contentType === mediaType ? example.response : example?.otherResponses?.[mediaType]);
}

export function parameterExample({ id }: Operation, place: 'path' | 'query' | 'header', name: string): Shown {
  const { params, query, headers } = exampleOf(id) ?? {};
  return shown({ path: params, query, header: headers }[place]?.[name]);
}

/** Real refusals with these codes: those nearest to the operation, or where operations share them one of each kind. */
export function refusalExamples(
  operation: Operation,
  codes: readonly ErrorCode[],
  isShared: boolean,
): { examples?: object } {
  if (!exampleOf(operation.id)) return {};
  const found = codes.flatMap(code => (isShared ? kindsOf(code) : nearestOf(code, operation)));
  return { examples: Object.fromEntries(found.map(([name, { response }]) => [name, { value: response }])) };
}

type Named = readonly [name: string, example: ErrorExample];

const refusalsWith = (code: ErrorCode) =>
  errorExamples.filter(({ response }) => response.error.code === code);

/** One for each message. The first has the name of the code, the others that of their operation too. */
function kindsOf(code: ErrorCode): readonly Named[] {
  const byMessage = new Map(
    refusalsWith(code)
      .toReversed()
      .map(example => [example.response.error.message, example]),
  );
  return [...byMessage.values()]
    .toReversed()
    .map((example, index) => [index === 0 ? code : `${code}-${example.operation}`, example]);
}

/** One of the operation itself, else one of its tag, else any. */
function nearestOf(code: ErrorCode, { id, tag }: Operation): readonly Named[] {
  const nearness = ({ operation }: ErrorExample) =>
    operation === null ? 0 : operation === id ? 2 : operations[operation].tag === tag ? 1 : 0;
  return refusalsWith(code)
    .toSorted((a, b) => nearness(b) - nearness(a))
    .slice(0, 1)
    .map(example => [code, example]);
}

/** What a receiver gets, with a note of the secret by which the signature can be verified. */
export function eventExample(kind: string) {
  const example = Object.hasOwn(eventExamples, kind) ? eventExamples[kind as WebhookEventKind] : undefined;
  return {
    header: (name: string): Shown => shown(example?.headers[name]),
    body: shown(example && JSON.parse(example.body)),
    note: example
      ? ` The example is signed with the secret \`${example.secret}\`; its body is sent without white space.`
      : '',
  };
}

/** Files that cannot be written into JSON, or that say nothing to a reader. */
export const binaryTypes: ReadonlySet<string> = new Set([
  'image/png',
  'application/pdf',
  'application/postscript',
  'application/zip',
]);

/** What lacks an example. A build fails on it; a server starts, or nobody could record the example of a new operation. */
export function missingExamples(): readonly string[] {
  const ofOperations = Object.values<Operation>(operations).flatMap(operation => {
    const lacks = (what: string, { example }: Shown) =>
      example === undefined ? [`${operation.id}: ${what}`] : [];
    const { success } = operation;
    const all =
      'schema' in success
        ? ['application/json']
        : 'files' in success
          ? success.files
          : Object.keys(success.streams);
    const types = all.filter(type => !binaryTypes.has(type));
    return [
      ...Object.keys(operation.params?.properties ?? {}).flatMap(name =>
        lacks(`path parameter ${name}`, parameterExample(operation, 'path', name)),
      ),
      ...(operation.body ? lacks('body', requestExample(operation)) : []),
      ...types.flatMap(type => lacks(type, responseExample(operation, type))),
    ];
  });
  const refused = new Set(errorExamples.map(({ response }) => response.error.code));
  return [
    ...ofOperations,
    ...errorCodes.filter(code => !refused.has(code)).map(code => `error ${code}`),
    ...webhookEventKinds.filter(kind => !eventExamples[kind]).map(kind => `event ${kind}`),
  ];
}
