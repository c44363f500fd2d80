import { zeroId } from '../../../kernel/ids.ts';
import { type AddedFields, defaultFields } from '../../scan.ts';
import { type ByteReader, createWriter } from './bytes.ts';

/**
 * What a scan has had since version 2 of the layout, as fields of a tag, a length and a value. A field with its default is
 * left out, and a tag that a reader does not know is skipped: a new field needs no new version.
 */
const tags = { ruleId: 1, targetId: 2, placement: 3, language: 4, sandbox: 5 } as const;

const maxPlacementLength = 24;
const maxLanguageLength = 8;
/** Two ids, two texts and a mark, each with its tag and length, and the length of them all. */
export const maxAddedBytes =
  2 + 2 * (2 + 16) + (2 + 3 * maxPlacementLength) + (2 + maxLanguageLength) + (2 + 1);

export function encodeAddedFields({ ruleId, targetId, placement, language, sandbox }: AddedFields): Buffer {
  const out = createWriter(maxAddedBytes);
  const place = placement.slice(0, maxPlacementLength);
  const tongue = language.slice(0, maxLanguageLength);
  const idBytes = (id: string) => (id === zeroId ? 0 : 2 + 16);
  const textBytes = (text: string) => (text === '' ? 0 : 2 + Buffer.byteLength(text));
  out.uint16(idBytes(ruleId) + idBytes(targetId) + textBytes(place) + textBytes(tongue) + (sandbox ? 3 : 0));
  const id = (tag: number, value: string) => {
    if (value === zeroId) return;
    out.byte(tag);
    out.byte(16);
    out.hex16(value);
  };
  const text = (tag: number, value: string) => {
    if (value === '') return;
    out.byte(tag);
    out.shortText(value);
  };
  id(tags.ruleId, ruleId);
  id(tags.targetId, targetId);
  text(tags.placement, place);
  text(tags.language, tongue);
  if (sandbox) for (const byte of [tags.sandbox, 1, 1]) out.byte(byte);
  return Buffer.from(out.done());
}

/**
 * Writes the added fields of a scan for which rules were read, and returns where they end. By hand, since it is done for each
 * such scan: `idBytes` has the ids of the rule and the target, and `language` the encoded fields of a scan that has only that.
 */
export function writeRoutedFields(
  into: Buffer,
  start: number,
  idBytes: Uint8Array | null,
  placement: string,
  language: Uint8Array,
): number {
  let at = start + 2;
  if (idBytes !== null) {
    at = writeId(into, at, tags.ruleId, idBytes, 0);
    at = writeId(into, at, tags.targetId, idBytes, 16);
  }
  if (placement !== '') {
    into[at++] = tags.placement;
    const length = into.write(placement, at + 1);
    into[at] = length;
    at += 1 + length;
  }
  for (let i = 2; i < language.length; i++) into[at++] = language[i]!;
  into.writeUInt16BE(at - start - 2, start);
  return at;
}

function writeId(into: Buffer, start: number, tag: number, idBytes: Uint8Array, first: number): number {
  into[start] = tag;
  into[start + 1] = 16;
  for (let i = 0; i < 16; i++) into[start + 2 + i] = idBytes[first + i]!;
  return start + 18;
}

/** Null if a field is not one that a scan can have. */
export function readAddedFields(reader: ByteReader): AddedFields | null {
  const length = reader.uint16();
  const end = reader.remaining() - length;
  if (end < 0) {
    reader.skip(length);
    return null;
  }
  const fields: { -readonly [Field in keyof AddedFields]: AddedFields[Field] } = { ...defaultFields };
  while (!reader.failed() && reader.remaining() > end) {
    const tag = reader.byte();
    const bytes = reader.byte();
    if (tag === tags.ruleId || tag === tags.targetId) {
      if (bytes !== 16) return null;
      fields[tag === tags.ruleId ? 'ruleId' : 'targetId'] = reader.uuid();
    } else if (tag === tags.placement) fields.placement = reader.characters(bytes, maxPlacementLength);
    else if (tag === tags.language) fields.language = reader.characters(bytes, maxLanguageLength);
    else if (tag === tags.sandbox) {
      if (bytes !== 1) return null;
      fields.sandbox = reader.byte() === 1;
    } else reader.skip(bytes);
  }
  return reader.remaining() === end ? fields : null;
}
