import build from 'fast-json-stringify';

type Serialize = (data: unknown) => string;

const compiled = new WeakMap<object, Serialize>();

/**
 * Compiles the schema of an answer when the first one is sent, and once for all paths: a start would otherwise spend a fifth of
 * its time on answers that nobody has asked for yet.
 */
export function createSerializer(schema: object): Serialize {
  return data => {
    const serialize = compiled.get(schema) ?? compile(schema);
    return serialize(data);
  };
}

function compile(schema: object): Serialize {
  // It chooses between alternatives by validating them. A format would refuse what only describes a value, such as a short
  // link whose host is not ASCII.
  const serialize = build(schema, { ajv: { validateFormats: false } });
  compiled.set(schema, serialize);
  return serialize;
}
