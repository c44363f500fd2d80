import { openApiDocument } from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import { closedAnswers } from './openapi/closed-answers.ts';
import type { Json } from './openapi/document.ts';
import { lostOrNarrowed } from './openapi-compat.ts';

/** A document with one of each construct. */
const promise = (): Json => ({
  security: [{ apiKey: [] }],
  paths: {
    '/codes': {
      get: {
        security: [],
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 100 },
          },
          { $ref: '#/components/parameters/Status' },
        ],
        responses: {
          '200': {
            headers: { 'X-Request-Id': { schema: { type: 'string' } } },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Code' } } },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          '404': { description: 'None.' },
        },
      },
      post: {
        requestBody: {
          required: false,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/NewCode' } },
            'text/plain': { schema: { type: 'string' } },
          },
        },
        responses: { '201': { description: 'Made.' } },
      },
    },
    '/gone': { get: { responses: {} } },
  },
  webhooks: {
    'code.made': {
      post: {
        parameters: [{ name: 'signature', in: 'header', schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Code' } } } },
      },
    },
  },
  components: {
    parameters: {
      Status: { name: 'status', in: 'query', schema: { type: 'string', enum: ['active', 'paused'] } },
    },
    schemas: {
      Code: {
        type: 'object',
        required: ['id', 'status'],
        properties: {
          id: { type: 'string' },
          status: { type: 'string', enum: ['active', 'paused'] },
          scans: { type: 'integer' },
          place: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          made: { type: 'string', format: 'date-time' },
          parent: { $ref: '#/components/schemas/Code' },
        },
      },
      NewCode: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255 },
          url: { type: 'string', pattern: '^http' },
          label: { type: 'string', pattern: '^[^\\u0000\\uD800-\\uDFFF]+$' },
          note: { type: 'string' },
          size: { type: 'number' },
          kind: { type: 'string', enum: ['url', 'text'] },
          tags: { type: 'array', minItems: 0, maxItems: 10, items: { type: 'string', maxLength: 20 } },
          style: { $ref: '#/components/schemas/Style' },
        },
        anyOf: [{ required: ['url'] }, { required: ['note'] }],
      },
      Style: { type: 'object', properties: { color: { type: 'string' } } },
    },
  },
});

const get = 'paths./codes.get';
const post = 'paths./codes.post';
const answer = `${get}.responses.200`;
const limit = `${get}.parameters.0`;
const code = 'components.schemas.Code';
const newCode = 'components.schemas.NewCode';
const field = (name: string) => `${newCode}.properties.${name}`;
const answered = (name: string) => `${code}.properties.${name}`;

/** The changes found when the released document has `value` at `place`, or lacks it if there is no value. */
function found(place: string, value?: unknown): string[] {
  return lostOrNarrowed(promise(), changed(promise(), place, value));
}

/** The steps of a place are separated by dots; a dot within a step is written as an exclamation mark. */
function changed(document: Json, place: string, value: unknown): Json {
  const steps = place.split('.').map(step => step.replaceAll('!', '.'));
  const last = steps.pop() ?? '';
  const parent = steps.reduce<Json>((node, step) => node[step] as Json, document) as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return document;
}

test('a document is compatible with itself', () => {
  expect(lostOrNarrowed(promise(), promise())).toEqual([]);
  const ours = openApiDocument('https://qr.example');
  expect(lostOrNarrowed(ours, structuredClone(ours))).toEqual([]);
});

describe('a removal is found', () => {
  test.each([
    ['a path', 'paths./gone', '/gone: path lost'],
    ['an operation', post, 'POST /codes: operation lost'],
    ['a response status', `${get}.responses.404`, 'GET /codes: response 404: lost'],
    [
      'a response header',
      `${answer}.headers.X-Request-Id`,
      'GET /codes: response 200: header X-Request-Id: lost',
    ],
    ['a media type', `${answer}.content.text/csv`, 'GET /codes: response 200: media type text/csv: lost'],
    ['a body', `${post}.requestBody`, 'POST /codes: body: lost'],
    [
      'a media type of a body',
      `${post}.requestBody.content.text/plain`,
      'POST /codes: body: media type text/plain lost',
    ],
    ['a field of a body', field('note'), 'POST /codes: body.note: lost'],
    [
      'a nested field of a body',
      'components.schemas.Style.properties.color',
      'POST /codes: body.style.color: lost',
    ],
  ])('%s', (_what, place, finding) => {
    expect(found(place)).toEqual([finding]);
  });

  test('a parameter', () => {
    expect(found(`${get}.parameters`, [])).toEqual([
      'GET /codes: query parameter limit: lost',
      'GET /codes: query parameter status: lost',
    ]);
  });

  test('a field of a response', () => {
    const finding = 'GET /codes: response 200: media type application/json[].scans: lost';
    expect(found(answered('scans'))).toContain(finding);
  });
});

