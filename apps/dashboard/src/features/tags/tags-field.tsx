import { TagsInput } from '@mantine/core';
import { maxTagsOfCode } from '@signpost/contract/values.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { tagsText } from '../../strings/tags.ts';
import { tagsQuery } from './queries.ts';
import { TagDot, useTagColors } from './tag-chip.tsx';
import { foldTag, tagFault } from './tag-name.ts';

type Props = {
  readonly label?: string;
  readonly description?: string;
  readonly value: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  readonly error?: ReactNode;
  readonly readOnly?: boolean;
  /** Only tags that exist can be chosen. */
  readonly among?: readonly string[];
};

/** No list of suggestions is longer: more is found by typing. */
const mostShown = 50;

/** Tags to choose or to type. A spelling that the account has already wins. */
export function TagsField({ label = tagsText.field, value, onChange, error, among, ...rest }: Props) {
  const { data = [], isError } = useQuery(tagsQuery(useMode()));
  const colorOf = useTagColors();
  const [isOpen, setOpen] = useState(false);
  const known = among ?? data.map(({ name }) => name);
  const change = (typed: readonly string[]) => {
    const spelled = new Map(known.map(name => [foldTag(name), name]));
    const chosen = new Map<string, string>();
    for (const name of typed) {
      const folded = foldTag(name);
      const tag = spelled.get(folded) ?? (among ? undefined : name.trim());
      if (tag !== undefined && folded !== '' && !chosen.has(folded)) chosen.set(folded, tag);
    }
    // Otherwise the suggestions stay over what is below the field, and take the next click.
    setOpen(false);
    onChange([...chosen.values()]);
  };
  const fault = value.map(tagFault).find(found => found !== null);
  return (
    <TagsInput
      label={label}
      description={isError ? tagsText.notLoaded : tagsText.fieldHint}
      placeholder={value.length === 0 ? tagsText.fieldPlaceholder : ''}
      data={[...known]}
      value={[...value]}
      onChange={change}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      limit={mostShown}
      maxTags={maxTagsOfCode}
      splitChars={[',', ';', '|']}
      acceptValueOnBlur
      clearable={false}
      renderOption={({ option }) => (
        <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
          <TagDot color={colorOf(option.value)} />
          {option.value}
        </span>
      )}
      error={error ?? fault}
      comboboxProps={{ withinPortal: true }}
      {...rest}
    />
  );
}
