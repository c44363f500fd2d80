/** Codings that we write, the better one first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

export type Choice = {
  /** null: the bytes as they are. */
  readonly encoding: Encoding | null;
  /** The caller has ruled out the bytes as they are. */
  readonly isMust: boolean;
};

/**
 * What an Accept-Encoding header asks for, by RFC 9110: the coding with the highest weight, ours where two have the same. A
 * caller for whom we have nothing gets the bytes as they are, also where it has ruled them out: they are of more use than a
 * refusal.
 */
export function chooseEncoding(header: string): Choice {
  const weights = weightsIn(header);
  const others = weights.get('*');
  const weigh = (name: string) => weights.get(name) ?? others ?? 0;
  const [best] = encodings.filter(name => weigh(name) > 0).sort((a, b) => weigh(b) - weigh(a));
  // What is not named is welcome too, but less than anything that is.
  const plain = weights.get('identity') ?? (others === 0 ? 0 : null);
  if (!best || (plain !== null && plain > weigh(best))) return { encoding: null, isMust: false };
  return { encoding: best, isMust: plain === 0 };
}

const entry = /^\s*([a-z*-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/;

/** An entry of another form is passed over. */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const text of header.toLowerCase().split(',', 20)) {
    const [, name, weight = '1'] = entry.exec(text) ?? [];
    if (name) weights.set(name, Number(weight));
  }
  return weights;
}
