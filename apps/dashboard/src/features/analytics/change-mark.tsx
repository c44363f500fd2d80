import { Text, VisuallyHidden } from '@mantine/core';
import { analyticsText } from '../../strings/analytics.ts';
import { formatShare } from '../../ui/format.ts';
import classes from './change-mark.module.css';
import { changeOf } from './comparison.ts';

/** By how much a figure differs from that of the period before. */
export function ChangeMark({ value, before }: { readonly value: number; readonly before: number }) {
  const { change } = analyticsText;
  const { direction, share } = changeOf(value, before);
  const percent = share === null ? null : formatShare(share, 1);
  return (
    <Text span size="sm" className={classes.change} data-direction={direction}>
      <span aria-hidden="true">
        {percent === null ? change.fromNothing : change.shown[direction](percent)}
      </span>
      <VisuallyHidden>
        {percent === null ? change.fromNothingWords : change.words[direction](percent, before)}
      </VisuallyHidden>
    </Text>
  );
}
