import type { Endpoint, Resolve, Schema } from './document.ts';

/** What a field of this name holds in an example, so that all examples tell one story. */
const byName: Readonly<Record<string, (baseUrl: string) => unknown>> = {
  id: () => 'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
  qr_id: () => 'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
  name: () => 'Spring menu',
  destination_url: () => 'https://example.com/menu/spring',
  destination: () => 'https://example.com/menu/spring',
  short_code: () => 'spring-menu',
  short_url: baseUrl => `${baseUrl}/spring-menu`,
  image_url: baseUrl => `${baseUrl}/spring-menu.png`,
  total_scans: () => 1284,
  unique_scans: () => 947,
  created: () => 1,
  index: () => 0,
  page: () => 1,
  limit: () => 20,
  total: () => 57,
  total_pages: () => 3,
  created_at: () => '2026-03-02T09:15:00Z',
  updated_at: () => '2026-03-09T16:40:12Z',
  dotsType: () => 'rounded',
  dotsColor: () => '#0B3D2E',
  backgroundColor: () => '#FFFFFF',
  cornersSquareType: () => 'extra-rounded',
  cornersSquareColor: () => '#0B3D2E',
  cornersDotType: () => 'dot',
  cornersDotColor: () => '#0B3D2E',
  level: () => 'good',
  reasons: () => [],
};

export type Examples = {
  /** A body that the schema takes: what is needed, and a taste of the rest. */
  request(schema: Schema): unknown;
  /** A whole answer of success. */
  response(schema: Schema): unknown;
  /** A call of the endpoint, to be pasted into a shell. */
  curl(endpoint: Endpoint): string;
};

export function createExamples(baseUrl: string, resolve: Resolve): Examples {
  function value(name: string, given: Schema, pick: (schema: Schema) => readonly string[]): unknown {
    const schema = resolve(given);
    if (schema.example !== undefined) return schema.example;
    if (schema.const !== undefined) return schema.const;
    const known = Object.hasOwn(byName, name) ? byName[name]?.(baseUrl) : undefined;
    if (known !== undefined && fits(known, schema)) return known;
    if (schema.default !== undefined) return schema.default;
    if (schema.enum) return schema.enum[0];
    if (schema.items) return [value('', schema.items, pick)];
    if (schema.properties) {
      const { properties } = schema;
      return Object.fromEntries(pick(schema).map(key => [key, value(key, properties[key] ?? {}, pick)]));
    }
    return plain(schema);
  }

  /** What is required, else the first two; and of what is optional, the parts that have parts. */
  function taste(schema: Schema): readonly string[] {
    const { properties = {}, required = [], anyOf = [] } = schema;
    const needed = new Set([...required, ...(anyOf[0]?.required ?? [])]);
    const names = Object.keys(properties);
    if (needed.size === 0) return names.slice(0, 2);
    return names.filter(name => needed.has(name) || resolve(properties[name] ?? {}).properties);
  }

  /** An answer of success has no error in it. */
  const whole = ({ properties = {} }: Schema) => Object.keys(properties).filter(name => name !== 'error');

  const request = (schema: Schema) => value('', schema, taste);

  return {
    request,
    response: schema => value('', schema, whole),
    curl({ method, path, body, isPublic, parameters }) {
      const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
        String(value(name, { type: 'string' }, taste)),
      );
      const query = parameters
        .filter(parameter => parameter.in === 'query' && parameter.required)
        .map(({ name, schema }) => `${name}=${encodeURIComponent(String(value(name, schema, taste)))}`);
      const url = `${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
      return [
        `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(url)}`,
        ...(isPublic ? [] : ['-H "Authorization: Bearer $SIGNPOST_KEY"']),
        ...(body
          ? [
              "-H 'Content-Type: application/json'",
              `-d ${shellQuoted(JSON.stringify(request(body), null, 2).replaceAll('\n', '\n  '))}`,
            ]
          : []),
      ].join(' \\\n  ');
    },
  };
}

function fits(value: unknown, { type, enum: words }: Schema): boolean {
  if (words) return words.includes(value);
  if (type === undefined) return true;
  const kind = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  return (
    type === kind || (type === 'number' && kind === 'integer') || (Array.isArray(type) && type.includes(kind))
  );
}

function plain({ type, minimum, format }: Schema): unknown {
  switch (Array.isArray(type) ? type[0] : type) {
    case 'integer':
    case 'number':
      return minimum ?? 0;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return format === 'date-time' ? '2026-03-02T09:15:00Z' : 'text';
  }
}

function shellQuoted(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
