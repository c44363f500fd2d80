import type { Frame } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import type { Uuid } from '../kernel/ids.ts';

/** A saved style. Codes copy it; changing it changes no code. */
export type Design = {
  readonly id: Uuid;
  readonly name: string;
  readonly style: Style;
  /** For downloads in this design. Never part of a code. */
  readonly frame: Frame | null;
  readonly isDefault: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type DesignChange = Partial<Pick<Design, 'name' | 'style' | 'frame' | 'isDefault'>>;

export const designsPerAccount = 100;
