import Type from 'typebox';
import type { Operation } from './operation.ts';
import { browsers, devices, maxTestScans } from './values.ts';
import { words } from './words.ts';

const strict = { additionalProperties: false };

const id = (prefix: string, description: string) =>
  Type.String({
    pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`,
    'x-form': `an id that looks like ${prefix}_…`,
    description,
  });

/** Scans as they are asked for: all of one call are alike, but for who scans. */
export const SendTestScans = Type.Object(
  {
    qr_id: id('qr', 'The code that is scanned. Its short link must work at this moment.'),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxTestScans, default: 1, description: 'How many scans.' }),
    ),
    unique: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxTestScans,
        description:
          'How many visitors scan, at most as many as `count`. Defaults to `count`. Each call has new visitors.',
      }),
    ),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When they scan, from 7 days ago until now, with an offset: 2026-11-15T08:00:00Z. Defaults to now.',
      }),
    ),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        'x-form': 'two capital letters, such as DE',
        description: 'ISO 3166 code. Defaults to XX, unknown.',
      }),
    ),
    city: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$',
        'x-form': 'at most 100 characters on one line',
        description: 'Name of the city. Empty by default.',
      }),
    ),
    device: Type.Optional(words(devices, 'Defaults to other.')),
    browser: Type.Optional(words(browsers, 'Defaults to other.')),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2,8}$',
        'x-form': 'a language without its region, such as de',
        description: 'The language that scanners prefer. Unknown by default.',
      }),
    ),
    placement: Type.Optional(
      Type.String({ maxLength: 24, description: 'Key of a placement of the code. None by default.' }),
    ),
    rule_id: Type.Optional(
      id(
        'rul',
        'The rule of the code that decides. None by default. Rules are not tried: use testRules for that.',
      ),
    ),
    target_id: Type.Optional(
      id('tgt', 'The target of that rule to which the scans lead. Needed if the rule has several.'),
    ),
    automated: Type.Optional(
      Type.Boolean({
        description:
          'Whether a program scans, such as the preview of a messenger. It is not counted, like a real one.',
      }),
    ),
  },
  { title: 'SendTestScans', ...strict },
);

export const SentTestScans = Type.Object(
  {
    qr_id: Type.String(),
    scans: Type.Integer({
      minimum: 0,
      description:
        'How many scans are in the scan log. They are counted within seconds. 0 if they are automated.',
    }),
    visitors: Type.Integer({ minimum: 0, description: 'How many visitors they are of.' }),
    at: Type.String({ format: 'date-time', description: 'When they happened. ISO 8601, UTC.' }),
  },
  { title: 'SentTestScans', ...strict },
);

export type SendTestScans = Type.Static<typeof SendTestScans>;
export type SentTestScans = Type.Static<typeof SentTestScans>;

/** Scans for developers, which nobody has to make with a phone. */
export const testScanOperations = {
  sendTestScans: {
    id: 'sendTestScans',
    method: 'POST',
    path: '/v1/test/scans',
    authScheme: 'apiKey',
    permission: 'qrcodes:write',
    tag: 'QR codes',
    testModeOnly: true,
    summary: 'Send test scans',
    description:
      'Scans one of your test codes, without a phone. The scans take the way of real ones through the scan log: counts, analytics, `max_scans`, the live view and webhooks follow. In test mode only: a live key is refused. On a plan without webhooks an account can send 10,000 test scans in 24 hours, on other plans 100,000. If the response is 503, send the request again with the same `Idempotency-Key`: scans that were recorded after all are not recorded twice on the same day.',
    body: SendTestScans,
    success: { status: 200, description: 'What was recorded.', schema: SentTestScans },
    errors: ['forbidden', 'not_found', 'invalid_transition', 'quota_exceeded'],
  },
} as const satisfies Record<string, Operation>;
