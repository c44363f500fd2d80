import { Fragment, type ReactNode } from 'react';
import type { Places } from '../strings/fill.ts';

type Props<Text extends string> = {
  readonly text: Text;
  /** What stands in each `{place}`: a name in bold, a time, a link. */
  readonly parts: { readonly [place in Places<Text>]: ReactNode };
};

/** A whole sentence with elements in it: each language puts them where it needs them. */
export function Sentence<const Text extends string>({ text, parts }: Props<Text>) {
  const given: Readonly<Record<string, ReactNode>> = parts;
  // Every second piece is the name of a place.
  const pieces = text.split(/\{(\w+)\}/g);
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order.
    <Fragment key={at}>{at % 2 === 0 ? piece : <bdi>{given[piece]}</bdi>}</Fragment>
  ));
}
