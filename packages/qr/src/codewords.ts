import { alphanumerics, type CompactLink } from './compact.ts';
import { blockPlan, type QrSymbol } from './error-correction.ts';

export const compactFits = (link: CompactLink, symbol: QrSymbol): boolean =>
  countBits(link, symbol.version) <= blockPlan(symbol).data * 8;

/** The codewords of a compact link that fits, in the order in which they are laid into the matrix. */
export function compactCodewords(link: CompactLink, symbol: QrSymbol): Uint8Array {
  const plan = blockPlan(symbol);
  const data = pad(bitsOf(link, symbol.version), plan.data);
  const shortest = Math.floor(plan.data / plan.count);
  const short = plan.count - (plan.data % plan.count);
  const blocks = Array.from({ length: plan.count }, (_, at) => {
    const from = at * shortest + Math.max(0, at - short);
    return data.subarray(from, from + shortest + (at < short ? 0 : 1));
  });
  const generator = generatorOf(plan.correction);
  const corrections = blocks.map(block => correct(block, generator));
  return Uint8Array.from([...interleave(blocks, shortest + 1), ...interleave(corrections, plan.correction)]);
}

const modes = { alphanumeric: 2, byte: 4 } as const;

/** How many bits say the length of a segment, which grows with the versions. */
const lengthBits = { alphanumeric: [9, 11, 13], byte: [8, 16, 16] } as const;

const lengthBitsAt = (mode: keyof typeof lengthBits, version: number) =>
  lengthBits[mode][version < 10 ? 0 : version < 27 ? 1 : 2];

const countBits = ({ scheme, rest }: CompactLink, version: number): number =>
  4 +
  lengthBitsAt('byte', version) +
  scheme.length * 8 +
  4 +
  lengthBitsAt('alphanumeric', version) +
  Math.ceil(rest.length * 5.5);

/** Both segments as bits. */
function bitsOf({ scheme, rest }: CompactLink, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  const start = (mode: keyof typeof modes, length: number) => {
    push(modes[mode], 4);
    push(length, lengthBitsAt(mode, version));
  };
  start('byte', scheme.length);
  for (const letter of scheme) push(letter.charCodeAt(0), 8);
  start('alphanumeric', rest.length);
  const values = [...rest].map(letter => alphanumerics.indexOf(letter));
  for (let at = 0; at + 1 < values.length; at += 2)
    push(values[at]! * alphanumerics.length + values[at + 1]!, 11);
  if (values.length % 2 === 1) push(values.at(-1)!, 6);
  return bits;
}

/** Ends the text and fills up what is left, as the standard has it. */
function pad(bits: readonly number[], codewords: number): Uint8Array {
  const data = new Uint8Array(codewords);
  for (const [at, bit] of bits.entries()) data[at >> 3]! |= bit << (7 - (at & 7));
  const terminated = Math.min(bits.length + 4, codewords * 8);
  for (let at = Math.ceil(terminated / 8), turn = 0; at < codewords; at++, turn++) {
    data[at] = turn % 2 === 0 ? 0xec : 0x11;
  }
  return data;
}

/** The first codeword of every block, then the second, and so on. */
function interleave(blocks: readonly Uint8Array[], longest: number): number[] {
  const laid: number[] = [];
  for (let at = 0; at < longest; at++) {
    for (const block of blocks) if (at < block.length) laid.push(block[at]!);
  }
  return laid;
}

/** Multiplies in the field of 256 elements that Reed-Solomon codes of QR are made in. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The polynomial that a block is divided by, without its leading term. */
function generatorOf(degree: number): Uint8Array {
  const generator = new Uint8Array(degree);
  generator[degree - 1] = 1;
  for (let turn = 0, root = 1; turn < degree; turn++, root = multiply(root, 2)) {
    for (let at = 0; at < degree; at++) {
      generator[at] = multiply(generator[at]!, root) ^ (generator[at + 1] ?? 0);
    }
  }
  return generator;
}

/** The codewords that correct a block: what remains of it after the division. */
function correct(block: Uint8Array, generator: Uint8Array): Uint8Array {
  const remainder = new Uint8Array(generator.length);
  for (const codeword of block) {
    const factor = codeword ^ remainder[0]!;
    remainder.copyWithin(0, 1);
    remainder[remainder.length - 1] = 0;
    for (let at = 0; at < generator.length; at++) remainder[at]! ^= multiply(generator[at]!, factor);
  }
  return remainder;
}
