import { formatCount } from "../format.ts";

/** The number of a row or line of a file, which names itself where the table has no head. */
export function NumberedCell({ name, number }: { name: string; number: number }) {
  return (
    <>
      <span className="only-narrow">{`${name} `}</span>
      {formatCount(number)}
    </>
  );
}
