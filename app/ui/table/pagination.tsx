import { LinkButton } from "#app/ui/button.tsx";

/** The range shown, and links to the previous and next page; `undefined` if there is none. */
export function Pagination({ shown, previous, next }: { shown: string; previous?: string; next?: string }) {
  return (
    <div className="card-footer">
      <span>{shown}</span>
      {previous || next ? (
        <nav className="actions" aria-label="Pages">
          {previous ? (
            <LinkButton to={previous} icon="chevron-left">
              Previous
            </LinkButton>
          ) : null}
          {next ? (
            <LinkButton to={next} icon="chevron-right" iconAtEnd>
              Next
            </LinkButton>
          ) : null}
        </nav>
      ) : null}
    </div>
  );
}
