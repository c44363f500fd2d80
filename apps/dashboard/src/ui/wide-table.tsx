import { Table, type TableProps } from '@mantine/core';

type Props = TableProps & { readonly label: string; readonly minWidth: number };

/** A table that is scrolled sideways where it does not fit; by keyboard too, so the frame can have the focus. */
export function WideTable({ label, minWidth, children, ...rest }: Props) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      role="group"
      aria-label={`${label}, scrolls`}
    >
      <Table verticalSpacing="sm" aria-label={label} {...rest}>
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
