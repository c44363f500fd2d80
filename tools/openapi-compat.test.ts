import { openApiDocument } from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import type { Json } from './openapi/document.ts';
import { lostOrNarrowed } from './openapi-compat.ts';

/** A document with one of everything. */
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

/** What is found when the promise holds `value` at `place`, or nothing at all there without a value. */
function found(place: string, value?: unknown): string[] {
  const now = promise();
  const steps = place.split('.');
  const last = steps.pop() ?? '';
  const parent = steps.reduce<Json>((node, step) => node[step] as Json, now) as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return lostOrNarrowed(promise(), now);
}

test('a document promises no less than itself', () => {
  expect(lostOrNarrowed(promise(), promise())).toEqual([]);
  const ours = openApiDocument('https://qr.example');
  expect(lostOrNarrowed(ours, structuredClone(ours))).toEqual([]);
});

describe('what is lost is found', () => {
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

describe('a request that is taken less freely is found', () => {
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

describe('a response that reads otherwise is found', () => {
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

describe('what only adds passes', () => {
  const { required, ...rest } = (promise().components as { schemas: { Code: Json } }).schemas.Code;
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
    ['a response header', `${answer}.headers.Extra`, { schema: { type: 'string' } }],
    ['a media type', `${answer}.content.text/html`, { schema: { type: 'string' } }],
    ['a key no longer asked for', `${post}.security`, []],
    ['a schema moved behind a reference', field('note'), { $ref: '#/components/schemas/Code/properties/id' }],
    ['a schema split by allOf', code, { allOf: [rest, { required }] }],
  ])('%s', (_what, place, value) => {
    expect(found(place, value)).toEqual([]);
  });
});