describe('a request that is accepted less freely is found', () => {
  const requiredParameter = { name: 'limit', in: 'query', required: true, schema: {} };
  const oneStatus = { name: 'status', in: 'query', schema: { type: 'string', enum: ['active'] } };
  test.each<[string, string, unknown, string]>([
    ['a parameter newly required', `${limit}.required`, true, 'query parameter limit: newly required'],
    [
      'a new parameter, required',
      `${get}.parameters.2`,
      { ...requiredParameter, name: 'a' },
      'query parameter a: newly required',
    ],
    [
      'a lower maximum',
      `${limit}.schema.maximum`,
      50,
      'query parameter limit: maximum lowered from 100 to 50',
    ],
    ['a higher minimum', `${limit}.schema.minimum`, 2, 'query parameter limit: minimum raised from 1 to 2'],
    [
      'a value of a parameter lost',
      'components.parameters.Status',
      oneStatus,
      'query parameter status: allowed value "paused" lost',
    ],
    ['a body newly required', `${post}.requestBody.required`, true, 'body: newly required'],
    ['a field newly required', `${newCode}.required`, ['name', 'note'], 'body.note: newly required'],
    ['a new field, required', `${newCode}.required`, ['name', 'extra'], 'body.extra: newly required'],
    ['a type changed', `${field('note')}.type`, 'integer', 'body.note: type changed from string to integer'],
    [
      'a number become an integer',
      `${field('size')}.type`,
      'integer',
      'body.size: type changed from number to integer',
    ],
    ['a value lost', `${field('kind')}.enum`, ['url'], 'body.kind: allowed value "text" lost'],
    ['a list of values added', `${field('note')}.enum`, ['a'], 'body.note: a list of allowed values added'],
    ['maxLength lowered', `${field('name')}.maxLength`, 10, 'body.name: maxLength lowered from 255 to 10'],
    ['maxLength added', `${field('note')}.maxLength`, 10, 'body.note: maxLength 10 added'],
    ['minLength raised', `${field('name')}.minLength`, 2, 'body.name: minLength raised from 1 to 2'],
    ['minLength added', `${field('note')}.minLength`, 1, 'body.note: minLength 1 added'],
    ['maximum added', `${field('size')}.maximum`, 9, 'body.size: maximum 9 added'],
    ['minimum added', `${field('size')}.minimum`, 0, 'body.size: minimum 0 added'],
    ['maxItems lowered', `${field('tags')}.maxItems`, 5, 'body.tags: maxItems lowered from 10 to 5'],
    ['minItems raised', `${field('tags')}.minItems`, 1, 'body.tags: minItems raised from 0 to 1'],
    ['uniqueItems added', `${field('tags')}.uniqueItems`, true, 'body.tags: uniqueItems added'],
    [
      'an item narrowed',
      `${field('tags')}.items.maxLength`,
      2,
      'body.tags[]: maxLength lowered from 20 to 2',
    ],
    [
      'a pattern changed',
      `${field('url')}.pattern`,
      '^https',
      'body.url: pattern changed from ^http to ^https',
    ],
    [
      'a pattern that excludes more',
      `${field('label')}.pattern`,
      '^[^\\x01]+$',
      'body.label: pattern changed from ^[^\\u0000\\uD800-\\uDFFF]+$ to ^[^\\x01]+$',
    ],
    ['a pattern added', `${field('note')}.pattern`, 'a', 'body.note: pattern a added'],
    ['a format added', `${field('note')}.format`, 'uri', 'body.note: format uri added'],
    [
      'unknown fields refused',
      `${newCode}.additionalProperties`,
      false,
      'body: additionalProperties turned false',
    ],
    [
      'an alternative lost',
      `${newCode}.anyOf`,
      [{ required: ['url'] }],
      'body: alternative 2 lost or narrowed',
    ],
    [
      'alternatives added',
      `${field('note')}.anyOf`,
      [{ minLength: 9 }],
      'body.note: alternatives added, one of which must hold',
    ],
    [
      'a key asked for where none was',
      `${get}.security`,
      [{ apiKey: [] }],
      'security added to a public operation',
    ],
    ['the same by default', `${get}.security`, undefined, 'security added to a public operation'],
    ['a way in lost', `${post}.security`, [{ oauth: [] }], 'security apiKey lost'],
  ])('%s', (_what, place, value, finding) => {
    expect(found(place, value)).toEqual([expect.stringMatching(/^(GET|POST) \/codes: /)]);
    expect(found(place, value)[0]).toContain(`: ${finding}`);
  });
});

