import Type from 'typebox';
import type { Operation } from './operation.ts';
import { words } from './words.ts';

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });

/** The host of a domain in a request, as people write it. */
export const domainHost = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: '^[^\\s\\u0000-\\u001f\\u007f\\uD800-\\uDFFF]*$',
    'x-form': 'a host such as go.example.com',
    description,
  });

export const domainStatuses = ['active', 'released'] as const;

export const Domain = Type.Object(
  {
    id: Type.String({ pattern: '^dom_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like dom_…' }),
    host: Type.String({ description: 'In lower case and punycode, such as go.example.com.' }),
    status: words(
      domainStatuses,
      '`active`: its short links work. `released`: they answer 404 until the host is added to the account again.',
    ),
    is_default: Type.Boolean({
      description:
        'Whether the dashboard preselects it for new codes. A code created through the API is on a domain only if it names it.',
    }),
    root_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the host leads without a short code, or null: to a page that says what it is for.',
    }),
    not_found_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Where short links lead that do not exist, or null: to a page that says so.',
    }),
    qr_codes: Type.Integer({ minimum: 0, description: 'Number of codes on it, without deleted ones.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'Domain', additionalProperties: false },
);

export const DomainList = Type.Object(
  { data: Type.Array(Domain) },
  { title: 'DomainList', additionalProperties: false },
);

export type Domain = Type.Static<typeof Domain>;

/** Hosts of the account's own. The operator of the service adds them. */
export const domainOperations = {
  listDomains: {
    id: 'listDomains',
    method: 'GET',
    path: '/v1/domains',
    authScheme: 'apiKey',
    permission: 'domains:read',
    tag: 'Domains',
    summary: 'List domains',
    description:
      'Returns the domains of the account by host, in live and test mode alike. Short links of live codes can be on one of them instead of the host of the service: name it as `domain` when you create a code. The operator of the service adds and removes domains.',
    success: { status: 200, description: 'The domains.', schema: DomainList },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
