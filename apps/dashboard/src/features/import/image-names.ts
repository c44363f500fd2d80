/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
const maxLength = 80;

/** A name for the image of each code: safe on every system, and different from all others, also where case is ignored. */
export function imageNames(names: readonly string[], ending: string): string[] {
  const taken = new Set<string>();
  const counters = new Map<string, number>();
  return names.map(name => {
    const plain = plainName(name);
    const folded = plain.toLowerCase();
    let unique = plain;
    for (let next = counters.get(folded) ?? 1; taken.has(unique.toLowerCase()); next++) {
      counters.set(folded, next + 1);
      unique = `${plain}-${next + 1}`;
    }
    taken.add(unique.toLowerCase());
    return `${unique}.${ending}`;
  });
}

/** Letters and digits of any script; everything else becomes a hyphen. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/^-+|[-\uFFFD]+$/g, '');
  return plain === '' || reserved.test(plain) ? `code${plain && `-${plain}`}` : plain;
}
