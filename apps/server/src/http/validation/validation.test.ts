import {
  accountOperations,
  CreateQrCode,
  CreateWebhook,
  ErrorBody,
  ListQrCodesQuery,
  type Operation,
  operations,
  UpdateQrCode,
  UpsertQrCode,
} from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import { compileQueryValidator, compileValidator } from './validation.ts';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
  readonly type?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
};

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };

/** Everything that a validator says is wrong. */
function faultsOf(schema: object, data: unknown) {
  const result = compileValidator(schema)(data);
  return 'error' in result ? (result.error.details.errors ?? []) : [];
}

const paramsOf = (schema: object, data: unknown) => faultsOf(schema, data).map(fault => fault.param);

describe('every schema of the contract refuses in words', () => {
  /** Every schema inside of one, itself included. */
  function* within(schema: Schema): Generator<Schema> {
    yield schema;
    const inside = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), schema.items];
    for (const one of inside) if (one) yield* within(one);
  }
  const all: Operation[] = Object.values({ ...operations, ...accountOperations });
  const whole = all.flatMap(({ params, query, body, success }) => [
    params,
    query,
    body,
    'schema' in success ? success.schema : undefined,
    ...('streams' in success ? Object.values(success.streams) : []),
  ]);
  const schemas = [...new Set([...whole, ErrorBody].flatMap(one => (one ? [...within(one as Schema)] : [])))];

  const wrong = [
    '',
    ' ',
    '\u0000',
    '\ud800',
    '-x-',
    'no such thing',
    'x'.repeat(5000),
    -1,
    1.5,
    1e12,
    true,
    false,
    null,
    [],
    Array(501).fill({}),
    { 'no such field': 1 },
  ];
  /** Regular expressions, and what only somebody says who has a schema before them. */
  const jargon =
    /[\^$\\[\]{}|*<>]|\(\?|must match|pattern|must NOT|additional propert|allowed value|schema|integer|boolean|undefined/;

  const messagesOf = (schema: Schema) => {
    const validate = compileValidator({ type: 'object', properties: { field: schema } });
    return wrong.flatMap(value => {
      const result = validate({ field: value });
      if (!('error' in result)) return [];
      const errors = result.error.details.errors!;
      // A dashboard in another language goes by the code.
      for (const { message, problem } of errors) expect(problem?.code, message).toBeTypeOf('string');
      return errors.map(fault => fault.message);
    });
  };

  test('those with a pattern, a list of words or a number', () => {
    const seen = { pattern: 0, format: 0, enum: 0, number: 0, object: 0 };
    for (const schema of schemas) {
      const messages = messagesOf(schema);
      const shown = JSON.stringify(schema).slice(0, 300);
      for (const message of messages) {
        expect(message, shown).not.toMatch(jargon);
        expect(message, shown).toMatch(/^(?:field[\w. ]* (?:must|is)|There is no field) .+[.?]$/s);
      }
      if (schema.pattern) {
        seen.pattern++;
        const form = (schema as { 'x-form'?: string })['x-form'];
        expect(form, shown).toBeTypeOf('string');
        expect(messages, shown).toContain(`field must be ${form}.`);
      }
      if (schema.enum && schema.type === 'string') {
        seen.enum++;
        const oneOf = schema.enum.length > 1 ? 'one of ' : '';
        expect(messages, shown).toContain(`field must be ${oneOf}${schema.enum.join(', ')}.`);
      }
      if (schema.format) seen.format++;
      if (schema.type === 'integer') seen.number++;
      if (schema.additionalProperties === false) {
        seen.object++;
        // Only the first faults are listed, and a missing field is one.
        const ofUnknown = messagesOf(Object.assign({}, schema, { required: [] })).join('\n');
        expect(ofUnknown, shown).toContain('There is no field field.no such field.');
      }
    }
    // The walk has been everywhere.
    expect(seen.pattern).toBeGreaterThan(25);
    expect(seen.enum).toBeGreaterThan(15);
    expect(seen.format).toBeGreaterThan(10);
    expect(seen.number).toBeGreaterThan(20);
    expect(seen.object).toBeGreaterThan(30);
  });

  test.each([
    [
      CreateQrCode,
      { ...menu, style: { dotsColor: 'red' } },
      'style.dotsColor must be a hex colour such as #1A2B3C.',
    ],
    [
      CreateQrCode,
      { ...menu, style: { dotsType: 'x' } },
      /^style\.dotsType must be one of square, dots, rounded,/,
    ],
    [CreateQrCode, { ...menu, short_code: '-' }, /^short_code must be 3 to 64 letters, digits, - or _,/],
    [CreateQrCode, { ...menu, name: 7 }, 'name must be text.'],
    [operations.bulkCreateQrCodes.body, { items: [] }, 'items must have 1 to 500 entries.'],
    [
      operations.rotateWebhookSecret.body,
      { old_secret_expires_in: -1 },
      'old_secret_expires_in must be a whole number from 0 to 604,800.',
    ],
    [
      CreateWebhook,
      { url: 'https://e.com', description: 'x'.repeat(256) },
      'description must be at most 255 characters of well-formed text.',
    ],
    [
      accountOperations.signUp.body,
      { name: 'A', email: 'a', password: '1234567890' },
      /^email must be an e-mail address/,
    ],
    [
      accountOperations.signUp.body,
      { name: 'A', email: 'a@b.example', password: '1' },
      'password must be 10 to 128 characters.',
    ],
    [
      accountOperations.createKey.body,
      { name: ' ', mode: 'live', current_password: 'x' },
      /^name must be 1 to 100 characters/,
    ],
    [
      CreateQrCode,
      { ...menu, titel: 1, slug: 'x' },
      'There is no field titel. Leave it out, or check its spelling.',
    ],
    [CreateQrCode, { ...menu, slug: 'x' }, 'There is no field slug. Did you mean short_code?'],
    [
      CreateQrCode,
      { ...menu, destinationUrl: 'x' },
      'There is no field destinationUrl. Did you mean destination_url?',
    ],
  ])('%#', (schema, body, message) => {
    const [first] = faultsOf(schema, body);
    if (typeof message === 'string') expect(first!.message).toBe(message);
    else expect(first!.message).toMatch(message);
  });

  const edit = operations.bulkEditQrCodes.body;
  test.each<[string, object, object, string, string]>([
    [
      'a filter without its count',
      edit,
      { filter: { tag: ['menu'] }, set: { active: false } },
      'expected_count',
      'expected_count is required.',
    ],
    ['neither ids nor a filter', edit, { set: { active: false } }, 'ids', 'ids is required.'],
    [
      'active of a new code',
      CreateQrCode,
      { ...menu, active: false },
      'active',
      'A new code is active. For one that does not redirect yet, send status: draft or status: paused.',
    ],
    [
      'a destination without https',
      CreateQrCode,
      { ...menu, destination_url: 'example.com/menu' },
      'destination_url',
      'destination_url must be a whole URL. Add https:// in front: https://example.com/menu',
    ],
    [
      'a webhook without https',
      CreateWebhook,
      { url: 'hooks.example.com:8443' },
      'url',
      'url must be a whole URL. Add https:// in front: https://hooks.example.com:8443',
    ],
    [
      'a field that only responses have',
      CreateQrCode,
      { ...menu, id: 'qr_1' },
      'id',
      'id is read-only: the service sets it. Leave it out.',
    ],
    [
      'a data URL as picture',
      operations.createAsset.body,
      { image: 'data:image/png;base64,iVBORw0KGgo=' },
      'image',
      'image must be the base64 text alone. Leave out its beginning up to the comma, such as data:image/png;base64,',
    ],
    [
      'a single text instead of a list',
      CreateQrCode,
      { ...menu, tags: 'menu' },
      'tags',
      'tags must be a list, even of a single value.',
    ],
    [
      'a city by its name alone',
      CreateQrCode,
      { ...menu, rules: [{ when: { city: ['Munich'] }, to: [{ url: 'https://example.com' }] }] },
      'rules.0.when.city.0',
      'rules.0.when.city.0 must be an object with country and city.',
    ],
  ])('%s', (_, schema, body, param, message) => {
    expect(faultsOf(schema, body)).toEqual([expect.objectContaining({ param, message })]);
  });

  test.each([
    ['background', 'white', operations.downloadQrCode.query, 'background must be transparent.'],
    [
      'start_date',
      '2150-01-01',
      operations.getTimeseries.query,
      'start_date must be a day of the years 1970 to 2099.',
    ],
    [
      'start_date',
      '2026-13-01',
      operations.getTimeseries.query,
      'start_date has a month that does not exist. Months are 01 to 12.',
    ],
    ['created_to', '2026-12-32', ListQrCodesQuery, 'created_to is a day that the calendar does not have.'],
  ])('%s of %s', (name, value, schema, message) => {
    const result = compileQueryValidator(schema)({ [name]: value });
    expect('error' in result && result.error.message).toBe(message);
  });

  test.each([
    ['start_date', 'gestern', /day such as 2026-11-15, or a timestamp/],
    ['timezone', '1', /IANA time zone such as Europe\/Berlin/],
    ['interval', 'minute', /one of hour, day, week, month/],
  ])('%s in a query', (name, value, message) => {
    const result = compileQueryValidator(operations.getTimeseries.query)({ [name]: value });
    expect('error' in result && result.error.message).toMatch(message);
  });
});

