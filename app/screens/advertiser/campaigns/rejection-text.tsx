/** Why a publisher rejected: the reasons that it selected, as a text, and its notes. */
export function RejectionText({ reasons, notes }: { reasons: string; notes: string | null }) {
  if (!reasons && !notes) return "The publisher left no notes.";
  return (
    <>
      {reasons ? `${reasons}. ` : null}
      {notes ? <span className="whitespace-pre-line">“{notes}”</span> : null}
    </>
  );
}
