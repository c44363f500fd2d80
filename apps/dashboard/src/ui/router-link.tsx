import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { forwardRef } from 'react';

/** Mantine's anchor and button as links of the router, with its types for where they lead. */
export const LinkAnchor = createLink(
  forwardRef<HTMLAnchorElement, AnchorProps>((props, ref) => <Anchor ref={ref} {...props} />),
);

export const LinkButton = createLink(
  forwardRef<HTMLAnchorElement, ButtonProps>((props, ref) => <Button component="a" ref={ref} {...props} />),
);
