import { Collapse, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = { readonly title: string; readonly isOpenAtFirst?: boolean; readonly children: ReactNode };

/** What few people need: a line, and all of it after a click. */
export function Disclosure({ title, isOpenAtFirst = false, children }: Props) {
  const [isOpen, { toggle }] = useDisclosure(isOpenAtFirst);
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <UnstyledButton
        onClick={toggle}
        aria-expanded={isOpen}
        fz="sm"
        c="dimmed"
        style={{ display: 'inline-flex', gap: 4, alignItems: 'center', minHeight: 24 }}
      >
        <Icon size={14} aria-hidden />
        {title}
      </UnstyledButton>
      <Collapse expanded={isOpen}>{isOpen && children}</Collapse>
    </div>
  );
}
