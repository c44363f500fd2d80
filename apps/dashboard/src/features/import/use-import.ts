import type { Style } from '@signpost/qr';
import { useCallback, useMemo, useState } from 'react';
import { currentMode } from '../../api/mode.ts';
import { useForgetCodes } from '../codes/queries.ts';
import type { Batch, Created } from './batches.ts';
import { type Columns, type Extra, type Field, type Recognised, recognise } from './columns.ts';
import { createFaultFinder, type Faults, isFaulty, toPlaceKey } from './faults.ts';
import { type ImportRow, remapped, toRows, withCell, withMore } from './import-row.ts';
import type { Sheet } from './read-sheet.ts';
import { useSending } from './use-sending.ts';

/** A sheet, how its columns are read, and what is left of its rows. */
export type Loaded = {
  readonly sheet: Sheet;
  readonly found: Recognised;
  readonly columns: Columns;
  readonly rows: readonly ImportRow[];
};

/** A row beside what is wrong with it. */
export type CheckedRow = { readonly row: ImportRow; readonly faults: Faults };

/** The work on one import, from the sheet to the codes. */
export function useImport(minEnding: number) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [created, setCreated] = useState<readonly Created[]>([]);
  const [style, setStyle] = useState<Style>({});
  const forget = useForgetCodes();
  const findFaults = useMemo(() => createFaultFinder(minEnding), [minEnding]);
  const { sending, start, retry, stop } = useSending(
    (batch, made, refused) => {
      setLoaded(now => now && { ...now, rows: afterBatch(now.rows, batch, refused) });
      setCreated(now => [...now, ...made]);
      void forget();
    },
    refused => setLoaded(now => now && { ...now, rows: withRefused(now.rows, refused) }),
  );

  const checked = useMemo((): readonly CheckedRow[] => {
    if (!loaded) return [];
    const faults = findFaults(
      loaded.rows,
      new Set(created.map(({ ending, domain }) => toPlaceKey(ending, domain))),
    );
    return loaded.rows.map((row, at) => ({ row, faults: faults[at]! }));
  }, [loaded, created, findFaults]);
  const ready = useMemo(() => checked.filter(({ faults }) => !isFaulty(faults)), [checked]);

  // The same functions at each turn, so that a row that did not change is not drawn again.
  const edit = useCallback(
    (number: number, field: Field, value: string) =>
      setLoaded(now => now && { ...now, rows: edited(now.rows, number, field, value) }),
    [],
  );
  const remove = useCallback(
    (number: number) =>
      setLoaded(now => now && { ...now, rows: now.rows.filter(row => row.number !== number) }),
    [],
  );

  return {
    loaded,
    checked,
    ready,
    created,
    style,
    sending,
    setStyle,
    retry,
    stop,
    load: (sheet: Sheet) => setLoaded(load(sheet)),
    startOver() {
      setLoaded(null);
      setCreated([]);
    },
    edit,
    remove,
    /** Another column for a field. */
    map: (field: Field, column: number | null) =>
      setLoaded(now => {
        if (!now) return now;
        const columns = { ...now.columns, [field]: column };
        const fresh = toRows(now.sheet.rows, now.found, columns);
        return { ...now, columns, rows: remapped(now.rows, fresh, field) };
      }),
    /** Other columns for what is not edited cell by cell. */
    mapMore: (part: { readonly [E in Extra]?: number | null } & { readonly metadata?: readonly number[] }) =>
      setLoaded(now => {
        if (!now) return now;
        const columns = { ...now.columns, ...part };
        return { ...now, columns, rows: withMore(now.rows, toRows(now.sheet.rows, now.found, columns)) };
      }),
    /** Whether the first row names the columns. */
    setHeadings: (hasHeadings: boolean) =>
      setLoaded(now => {
        if (!now) return now;
        const found = { ...now.found, headings: hasHeadings ? (now.sheet.rows[0] ?? []) : null };
        return { ...now, found, rows: toRows(now.sheet.rows, found, now.columns) };
      }),
    create: (batchSize: number) =>
      start(
        ready.map(({ row }) => row),
        style,
        batchSize,
      ),
  };
}

function load(sheet: Sheet): Loaded {
  const found = recognise(sheet.rows);
  // Test codes are on no domain.
  const columns = currentMode() === 'test' ? { ...found.columns, domain: null } : found.columns;
  return { sheet, found, columns, rows: toRows(sheet.rows, found, columns) };
}

const edited = (rows: readonly ImportRow[], number: number, field: Field, value: string) =>
  rows.map(row => (row.number === number ? withCell(row, field, value) : row));

/** What a check found stands in its row. */
function withRefused(rows: readonly ImportRow[], refused: readonly ImportRow[]): readonly ImportRow[] {
  const found = new Map(refused.map(row => [row.number, row]));
  return rows.map(row => found.get(row.number) ?? row);
}

/** What was made leaves the table; what was refused stays in its place, with the reason. */
function afterBatch(
  rows: readonly ImportRow[],
  batch: Batch,
  refused: readonly ImportRow[],
): readonly ImportRow[] {
  const sent = new Set(batch.rows.map(({ number }) => number));
  const back = new Map(refused.map(row => [row.number, row]));
  return rows.flatMap(row => (sent.has(row.number) ? (back.get(row.number) ?? []) : row));
}
