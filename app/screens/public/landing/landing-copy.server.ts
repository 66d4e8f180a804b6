import { createHash } from "node:crypto";
import { minimumAudienceSize, nextStep, roundedSize } from "#app/domain/audiences/audience.ts";
import { holdDays, minimumPayout } from "#app/domain/billing/payouts/payout.ts";
import { plans, planTypes, trialCampaignLimit } from "#app/domain/billing/plan.ts";
import { topUpLimits } from "#app/domain/billing/wallet/top-up.ts";
import { appName } from "#app/domain/branding.ts";
import { type Channel, channelLabels, channels, channelsByType } from "#app/domain/campaigns/campaign.ts";
import { asCents, formatCents, formatCentsShort, shareOf } from "#app/domain/money.ts";
import { bpsToPercent, defaultCommissionBps, maxCommissionBps } from "#app/domain/rate.ts";
import { formatPeopleRange } from "#app/screens/shared/campaigns/reach/format-people-range.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";

/**
 * The texts of the landing page that name figures of the product. Each figure comes from the rule that the product
 * itself follows, so that the page cannot promise anything else.
 */

const commission = `${bpsToPercent(defaultCommissionBps)}%`;
const maxCommission = `${bpsToPercent(maxCommissionBps)}%`;
const minimumPeople = formatCount(minimumAudienceSize);

const list = new Intl.ListFormat("en-US", { type: "conjunction" });
const labelsOf = (some: readonly Channel[]) => list.format(some.map((channel) => channelLabels[channel]));

/** Named in a headline; the others are counted. */
const namedChannels = ["meta", "google", "tiktok", "trade_desk"] as const satisfies readonly Channel[];

export const landingCopy = {
  channels: channels.map((code) => ({ code, label: channelLabels[code] })),
  advertiserTitle: `Reach real buyers on ${[
    ...namedChannels.map((channel) => channelLabels[channel]),
    pluralize(channels.length - namedChannels.length, "more channel"),
  ]
    .join(", ")
    .replace(/, ([^,]+)$/, " and $1")}.`,
  activation: `${pluralize(channels.length, "channel")}, one campaign, one report.`,
  publisherPoints: [
    `Up to ${maxCommission} of advertiser spend`,
    "Approve each campaign yourself",
    "Data hashed before it is stored",
  ],
  publisherSteps: [
    {
      title: "Bring an audience",
      text: `Upload at least ${minimumPeople} customers. Email addresses are hashed as the file is read.`,
    },
    {
      title: "Set its price",
      text: "Choose a name, a segment and a price per thousand impressions. The people in it are never shown.",
    },
    { title: "Review", text: "Check the creative, budget and dates, then approve or reject with a note." },
    {
      title: "Earn",
      text: `Get a share of the spend on your audience: ${commission} by default, up to ${maxCommission}.`,
    },
  ],
  plans: planTypes.map((type) => ({
    type,
    label: plans[type].label,
    price: formatCentsShort(plans[type].monthlyAmount),
    features: plans[type].features,
  })),
  withoutPlan: `Without a plan you can run ${pluralize(trialCampaignLimit, "campaign")} at a time.`,
  money: describeMoney(),
  privacy: describePrivacy(),
  questions: [
    {
      question: "Do advertisers ever see who is in an audience?",
      answer:
        "No. They see its name, description, segment, rounded size and price. People are stored as SHA-256 hashes, and no screen or API endpoint exposes them.",
    },
    {
      question: "Who decides whether a campaign runs?",
      answer:
        "Each publisher decides for its own audiences. If some publishers reject a campaign, it runs with those that approved it. Changes after approval are reviewed again; until then the approved version keeps running.",
    },
    {
      question: "How long does a review take?",
      answer: "Campaigns are typically approved within 24 hours. You get an email when a publisher decides.",
    },
    {
      question: "Which channels are supported?",
      answer: `${pluralize(channelsByType.dsp.length, "demand-side platform")} (${labelsOf(channelsByType.dsp)}) and ${pluralize(channelsByType.walled_garden.length, "walled garden")} (${labelsOf(channelsByType.walled_garden)}).`,
    },
    {
      question: "How large must an audience be?",
      answer: `At least ${minimumPeople} distinct records. You can save a smaller audience and add people until it is large enough.`,
    },
    {
      question: "What does a publisher earn, and when?",
      answer: `A share of what advertisers spend on its audiences: ${commission} by default, up to ${maxCommission}. The rate is fixed for a campaign when you approve it, and the rest is the platform fee. Earnings are available ${holdDays} days after the day they were earned, and paid out on the first of each month or when you request it, from ${formatCentsShort(minimumPayout)} on. If you pay your plan from earnings, the monthly payout leaves what its next payment needs.`,
    },
    {
      question: "What does an advertiser pay?",
      answer:
        "What its campaigns spend, and nothing else: no subscription and no setup fee. A campaign never spends more than its budget or its daily budget, and it is on hold while the wallet is empty.",
    },
    {
      question: `What does ${appName} read from my Google account?`,
      answer:
        "Your name, your email address, the URL of your profile image and the ID of the account, to sign you in. Nothing else in your Google account can be read.",
    },
  ],
};

/** Money's way from the wallet to the payout, with what becomes of a hundred dollars. */
function describeMoney() {
  const spend = asCents(10_000);
  const earnings = shareOf(spend, defaultCommissionBps);
  return {
    spend: formatCents(spend),
    earnings: { amount: formatCents(earnings), percent: bpsToPercent(defaultCommissionBps) },
    fee: {
      amount: formatCents(asCents(spend - earnings)),
      percent: 100 - bpsToPercent(defaultCommissionBps),
    },
    steps: [
      {
        title: "Wallet",
        text: `The advertiser tops up by card, from ${formatCentsShort(topUpLimits.min)}. A campaign without funds is on hold.`,
      },
      { title: "Spend", text: "Delivery is charged day by day, never more than the daily and the total budget." },
      {
        title: "Split",
        text: `The publisher earns ${commission} by default, at most ${maxCommission}, to the cent. The rest is the platform fee.`,
      },
      {
        title: "Payout",
        text: `Available after ${holdDays} days, paid out on the first of each month or on request.`,
      },
    ],
  };
}

/** What becomes of one row of a customer file. The person is made up; the hash is the real one. */
function describePrivacy() {
  const email = "Ana@Example.com";
  const normalized = email.toLowerCase();
  const size = roundedSize(84_312);
  return {
    email,
    normalized,
    hash: createHash("sha256").update(normalized).digest("hex").slice(0, 16),
    size: formatPeopleRange({ from: size, to: nextStep(size) }),
    cpm: formatCents(asCents(750)),
  };
}
