import { Card, DescriptionList } from "#app/ui/page-header.tsx";

/** What a view saves, in words. */
export function ViewFacts({ facts }: { facts: readonly { label: string; value: string }[] }) {
  return (
    <Card title="What this view shows">
      <DescriptionList facts={facts} />
    </Card>
  );
}
