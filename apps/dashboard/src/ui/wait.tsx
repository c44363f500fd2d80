import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { commonText } from '../strings/common.ts';
import classes from './wait.module.css';

type Props = { readonly lines?: number; readonly height?: number };

/** Grey bars in place of what is being loaded. They appear after a tenth of a second, so that a quick answer does not flicker. */
export function Wait({ lines = 4, height = 44 }: Props) {
  return (
    <Stack gap="sm" className={classes.late} role="status">
      <VisuallyHidden>{commonText.loading}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never change places.
        <Skeleton key={line} height={height} />
      ))}
    </Stack>
  );
}
