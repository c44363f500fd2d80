import { Box, Table, type TableProps } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { labelCells } from './card-labels.ts';
import classes from './wide-table.module.css';

type Props = TableProps & {
  readonly label: string;
  /** Where there is less room than this, each row is a card. */
  readonly minWidth: number;
};

/** A table; in a narrow place a list of cards, in which each value has the heading of its column. Nothing is scrolled sideways. */
export function WideTable({ label, minWidth, children, ...rest }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  // After every render, since the rows may have changed.
  useLayoutEffect(() => labelCells(frame.current!));
  useLayoutEffect(() => {
    const box = frame.current!;
    const measure = () => box.toggleAttribute('data-cards', box.clientWidth < minWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    measure();
    return () => observer.disconnect();
  }, [minWidth]);
  return (
    <Box ref={frame} className={classes.frame}>
      <Table verticalSpacing="xs" aria-label={label} {...rest}>
        {children}
      </Table>
    </Box>
  );
}
