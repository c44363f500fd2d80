import { SegmentedControl } from '@mantine/core';
import { type Mode, useMode } from '../../api/mode.ts';
import { shellText } from '../../strings/shell.ts';
import classes from './navigation.module.css';
import { useChangeMode } from './use-change-mode.ts';

const words = shellText.mode;

/** Live or test. */
export function ModeSwitch({ onChoice }: { readonly onChoice: () => void }) {
  const mode = useMode();
  const change = useChangeMode();
  return (
    <SegmentedControl
      aria-label={words.label}
      className={classes.mode}
      size="xs"
      value={mode}
      onChange={value => {
        onChoice();
        void change(value as Mode);
      }}
      data={[
        { value: 'live', label: words.live },
        { value: 'test', label: words.test },
      ]}
      {...(mode === 'test' ? { color: 'yellow', autoContrast: true } : {})}
    />
  );
}
