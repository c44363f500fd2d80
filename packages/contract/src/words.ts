import Type from 'typebox';

/** One word of a fixed list. */
export function words<const Word extends string>(list: readonly Word[], description?: string) {
  return Type.Unsafe<Word>({ type: 'string', enum: [...list], ...(description ? { description } : {}) });
}
