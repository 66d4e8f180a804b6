import { Icon } from "#app/ui/icon.tsx";
import type { landingCopy } from "./landing-copy.server.ts";

type Money = (typeof landingCopy)["money"];

/** How money flows: four stations in order, and below them what becomes of a hundred dollars. */
export function MoneySection({ money }: { money: Money }) {
  return (
    <section className="section" id="money" aria-labelledby="money-title">
      <h2 id="money-title">Where the money goes</h2>
      <p>
        One ledger for both parties. Every amount is an entry that is never changed, in statements you can download.
      </p>
      <figure className="card flow">
        <ol className="flow-steps">
          {money.steps.map(({ title, text }) => (
            <li key={title}>
              <b>{title}</b>
              <span>{text}</span>
              <Icon name="arrow-right" className="flow-arrow" />
            </li>
          ))}
        </ol>
        <figcaption className="split">
          <p>
            Of <b>{money.spend}</b> that a campaign spends on an audience:
          </p>
          <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect width={money.earnings.percent - 0.4} height="6" fill="var(--emerald)" />
            <rect x={money.earnings.percent} width={money.fee.percent} height="6" fill="var(--line-strong)" />
          </svg>
          <ul>
            <li>
              <b>{money.earnings.amount}</b> for the publisher
            </li>
            <li>
              <b>{money.fee.amount}</b> platform fee
            </li>
          </ul>
        </figcaption>
      </figure>
    </section>
  );
}

type Privacy = (typeof landingCopy)["privacy"];

/** What becomes of a customer's row, from the store's file to what the advertiser sees. */
export function PrivacySection({ privacy }: { privacy: Privacy }) {
  return (
    <section className="section" id="privacy" aria-labelledby="privacy-title">
      <h2 id="privacy-title">What is kept of a customer list</h2>
      <p>
        Hashes, and nothing else unless you choose to add names and postal codes. If you upload hashes, not even an
        email address leaves your store.
      </p>
      <figure className="card flow">
        <ol className="flow-steps">
          <li>
            <Icon name="file-spreadsheet" />
            <b>Your file</b>
            <ul className="flow-data">
              <li>{privacy.email}</li>
              <li>Ana Diaz, 12 Pier Street</li>
              <li>3 orders, $248.00</li>
            </ul>
            <Icon name="arrow-right" className="flow-arrow" />
          </li>
          <li>
            <Icon name="memory-stick" />
            <b>In memory, while it is read</b>
            <ul className="flow-data">
              <li>{privacy.normalized}</li>
              <li>
                <s>Name and address</s> discarded
              </li>
              <li>
                <s>Orders</s> discarded
              </li>
            </ul>
            <Icon name="arrow-right" className="flow-arrow" />
          </li>
          <li>
            <Icon name="store" />
            <b>Stored, for your audiences only</b>
            <ul className="flow-data">
              <li>
                <code>{privacy.hash}…</code>
              </li>
            </ul>
            <p>Channels receive it to match, for the campaigns you approved.</p>
            <Icon name="arrow-right" className="flow-arrow" />
          </li>
          <li>
            <Icon name="eye-off" />
            <b>What advertisers see</b>
            <ul className="flow-data">
              <li>Weekend hikers</li>
              <li>{privacy.size} people</li>
              <li>{privacy.cpm} CPM</li>
            </ul>
            <p>Never a person, never a hash.</p>
          </li>
        </ol>
        <figcaption>
          An email address is in memory only while the file is read. No file, database or log ever contains it.
        </figcaption>
      </figure>
    </section>
  );
}
