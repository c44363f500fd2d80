import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Webhook } from 'standardwebhooks';
import type Type from 'typebox';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ErrorBody, errorCodes, errorTable } from './errors.ts';
import { errorExamples, eventExamples, operationExamples } from './examples.ts';
import { openApiDocument } from './openapi.ts';
import { binaryTypes, missingExamples } from './openapi-examples.ts';
import { errorsOf, type Operation, operations } from './operations.ts';
import {
  AccountReleasedEvent,
  AccountSuspendedEvent,
  QrCodeReleasedEvent,
  QrCodeSuspendedEvent,
  ScanCreatedEvent,
  type WebhookEventKind,
  webhookEventKinds,
} from './webhooks.ts';

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));

/** A field that the schema does not know is a breach too, also where the schema would let it pass. */
function expectToFit(schema: Type.TSchema, value: unknown, what: string): void {
  const validate = ajv.compile(closed(JSON.parse(JSON.stringify(schema))) as object);
  expect(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).map(([key, value]) => [key, closed(value)]);
  const { properties, additionalProperties } = node as Type.TObject & { additionalProperties?: unknown };
  const isOpen = properties && Object.keys(properties).length > 0 && additionalProperties === undefined;
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties: false } : {}) };
}

const all = Object.values<Operation>(operations);

