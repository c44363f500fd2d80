const lineLength = 60;

/** A value as TypeScript would be written by hand: in one line where it fits, names without quotes. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(item => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${formatKey(name)}: ${literal(item, inner)}`);
  if (parts.length === 0) return isList ? '[]' : '{}';
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= lineLength && !line.includes('\n')) return line;
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.map(part => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const formatKey = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