describe('everything that is wrong is said at once', () => {
  test('each field with its code, and the first is the refusal itself', () => {
    const result = compileValidator(CreateQrCode)({
      name: ' ',
      short_code: '-',
      style: { dotsColor: 'red', dotsType: 'star', logo: 1 },
      status: 'off',
      colour: 1,
    });
    if (!('error' in result)) return expect.fail('it passed');
    const { code, message, details } = result.error;
    expect(details.errors![0]).toEqual({
      code,
      message,
      param: details.param,
      problem: { code: 'text_length', values: { min: 1, max: 255 } },
    });
    expect(new Map(details.errors!.map(fault => [fault.param, fault.code]))).toEqual(
      new Map([
        ['name', 'invalid_request'],
        ['destination_url', 'invalid_request'],
        ['short_code', 'invalid_short_code'],
        ['style.dotsColor', 'invalid_request'],
        ['style.dotsType', 'invalid_request'],
        ['style.logo', 'invalid_request'],
        ['status', 'invalid_request'],
        ['colour', 'invalid_request'],
      ]),
    );
    expect(details.errors).toHaveLength(8);
  });

  test('characters are counted, not code units', () => {
    const validate = compileValidator({ type: 'string', minLength: 2, maxLength: 3 });
    for (const text of ['ab', 'abc', '😀😀', '😀😀😀', '\ud83d\ud83d', '😀\ude00x'])
      expect(validate(text)).toEqual({ value: text });
    for (const text of ['', 'a', '😀', 'abcd', '😀😀😀x', '😀'.repeat(4), 'x'.repeat(1e6)])
      expect(validate(text)).toHaveProperty('error');
  });

  test('one fault is one entry, and what is no object has one', () => {
    expect(paramsOf(CreateQrCode, { ...menu, name: '' })).toEqual(['name']);
    expect(faultsOf(CreateQrCode, 5)).toEqual([
      {
        code: 'invalid_request',
        message: 'The body must be a JSON object.',
        problem: { code: 'type', values: { types: 'object' } },
      },
    ]);
    expect(faultsOf(CreateQrCode, menu)).toEqual([]);
  });

  test('a query too', () => {
    const validate = compileQueryValidator(ListQrCodesQuery);
    const result = validate({ page: '0', limit: 'x', status: 'gone', other: '1' });
    expect('error' in result && result.error.details.errors!.map(fault => fault.param)).toEqual([
      'page',
      'limit',
      'status',
    ]);
  });

  test('at most twenty, and fields that exist before those that do not', () => {
    const unknown = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`x${n}`, n]));
    const params = paramsOf(UpdateQrCode, { ...unknown, name: '', destination_url: 'x', active: 1 });
    expect(params).toHaveLength(20);
    expect(params).toEqual(expect.arrayContaining(['name', 'destination_url', 'active']));
  });

  test('a name that was made up is cut, and well formed', () => {
    const [fault] = faultsOf(UpdateQrCode, { [`${'x'.repeat(99)}\ud83d\ude00${'y'.repeat(9000)}`]: 1 });
    expect(fault!.param!.length).toBeLessThan(110);
    expect(fault!.message.length).toBeLessThan(200);
    expect(fault!.message.isWellFormed()).toBe(true);
  });

  test('what cannot be sent in an upsert says what to do instead', () => {
    const wanted = { name: 'Menu', destination_url: 'https://example.com', external_id: 'order-1' };
    const [fault] = faultsOf(UpsertQrCode, wanted);
    expect([fault?.param, fault?.message]).toEqual([
      'external_id',
      'The external id is in the path. Leave it out of the body.',
    ]);
  });
});

