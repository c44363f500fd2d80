import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './preview-bar.module.css';

type Props = { readonly image: ReactNode; readonly children: ReactNode };

/** On a phone the code and the buttons stay in sight while a form is filled in. */
export function PreviewBar({ image, children }: Props) {
  return (
    <Box className={classes.bar} hiddenFrom="md">
      <div className={classes.picture}>{image}</div>
      <div className={classes.buttons}>{children}</div>
    </Box>
  );
}
