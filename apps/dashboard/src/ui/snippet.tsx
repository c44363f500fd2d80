import { Box, Code } from '@mantine/core';
import { Copy } from './copy.tsx';
import classes from './snippet.module.css';

type Props = { readonly text: string; readonly what: string; readonly onCopied?: () => void };

/** Text to be pasted into a terminal. It can be scrolled by keyboard. */
export function Snippet({ text, what, onCopied }: Props) {
  return (
    <Box className={classes.frame}>
      <Code block className={classes.code} tabIndex={0} role="region" aria-label={what}>
        {text}
      </Code>
      <Box className={classes.copy}>
        <Copy value={text} what={what} {...(onCopied ? { onCopied } : {})} />
      </Box>
    </Box>
  );
}