describe('a bad body is cheap to refuse', () => {
  const validate = compileValidator(CreateQrCode);
  const costMs = (work: () => void) => {
    const costs = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    return Math.min(...costs);
  };
  const many = (item: object) => Array.from({ length: 500 }, () => ({ ...item }));
  const good = many({
    name: 'n'.repeat(255),
    destination_url: `https://example.com/${'a'.repeat(4070)}`,
    short_code: 'a'.repeat(64),
    style: { dotsColor: '#000000', dotsType: 'dots', cornersDotType: 'dot' },
  });
  const fields = (name: (n: number) => string) =>
    Object.fromEntries(Array.from({ length: 39 }, (_, n) => [name(n), n]));

  test.each([
    ['names that are too long', { name: `${'n'.repeat(9000)}\u0000`, destination_url: 'x', short_code: '-' }],
    [
      'every field wrong',
      { name: 7, destination_url: 'x'.repeat(4096), short_code: '-', style: { dotsColor: 'x' } },
    ],
    ['fields that do not exist', fields(n => `destination_ur${n}`)],
    ['long ones', fields(n => `${'x'.repeat(250)}${n}`)],
  ])('five hundred items with %s', (_, item) => {
    const bad = many(item);
    expect(bad.every(one => 'error' in validate(one))).toBe(true);
    // A few times as much as to find nothing wrong; a refusal with every error of every rule is a thousand times as much.
    expect(costMs(() => bad.forEach(validate))).toBeLessThan(10 * costMs(() => good.forEach(validate)) + 20);
  });

  test('five megabytes of name that its pattern would go over again and again', () => {
    const text = `${'n'.repeat(5_000_000)}\u0000`;
    expect(paramsOf(CreateQrCode, { ...menu, name: text })).toEqual(['name']);
    expect(costMs(() => void validate({ name: text, short_code: text }))).toBeLessThan(
      20 * costMs(() => void JSON.parse(JSON.stringify(text))) + 50,
    );
  });
});

