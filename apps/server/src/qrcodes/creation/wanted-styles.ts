import type { Style } from '@signpost/qr';
import type { Caller } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { NewQrCode } from '../qr-code.ts';

/** Settles styles: copies those of designs, and refuses a logo that is not the caller's or that hides too much. */
export type StyleSource = {
  resolve(
    db: Database,
    caller: Caller,
    wanted: readonly Pick<NewQrCode, 'designId' | 'style' | 'shortCode' | 'domain'>[],
  ): Promise<(Style | AppError)[]>;
};

/** The same codes with their styles settled. An item that was refused before stays refused. */
export async function withStyles(
  styles: StyleSource,
  db: Database,
  caller: Caller,
  items: readonly (NewQrCode | AppError)[],
): Promise<(NewQrCode | AppError)[]> {
  const wanted = items.filter((item): item is NewQrCode => !(item instanceof AppError));
  const settled = (await styles.resolve(db, caller, wanted)).values();
  return items.map(item => {
    if (item instanceof AppError) return item;
    const { designId: _, ...code } = item;
    const style = settled.next().value!;
    return style instanceof AppError ? style : { ...code, style };
  });
}