test('every operation, error and event has an example: run npm run examples', () => {
  expect(missingExamples()).toEqual([]);
  expect(Object.keys(operationExamples).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
});

test('an operation, an error and an event without one are found', async () => {
  const { createQrCode: _without, ...operationsLeft } = operationExamples;
  const { 'scan.created': _scan, ...eventsLeft } = eventExamples;
  vi.resetModules();
  vi.doMock('./examples.ts', () => ({
    operationExamples: operationsLeft,
    errorExamples: errorExamples.filter(({ response }) => response.error.code !== 'gone'),
    eventExamples: eventsLeft,
  }));
  const poorer = await import('./openapi-examples.ts');
  vi.doUnmock('./examples.ts');
  expect(poorer.missingExamples()).toEqual([
    'createQrCode: body',
    'createQrCode: application/json',
    'error gone',
    'event scan.created',
  ]);
});

describe.each(all.map(operation => [operation.id, operation] as const))('%s', (id, operation) => {
  const example = operationExamples[id as keyof typeof operations];

  test('its example fits the schemas of its path, query and body', () => {
    const parts = [
      ['params', operation.params],
      ['query', operation.query],
      ['body', operation.body],
    ] as const;
    for (const [part, schema] of parts) {
      if (schema === undefined) expect(example[part], part).toBeUndefined();
      else if (part === 'body' || example[part] !== undefined) expectToFit(schema, example[part], part);
    }
  });

  test('its example has the status and the form of its success', () => {
    const { success } = operation;
    expect(example.status).toBe(success.status);
    if ('schema' in success) expectToFit(success.schema, example.response, 'response');
    if (!('streams' in success)) return;
    const byType = { [example.contentType]: example.response, ...example.otherResponses };
    for (const [type, schema] of Object.entries(success.streams)) {
      if (schema) expectToFit(schema, byType[type], type);
      else if (!binaryTypes.has(type)) expect(byType[type], type).toBeTypeOf('string');
    }
  });
});

describe.each(errorExamples.map(example => [example.response.error.code, example] as const))(
  'the refusal %s',
  (code, { operation, status, response }) => {
    test('is one that the operation can give, with its status', () => {
      expectToFit(ErrorBody, response, code);
      expect(status).toBe(errorTable[code].status);
      if (operation) expect(errorsOf(operations[operation])).toContain(code);
    });
  },
);

const eventSchemas: Record<WebhookEventKind, Type.TSchema> = {
  'scan.created': ScanCreatedEvent,
  'qrcode.suspended': QrCodeSuspendedEvent,
  'qrcode.released': QrCodeReleasedEvent,
  'account.suspended': AccountSuspendedEvent,
  'account.released': AccountReleasedEvent,
};

describe.each(webhookEventKinds)('the event %s', kind => {
  const { headers, body, secret } = eventExamples[kind];
  afterEach(() => void vi.useRealTimers());

  test('fits its schema', () => {
    expectToFit(eventSchemas[kind], JSON.parse(body), kind);
  });

  test('can be verified with the secret that is shown, and with no other byte of the body', () => {
    vi.useFakeTimers({ now: Number(headers['webhook-timestamp']) * 1000 });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  });
});

// biome-ignore lint/suspicious/noExplicitAny: examples of every shape
type AnyExample = { readonly params: Record<string, string>; readonly body: any; readonly response: any };

describe('the examples tell one story', () => {
  const { createQrCode, getQrCode, createWebhook, getWebhookDelivery } =
    operationExamples as unknown as Record<keyof typeof operations, AnyExample>;

  test('a new code has no scans, and is the one that is read and scanned later', () => {
    expect(createQrCode.response).toMatchObject({ ...createQrCode.body, total_scans: 0, unique_scans: 0 });
    expect(getQrCode.params.id).toBe(createQrCode.response.id);
    expect(getQrCode.response.total_scans).toBeGreaterThan(0);
  });

  test('the image of a code is at an address of its id', () => {
    expect(createQrCode.response.image_url).toBe(
      `https://qr.example.com/images/${createQrCode.response.id}/public`,
    );
  });

  test('a secret is the one that signs', () => {
    expect(createWebhook.response.secret).toBe(eventExamples['scan.created'].secret);
  });

  test('a delivery that failed once and then arrived shows both attempts', () => {
    const log: { succeeded: boolean }[] = getWebhookDelivery.response.attempt_log;
    expect(log.map(({ succeeded }) => succeeded)).toEqual([false, true]);
  });
});

describe('the document', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument('https://qr.example.com')));
  const places = placesIn(document);
  const examples = places.flatMap(place => place.examples);
  const whole = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  whole.addSchema({ $id: 'document', ...document });

  test('every example fits the schema that it stands beside', () => {
    expect(places.length).toBeGreaterThan(all.length);
    // Most places have the schema of another one, and to compile one takes long.
    for (const alike of Map.groupBy(places, place => place.schema).values()) {
      const validate = whole.compile({ $ref: `document${alike[0]!.pointer}/schema` });
      for (const { pointer, examples } of alike)
        for (const example of examples)
          expect(validate(example), `${pointer}: ${whole.errorsText(validate.errors)}`).toBe(true);
    }
  });

  test('has an example of every operation, and one of every code that an operation can give', () => {
    for (const { id, method, path, success } of all) {
      const { responses } = document.paths[path][method.toLowerCase()];
      for (const type of Object.keys(responses[success.status].content))
        if (!binaryTypes.has(type)) expect(responses[success.status].content[type].example, id).toBeDefined();
    }
    for (const operation of all) {
      const { responses } = document.paths[operation.path][operation.method.toLowerCase()];
      const codes = errorsOf(operation).filter(code => {
        const { $ref, content } = responses[errorTable[code].status];
        const shared = $ref && document.components.responses[$ref.split('/').at(-1)];
        return (content ?? shared.content)['application/json'].examples[code] === undefined;
      });
      expect(codes, operation.id).toEqual([]);
    }
    expect(errorCodes.length).toBeGreaterThan(20);
  });

  test.each(webhookEventKinds)('has the body of %s byte for byte, and its signature', kind => {
    const { parameters, requestBody, description } = document.webhooks[kind].post;
    const { headers, body, secret } = eventExamples[kind];
    expect(JSON.stringify(requestBody.content['application/json'].example)).toBe(body);
    for (const { name, required, example } of parameters) if (required) expect(example).toBe(headers[name]);
    expect(description).toContain(secret);
  });

  test('shows no placeholder and no shortened id', () => {
    expect(examples.length).toBeGreaterThan(all.length);
    for (const example of examples) {
      const strings = stringsIn(example);
      expect(strings.filter(text => /^(text|string|example|foo|bar)$/i.test(text))).toEqual([]);
      expect(strings.filter(text => /\b(qr|scan|whk|msg|req|acct)_\S*(…|\.\.\.)/.test(text))).toEqual([]);
    }
  });

  test('shows no API key', () => {
    expect(JSON.stringify(examples)).not.toMatch(/sk_(live|test)_[0-9A-Za-z]/);
  });
});

type Place = { readonly pointer: string; readonly schema: string; readonly examples: readonly unknown[] };

/** Everything in the document that has a schema with examples beside it. */
function placesIn(node: unknown, pointer = '#'): Place[] {
  if (node === null || typeof node !== 'object') return [];
  const { schema, example, examples } = node as { schema?: object; example?: unknown; examples?: object };
  if (schema !== undefined) {
    const named = Object.values(examples ?? {}).map(({ value }) => value);
    const all = [...(example === undefined ? [] : [example]), ...named];
    return all.length > 0 ? [{ pointer, schema: JSON.stringify(schema), examples: all }] : [];
  }
  return Object.entries(node).flatMap(([key, value]) => placesIn(value, `${pointer}/${escapePointer(key)}`));
}

const escapePointer = (step: string) =>
  step.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
}