describe('a response that changes its meaning is found', () => {
  const place = 'GET /codes: response 200: media type application/json[]';
  test.each<[string, string, unknown, string]>([
    [
      'a field no longer certain',
      `${code}.required`,
      ['id'],
      '.status: was always there and is now optional',
    ],
    ['a type changed', answered('scans'), { type: 'string' }, '.scans: type changed from integer to string'],
    [
      'an integer become a number',
      answered('scans'),
      { type: 'number' },
      '.scans: type changed from integer to number',
    ],
    [
      'a null that was not',
      answered('scans'),
      { type: ['integer', 'null'] },
      '.scans: type changed from integer to integer or null',
    ],
    ['a type no longer told', answered('scans'), {}, '.scans: type changed from integer to anything'],
    ['a format lost', `${answered('made')}.format`, undefined, '.made: format date-time lost'],
    [
      'a new alternative',
      `${answered('place')}.anyOf.2`,
      { type: 'integer' },
      '.place: an alternative that was not there before',
    ],
  ])('%s', (_what, at, value, finding) => {
    expect(found(at, value)).toContain(`${place}${finding}`);
  });

  test('a header of another type', () => {
    expect(found(`${answer}.headers.X-Request-Id.schema.type`, 'integer')).toEqual([
      'GET /codes: response 200: header X-Request-Id: type changed from string to integer',
    ]);
  });
});

describe('a union that an old client cannot read is found', () => {
  const { Code } = (promise().components as { schemas: { Code: Json } }).schemas;
  const { scans, ...others } = Code.properties as Json;
  const { status, ...withoutStatus } = Code.properties as Json;
  test.each<[string, object, string]>([
    ['a field that was certain', { ...Code, properties: withoutStatus }, '.status: lost'],
    [
      'one that is no longer certain',
      { ...Code, required: ['id'] },
      '.status: was always there and is now optional',
    ],
    [
      'a field of another type',
      { ...Code, properties: { ...others, scans: { type: 'string' } } },
      '.scans: type changed',
    ],
  ])('%s', (_what, other, finding) => {
    expect(found(code, { oneOf: [Code, other] }).join('\n')).toContain(`application/json[]${finding}`);
  });

  test('an optional field that no alternative has', () => {
    const short = { ...Code, properties: others };
    expect(found(code, { oneOf: [short, short] }).join('\n')).toContain('application/json[].scans: lost');
  });
});

describe('an event is read like a response', () => {
  const event = 'webhooks.code!made.post';
  test.each<[string, string, unknown, string]>([
    ['an event lost', 'webhooks.code!made', undefined, 'event code.made: lost'],
    ['a header lost', `${event}.parameters`, [], 'event code.made: header signature: lost'],
    [
      'a field lost',
      answered('scans'),
      undefined,
      'event code.made: media type application/json.scans: lost',
    ],
  ])('%s', (_what, place, value, finding) => {
    expect(found(place, value)).toContain(finding);
  });
});