describe('a name that cannot be seen is like white space', () => {
  const named = { 'of a code': CreateQrCode, 'of a code in an update': UpdateQrCode };
  const unseen = [
    '\u200b',
    '\u200b\u200b',
    '\u200c',
    '\u200d',
    '\ufeff',
    '\u00ad',
    '\u2060',
    '\u180e',
    '\u034f',
    '\u115f\u1160',
    '\u3164',
    '\uffa0',
    '\u2800',
    '\ufe0f',
    '\u202e',
    '\u{e0001}\u{e0020}',
    '\u{1d159}',
    ' \t\u00a0\u2003\u3000\u200b\n',
    '\u0001',
  ];
  const seen = [
    'Menu',
    'a\u200bb',
    '\ufeffMenu',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u2764\ufe0f',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0301',
    '\uac00',
    '\u2801',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
  ];

  test.each(Object.entries(named))('%s', (_, schema) => {
    for (const name of unseen) {
      expect(faultsOf(schema, { ...menu, name }), JSON.stringify(name)).toEqual([
        {
          code: 'invalid_request',
          param: 'name',
          message: expect.stringMatching(/not only white space or invisible characters/),
          problem: { code: 'text_length', values: { min: 1, max: 255 } },
        },
      ]);
    }
    for (const name of seen) expect(faultsOf(schema, { ...menu, name }), name).toEqual([]);
  });

  test('of a key and of a person', () => {
    for (const name of unseen) {
      expect(
        paramsOf(accountOperations.createKey.body, { name, mode: 'live', current_password: 'x' }),
      ).toEqual(['name']);
      expect(paramsOf(accountOperations.updateMe.body, { name })).toEqual(['name']);
    }
    // Joiners are part of writing; what is there only to hide is refused anywhere in such a name.
    const isHiding = /[\u200b\ufeff]/;
    for (const name of seen) {
      expect(isHiding.test(name) ? ['name'] : [], JSON.stringify(name)).toEqual(
        paramsOf(accountOperations.createKey.body, { name, mode: 'live', current_password: 'x' }),
      );
    }
    for (const name of seen.filter(one => !isHiding.test(one))) {
      expect(
        faultsOf(accountOperations.createKey.body, { name, mode: 'live', current_password: 'x' }),
      ).toEqual([]);
    }
  });

  test('while the description of a webhook may be empty', () => {
    for (const description of ['', '\u200b'])
      expect(faultsOf(CreateWebhook, { url: 'https://example.com', description })).toEqual([]);
  });
});
