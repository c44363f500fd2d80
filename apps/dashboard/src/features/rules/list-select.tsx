import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useState } from 'react';

/** Of a long list; the others are found by typing. */
export const mostOptions = 100;

/** A hint below the field: the button beside it stays in line. */
export const belowInput: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

type Option = { readonly value: string; readonly label: string };
type Props = Omit<MultiSelectProps, 'data'> & { readonly data: readonly Option[] };

/** Values from a list with a search. The list goes once something was chosen, and comes again with the next letter. */
export function ListSelect({ placeholder, data, value = [], ...props }: Props) {
  const [isOpen, setOpen] = useState(false);
  // While it is closed only what is chosen: fifty rules may have a thousand options each.
  const options = isOpen ? data : data.filter(option => value.includes(option.value));
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      inputWrapperOrder={belowInput}
      placeholder={value.length === 0 ? (placeholder ?? '') : ''}
      data={[...options]}
      value={value}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onOptionSubmit={() => setOpen(false)}
      {...props}
    />
  );
}