describe('a closed answer is found', () => {
  const open = (): Json => {
    const document = promise() as { components: { schemas: { Code: { properties: Record<string, Json> } } } };
    document.components.schemas.Code.properties.status = { type: 'string', 'x-extensible-enum': ['active'] };
    return document;
  };
  const closedWith = (place: string, value: unknown) => closedAnswers(changed(open(), place, value));
  const inBoth = (what: string) => [
    `GET /codes: response 200: media type application/json[]${what}`,
    `event code.made: media type application/json${what}`,
  ];

  test('an open document has none, closed bodies or not', () => {
    expect(closedAnswers(open())).toEqual([]);
    expect(closedWith(`${newCode}.additionalProperties`, false)).toEqual([]);
    expect(closedWith(answered('kind'), { type: 'string', const: 'code' })).toEqual([]);
  });

  test.each<[string, string, unknown, string]>([
    ['an object', `${code}.additionalProperties`, false, ': closed to new fields'],
    ['by the other keyword', `${code}.unevaluatedProperties`, false, ': closed to new fields'],
    [
      'a list of values',
      answered('status'),
      { type: 'string', enum: ['a'] },
      '.status: closed to new values',
    ],
    [
      'an inner object',
      answered('style'),
      { type: 'object', additionalProperties: false },
      '.style: closed to new fields',
    ],
    [
      'one in a list',
      answered('all'),
      { type: 'array', items: { enum: ['a'] } },
      '.all[]: closed to new values',
    ],
    [
      'one in a map',
      answered('by'),
      { additionalProperties: { enum: ['a'] } },
      '.by.*: closed to new values',
    ],
    [
      'an alternative',
      answered('place'),
      { anyOf: [{ additionalProperties: false }, { type: 'null' }] },
      '.place: closed to new fields',
    ],
  ])('%s', (_what, place, value, finding) => {
    expect(closedWith(place, value)).toEqual(inBoth(finding));
  });

  test('a header, and an error', () => {
    expect(closedWith(`${answer}.headers.X-Request-Id.schema.enum`, ['a'])).toEqual([
      'GET /codes: response 200: header X-Request-Id: closed to new values',
    ]);
    const error = { content: { 'application/json': { schema: { additionalProperties: false } } } };
    expect(closedWith(`${get}.responses.404`, error)).toEqual([
      'GET /codes: response 404: media type application/json: closed to new fields',
    ]);
  });

  test('ours has none, and closing any of its responses is found', () => {
    const ours = openApiDocument('https://qr.example') as { components: { schemas: Record<string, Json> } };
    expect(closedAnswers(ours)).toEqual([]);
    for (const name of [
      'QrCode',
      'Error',
      'Scannability',
      'BulkFailed',
      'ScanCreatedEvent',
      'WebhookAttempt',
    ]) {
      const closing = structuredClone(ours);
      closing.components.schemas[name] = { ...closing.components.schemas[name], additionalProperties: false };
      expect(closedAnswers(closing), name).not.toEqual([]);
    }
  });
});

describe('an addition is allowed', () => {
  const { required, ...rest } = (promise().components as { schemas: { Code: Json } }).schemas.Code;
  const fields = rest.properties as Json;
  test.each<[string, string, unknown]>([
    ['a path', 'paths./new', { get: { responses: {} } }],
    ['an operation', 'paths./codes.delete', { responses: {} }],
    ['a parameter that may be left out', `${get}.parameters.2`, { name: 'a', in: 'query', schema: {} }],
    ['a field of a body that may be left out', field('extra'), { type: 'string' }],
    ['a field no longer required', `${newCode}.required`, []],
    ['a value of a request', `${field('kind')}.enum`, ['url', 'text', 'card']],
    ['a wider upper limit', `${field('name')}.maxLength`, 999],
    ['a wider lower limit', `${field('name')}.minLength`, 0],
    ['a limit lifted', `${field('name')}.maxLength`, undefined],
    ['a pattern in other escapes, without surrogates', `${field('label')}.pattern`, '^[^\\x00]+$'],
    ['a pattern lifted', `${field('url')}.pattern`, undefined],
    ['a minLength that limits nothing', `${field('note')}.minLength`, 0],
    ['one more type of a request', `${field('note')}.type`, ['string', 'null']],
    ['an integer of a request become a number', `${limit}.schema.type`, 'number'],
    ['one more alternative of a request', `${newCode}.anyOf.2`, { required: ['kind'] }],
    ['a field of a response', answered('extra'), { type: 'string' }],
    ['a field of a response now certain', `${code}.required`, ['id', 'status', 'scans']],
    ['a value of a response gained', `${answered('status')}.enum`, ['active', 'paused', 'draft']],
    ['a value of a response lost', `${answered('status')}.enum`, ['active']],
    ['a limit on a response', `${answered('scans')}.minimum`, 0],
    ['a response status', `${get}.responses.429`, { description: 'Wait.' }],
    [
      'an object become a union, with each optional field in one of them',
      code,
      {
        oneOf: [
          { ...rest, required },
          { ...rest, properties: { id: fields.id, status: { const: 'lost' } }, required },
        ],
      },
    ],
    ['an event', 'webhooks.code!lost', { post: {} }],
    ['a response header', `${answer}.headers.Extra`, { schema: { type: 'string' } }],
    ['a media type', `${answer}.content.text/html`, { schema: { type: 'string' } }],
    ['a key no longer asked for', `${post}.security`, []],
    ['a schema moved behind a reference', field('note'), { $ref: '#/components/schemas/Code/properties/id' }],
    ['a schema split by allOf', code, { allOf: [rest, { required }] }],
  ])('%s', (_what, place, value) => {
    expect(found(place, value)).toEqual([]);
  });
});
