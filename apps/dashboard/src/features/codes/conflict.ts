import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { ApiError } from '../../api/api-error.ts';
import { codesText } from '../../strings/codes.ts';

type Field = keyof QrCode;

/** Somebody else has changed the same fields since the change began, so nothing was saved. */
export class Conflict extends ApiError {
  readonly latest: QrCode;
  readonly fields: readonly Field[];

  constructor(latest: QrCode, fields: readonly Field[]) {
    super(412, 'conflict', codesText.conflict.refused);
    this.latest = latest;
    this.fields = fields;
  }
}

/** The fields of a change that have got another value since its base, which is not the wanted one either. */
export function conflictingFields(
  { active, ...body }: UpdateQrCode,
  base: QrCode,
  latest: QrCode,
): readonly Field[] {
  const wanted: Partial<Record<Field, unknown>> = {
    ...body,
    ...(active === undefined ? {} : { status: active ? 'active' : 'paused' }),
  };
  return (Object.keys(wanted) as Field[]).filter(field => {
    if (field === 'metadata') return isMetadataConflict(body.metadata, base.metadata, latest.metadata);
    return !isSame(base[field], latest[field]) && !isSame(latest[field], wanted[field]);
  });
}

/** A change of metadata names the keys that it changes; the others may differ. */
const isMetadataConflict = (
  wanted: UpdateQrCode['metadata'],
  base: QrCode['metadata'],
  latest: QrCode['metadata'],
): boolean =>
  Object.entries(wanted ?? {}).some(
    ([key, value]) => base[key] !== latest[key] && (latest[key] ?? null) !== value,
  );

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
