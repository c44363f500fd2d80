/** A day, or a moment with its offset from UTC. A space stands for a plus that nobody encoded. */
export const momentPattern =
  '^(19[7-9]\\d|20\\d\\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+ -](0\\d|1[0-4]):[0-5]\\d))?$';

export const momentForm =
  'a day such as 2026-11-15, or a timestamp with its offset such as 2026-11-15T08:00:00Z';
