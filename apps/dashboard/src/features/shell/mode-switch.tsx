import { SegmentedControl } from '@mantine/core';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { type Mode, switchMode, useMode } from '../../api/mode.ts';

/** Live or test. A code or an endpoint of one world does not exist in the other, so their pages are left. Operators' pages have both. */
export function ModeSwitch() {
  const mode = useMode();
  const navigate = useNavigate();
  const params = useMatches({ select: matches => matches.at(-1)?.params as { id?: string } | undefined });
  const path = useMatches({ select: matches => matches.at(-1)?.pathname ?? '' });

  async function change(next: Mode) {
    if (params?.id && !path.includes('/operator/'))
      await navigate({ to: path.includes('/webhooks/') ? '/settings/webhooks' : '/codes' });
    switchMode(next);
  }

  return (
    <SegmentedControl
      aria-label="Live or test mode"
      size="sm"
      value={mode}
      onChange={value => void change(value as Mode)}
      data={[
        { value: 'live', label: 'Live' },
        { value: 'test', label: 'Test' },
      ]}
      {...(mode === 'test' ? { color: 'yellow', autoContrast: true } : {})}
    />
  );
}
