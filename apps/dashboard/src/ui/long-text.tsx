import { Anchor, Box, Text, type TextProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { commonText } from '../strings/common.ts';
import { isLong } from './long.ts';

const words = commonText.longText;

type Props = TextProps & {
  readonly text: string;
  /** What it is, for the button that shows the rest. */
  readonly what: string;
  readonly lines?: number;
};

/** Text of strangers: as text, in its own direction, and shortened until somebody wants all of it. */
export function LongText({ text, what, lines = 3, ...rest }: Props) {
  const [open, setOpen] = useState(false);
  const long = isLong(text, lines);
  return (
    <Box miw={0}>
      <Text
        dir="auto"
        ta="left"
        {...(long && !open ? { lineClamp: lines } : {})}
        {...rest}
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {text}
      </Text>
      {long && (
        <ShowAll
          open={open}
          onToggle={() => setOpen(!open)}
          aria-label={open ? words.showLessOf(what) : words.showAllOf(what)}
        >
          {open ? words.showLess : words.showAll}
        </ShowAll>
      )}
    </Box>
  );
}

type ShowAllProps = {
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
};

/** Shows all of what stands above it, or less again. */
export const ShowAll = ({ open, onToggle, ...rest }: ShowAllProps) => (
  <Anchor
    component="button"
    type="button"
    size="xs"
    c="inherit"
    underline="always"
    style={{ alignSelf: 'flex-start' }}
    onClick={onToggle}
    aria-expanded={open}
    {...rest}
  />
);
