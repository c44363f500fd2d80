import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { at, children, type Json, list, type Node } from '../openapi/document.ts';

/** Every request that the service answers, according to its OpenAPI documents. */
export type Api = {
  /** Why the service would not answer such a request, or undefined. */
  requestFault(request: Request): string | undefined;
};

type Request = {
  readonly method: string;
  /** With a query or without. Any text may stand for an id. */
  readonly target: string;
  readonly body?: string | undefined;
};

type Operation = {
  readonly method: string;
  readonly pattern: RegExp;
  readonly queries: ReadonlySet<string>;
  readonly isBody: ValidateFunction | undefined;
};

/** Answered, but in no document: short links and pages beside them, public images, the dashboard. */
const besides = /^\/([^/]*|images\/[^/]+\/public|app\/.*)$/;

export function createApi(documents: readonly Json[]): Api {
  const operations = documents.flatMap(operationsOf);
  return {
    requestFault({ method, target, body }) {
      const [path = '', query = ''] = target.split('?');
      // A session may do with codes what a key may, under /account.
      const plain = path.replace(/^\/account(?=\/v1\/)/, '');
      const wanted = method === 'HEAD' ? 'GET' : method;
      const operation = operations.find(one => one.method === wanted && one.pattern.test(plain));
      if (!operation) {
        return wanted === 'GET' && besides.test(path)
          ? undefined
          : `${method} ${path} is no operation of the API`;
      }
      const unknown = [...new URLSearchParams(query).keys()].find(name => !operation.queries.has(name));
      if (unknown) return `${method} ${path} has no parameter ${unknown}`;
      return body === undefined ? undefined : bodyFault(body, operation);
    },
  };
}

function bodyFault(text: string, { isBody }: Operation): string | undefined {
  if (!isBody) return 'the operation takes no body';
  try {
    if (isBody(JSON.parse(text))) return undefined;
  } catch (error) {
    return `the body is no JSON: ${(error as Error).message}`;
  }
  const [error] = isBody.errors ?? [];
  return `the operation does not take the body: ${error?.instancePath} ${error?.message}`;
}

function operationsOf(document: Json, index: number): readonly Operation[] {
  const name = `document-${index}`;
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: name, ...document });
  const root: Node = { value: document, root: document };
  return [...children(root, 'paths')].flatMap(([path, methods]) =>
    [...children({ value: { methods: methods.value }, root: document }, 'methods')].map(
      ([method, operation]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
        queries: new Set(
          list(operation, 'parameters')
            .filter(({ value }) => value.in === 'query')
            .map(({ value }) => String(value.name)),
        ),
        isBody: at(operation, 'requestBody')
          ? ajv.compile({
              $ref: `${name}#/paths/${escaped(path)}/${method}/requestBody/content/application~1json/schema`,
            })
          : undefined,
      }),
    ),
  );
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
