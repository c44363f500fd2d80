/** Encodings that we write, the better one first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

export type Choice = {
  /** null: uncompressed. */
  readonly encoding: Encoding | null;
  /** The client has ruled out an uncompressed response. */
  readonly isRequired: boolean;
};

/**
 * What an Accept-Encoding header asks for, by RFC 9110: the encoding with the highest weight, and our preference among
 * equals. A client that takes none of ours gets an uncompressed response even if it has ruled that out: that is of more
 * use than an error.
 */
export function chooseEncoding(header: string): Choice {
  const weights = parseWeights(header);
  const others = weights.get('*');
  const weigh = (name: string) => weights.get(name) ?? others ?? 0;
  const [best] = encodings.filter(name => weigh(name) > 0).sort((a, b) => weigh(b) - weigh(a));
  // An uncompressed response that is not mentioned is acceptable, but less than anything that is.
  const plain = weights.get('identity') ?? (others === 0 ? 0 : null);
  if (!best || (plain !== null && plain > weigh(best))) return { encoding: null, isRequired: false };
  return { encoding: best, isRequired: plain === 0 };
}

const entry = /^\s*([a-z*-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/;

/** Skips entries of another form. */
function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const text of header.toLowerCase().split(',', 20)) {
    const [, name, weight = '1'] = entry.exec(text) ?? [];
    if (name) weights.set(name, Number(weight));
  }
  return weights;
}
