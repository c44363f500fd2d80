/** Between facts that stand side by side. It is no word, and no screen reader says it. */
export const Dot = () => <span aria-hidden="true"> · </span>;
