type Definition = { label: string; definition: string; computation: string };

/** What the figures beside it mean and how they are computed; opens without scripting. */
export function Definitions({ of }: { of: readonly Definition[] }) {
  return (
    <details className="money-definitions">
      <summary>What these figures mean</summary>
      <dl>
        {of.map(({ label, definition, computation }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {definition} <span className="hint">{computation}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
