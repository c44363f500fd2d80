import type { Style } from '@signpost/qr';
import type { Caller, Standing } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';

/** Whose codes: an account in one mode. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** A printed code whose destination can be changed. */
export type QrCode = {
  readonly id: Uuid;
  /** Its number in the order of creation within account and mode. */
  readonly number: number;
  readonly name: string;
  readonly destinationUrl: string;
  /** The space within which the short code is unique. */
  readonly keySpace: string;
  readonly shortCode: string;
  readonly status: Status;
  readonly style: Style;
  readonly totalScans: number;
  readonly uniqueScans: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Why this code is stopped for safety; null in lists, which do not read it. */
  readonly suspension: Standing['suspension'];
};

/** A deleted code has no status: it is a tombstone that no read returns. */
export type Status = 'active' | 'paused' | 'draft';

/** A code as its owner requests it. */
export type NewQrCode = {
  readonly name: string;
  readonly destinationUrl: string;
  /** Left out: the service generates one. */
  readonly shortCode?: string | undefined;
  readonly status: 'active' | 'draft';
  readonly style: Style;
};

export type QrCodeChange = {
  readonly name?: string | undefined;
  readonly destinationUrl?: string | undefined;
  readonly active?: boolean | undefined;
};

/** The code after a change. Nothing returns to draft, so a draft cannot be paused. */
export function change(code: QrCode, wanted: QrCodeChange, now: Date): QrCode {
  if (Object.values(wanted).every(value => value === undefined)) return code;
  return {
    ...code,
    name: wanted.name ?? code.name,
    destinationUrl: wanted.destinationUrl ?? code.destinationUrl,
    status: wanted.active === undefined ? code.status : nextStatus(code.status, wanted.active),
    updatedAt: now,
  };
}

export function nextStatus(status: Status, active: boolean): Status {
  if (active) return 'active';
  if (status === 'draft') {
    throw new AppError('invalid_transition', "A draft can't be paused. Publish it first.", {
      param: 'active',
    });
  }
  return 'paused';
}
