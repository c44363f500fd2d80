import { type Style, toCompact } from '@signpost/qr';

/** The style of a new code: a link that cannot be compact gets the usual image, also from a design that is compact. */
export function styleFor(link: string, style: Style): Style {
  if (!style.compact || toCompact(link)) return style;
  const { compact: _, ...usual } = style;
  return usual;
}
