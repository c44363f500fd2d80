import { Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { operatorText } from '../../strings/operator.ts';

type Props = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
};

/** The caller gives it a key by its value, so that the field follows the address. */
export function SearchForm({ label, placeholder, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch(text.trim());
  }
  return (
    <search>
      <form onSubmit={submit} noValidate>
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <TextInput
            label={label}
            placeholder={placeholder}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            maxLength={254}
            autoCapitalize="none"
            spellCheck={false}
            style={{ flex: '1 1 auto', minWidth: 0, maxWidth: 480 }}
          />
          <Button type="submit" variant="default" style={{ flex: 'none' }}>
            {operatorText.search}
          </Button>
        </Group>
      </form>
    </search>
  );
}
