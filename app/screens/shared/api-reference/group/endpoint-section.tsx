import type { EndpointReference } from "#app/api/reference/describe-endpoint.ts";
import { CodeText } from "#app/screens/shared/api-reference/code-text.tsx";
import { CodeBlock } from "#app/ui/code-block.tsx";

/** One endpoint: what it takes, an example that runs, what it returns, its errors and its limits. */
export function EndpointSection({ endpoint }: { endpoint: EndpointReference }) {
  const { anchor, method, path, summary, caller, parameters, body, request, response, errors, limits } = endpoint;
  return (
    <section className="card api-endpoint" id={anchor} aria-labelledby={`${anchor}-name`}>
      <div className="card-header">
        <h2 id={`${anchor}-name`}>
          <code data-method={method}>
            {method} {path}
          </code>
        </h2>
        <a className="link" href={`#${anchor}`} aria-label={`Link to ${method} ${path}`}>
          #
        </a>
      </div>
      <div className="card-body api-columns">
        <div className="stack">
          <div>
            <p>
              <CodeText text={summary} />
            </p>
            <p className="hint">{caller}</p>
          </div>
          {parameters.length > 0 ? <Fields title="Parameters" rows={parameters} /> : null}
          {body ? <Fields title="Body" hint={body.types} rows={body.fields} /> : null}
          <details>
            <summary>Errors</summary>
            <dl className="api-fields">
              {errors.map(({ status, code, when }) => (
                <div key={code}>
                  <dt>
                    {status} <code>{code}</code>
                  </dt>
                  <dd>
                    <CodeText text={when} />
                  </dd>
                </div>
              ))}
            </dl>
          </details>
          <details>
            <summary>Limits</summary>
            <ul className="list-disc pl-5 grid gap-1">
              {limits.map((limit) => (
                <li key={limit}>
                  <CodeText text={limit} />
                </li>
              ))}
            </ul>
          </details>
        </div>
        <div className="stack">
          <CodeBlock label="Request" code={request} />
          <figure className="code">
            <figcaption>
              <span className="label">Response {response.status}</span>
            </figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long example scrolls, also by keyboard */}
            <pre tabIndex={0} className="api-response">
              <code>{response.text}</code>
            </pre>
          </figure>
        </div>
      </div>
    </section>
  );
}

function Fields({ title, hint, rows }: { title: string; hint?: string; rows: EndpointReference["parameters"] }) {
  return (
    <div>
      <h3>{title}</h3>
      {hint ? <p className="hint">{hint}</p> : null}
      <dl className="api-fields">
        {rows.map(({ name, type, required, text }) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className="hint">{type}</span>
              {required ? <strong>required</strong> : null}
            </dt>
            {text ? (
              <dd>
                <CodeText text={text} />
              </dd>
            ) : null}
          </div>
        ))}
      </dl>
    </div>
  );
}
