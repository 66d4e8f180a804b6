import type { FirstStep, FirstStepName, FirstSteps } from "#app/domain/first-steps/first-steps.ts";
import { withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { formatCount } from "#app/ui/format.ts";

type StepCopy = { title: string; text: string; to: string };

/**
 * Returns a step's title, its text, which says how far it is, and the page where it is done. Detours return to the
 * dashboard.
 */
export function describeFirstStep(step: FirstStep, { draftId, audienceId }: FirstSteps, base: PortalBase): StepCopy {
  const to = (path: `/${string}`) => portalHref(base, path);
  const andBack = (path: `/${string}`) => withNext(to(path), to("/dashboard"));
  const draftStep = (number: number) => (draftId ? to(`/campaigns/${draftId}/edit?step=${number}`) : undefined);
  const { title, done, started, toDo } = copy[step.name];
  const hrefs: Record<FirstStepName, string> = {
    company_profile: andBack("/profile"),
    product: step.state === "done" ? to("/products") : to("/products/upload"),
    creative: to("/creatives"),
    audience: step.state === "done" ? to("/campaigns") : (draftStep(3) ?? to("/campaigns/create")),
    funds: step.state === "done" ? to("/billing") : andBack("/billing/top-up"),
    campaign: step.state === "done" ? to("/campaigns") : (draftStep(6) ?? to("/campaigns/create")),
    first_audience: step.state === "done" ? to("/audiences") : to("/audiences/create"),
    minimum_size: audienceId
      ? to(`/audiences/${audienceId}${step.state === "done" ? "" : "/uploads"}`)
      : to("/audiences"),
    bank_account: step.state === "done" ? to("/revenue") : andBack("/revenue/account"),
    first_approval: to("/approval"),
  };
  const texts = { done, started: started ?? toDo, to_do: toDo };
  return { title, text: texts[step.state](step.progress ?? { current: 0, target: 0 }), to: hrefs[step.name] };
}

type Text = (progress: { current: number; target: number }) => string;

const copy: Record<FirstStepName, { title: string; done: Text; started?: Text; toDo: Text }> = {
  company_profile: {
    title: "Complete your company profile",
    done: () => "Publishers see who you are.",
    started: ({ current, target }) => `${current} of ${target} details added: website and business vertical.`,
    toDo: () => "Add your website and business vertical.",
  },
  product: {
    title: "Add a product",
    done: () => "Campaigns can feature your products.",
    toDo: () => "Import a file, or connect Shopify or WooCommerce.",
  },
  creative: {
    title: "Upload a creative",
    done: () => "Any campaign can use your creatives.",
    toDo: () => "Add an image or a video to use in any campaign.",
  },
  audience: {
    title: "Choose an audience",
    done: () => "A campaign of yours has an audience.",
    toDo: () => "Choose whom a campaign reaches, in its third step.",
  },
  funds: {
    title: "Top up your wallet",
    done: () => "Your campaigns can spend.",
    started: () => "Your top-up is processing.",
    toDo: () => "Campaigns run while there are funds.",
  },
  campaign: {
    title: "Launch your first campaign",
    done: () => "Publishers review what you launch, typically within 24 hours.",
    started: () => "Your draft is saved. Finish it and launch.",
    toDo: () => "Six short steps. It stays a draft until you launch it.",
  },
  first_audience: {
    title: "Upload your first audience",
    done: () => "Your data is hashed before it is stored.",
    toDo: () => "From a file, the API or an integration.",
  },
  minimum_size: {
    title: "Reach the minimum size",
    done: ({ target }) => `Your audience has at least ${formatCount(target)} people.`,
    started: ({ current, target }) =>
      `${formatCount(current)} of ${formatCount(target)} people. Advertisers can use an audience from then on.`,
    toDo: ({ target }) => `Advertisers can use an audience once it has ${formatCount(target)} people.`,
  },
  bank_account: {
    title: "Add your bank account",
    done: () => "Earnings are paid to it each month.",
    started: () => "Some information is still missing.",
    toDo: () => "Earnings are paid to it each month.",
  },
  first_approval: {
    title: "Approve your first campaign",
    done: () => "Campaigns run on your audiences.",
    started: () => "A campaign is pending your review.",
    toDo: () => "Campaigns appear for review once advertisers use your audiences.",
  },
};
