import { ActionIcon, Button, Kbd } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { shellText } from '../../strings/shell.ts';
import { openOverlay } from './shortcuts.tsx';

const words = shellText.palette;

/** Opens the palette, for who does not know its key. */
export function SearchButton() {
  const open = () => openOverlay('palette');
  return (
    <>
      <Button
        variant="default"
        size="xs"
        fw={400}
        c="dimmed"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {/mac/i.test(navigator.userAgent) ? '⌘K' : words.controlK}
          </Kbd>
        }
        onClick={open}
      >
        {words.open}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="sm"
        aria-label={words.open}
        onClick={open}
      >
        <IconSearch size={20} stroke={1.7} aria-hidden />
      </ActionIcon>
    </>
  );
}
