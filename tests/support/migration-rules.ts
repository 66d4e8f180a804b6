/** The rules of docs/how-to.md ("Write a migration"), so that a server goes on while its database is migrated. */

const concurrentMark = "-- outside a transaction";
/**
 * What may run outside a transaction: statements that can be repeated after an interruption, such as a procedure that
 * fills a table part by part, each in a transaction of its own, and continues where it stopped.
 */
const repeatable =
  /^(create (unique )?index concurrently if not exists|drop index concurrently if exists|alter table \S+ validate constraint|alter table \S+ drop constraint if exists (?<name>\S+), add constraint \k<name> check .* not valid$|create or replace trigger|call fill_\w+\(\))/;

/**
 * What `npm run distribute` keeps in another form (decision 107): a distributed database has triggers, foreign keys and
 * new columns of facts on other tables, and functions of its own.
 */
const distributed = "deliveries|delivery_revisions|line_item_audience_days|create_month_partitions";

type Rule = { matches: RegExp; fulfilled: (statement: string, comments: string) => boolean; advice: string };

const contract = (_: string, comments: string) =>
  /-- contract since \d{4}\b/.test(comments) || /-- replaced under its name: \S+/.test(comments);
const rules: Rule[] = [
  {
    matches: /^create (unique )?index (?!concurrently)/,
    fulfilled: () => false,
    advice: "an index on an existing table is built CONCURRENTLY IF NOT EXISTS, in a migration outside a transaction",
  },
  {
    matches: /\badd constraint \S+ (check|foreign key)\b/,
    // Also in a statement that a function builds.
    fulfilled: (statement) => /^(?!.*\badd constraint \S+ (check|foreign key)\b(?!.*\bnot valid\b))/.test(statement),
    advice: "a constraint of an existing table is added NOT VALID, and validated outside a transaction",
  },
  {
    matches: /\badd constraint \S+ (unique|primary key)\b/,
    fulfilled: (statement) => /\busing index\b/.test(statement),
    advice: "a key of an existing table is added USING INDEX, built concurrently before",
  },
  {
    matches: /\badd column\b.* not null\b/,
    fulfilled: (statement) => /\bdefault\b/.test(statement),
    advice: "a new column is nullable or has a DEFAULT, because the version before does not write it",
  },
  {
    matches: /\balter column \S+ set not null\b/,
    fulfilled: (_, comments) => /-- proven by \w+/.test(comments),
    advice: "NOT NULL is set where a valid check constraint proves it: name it in `-- proven by NAME`",
  },
  {
    matches: /\b(drop column|rename (column|to)|alter column \S+ (set data )?type)\b|^drop table\b/,
    fulfilled: contract,
    advice:
      "what the version before uses is not removed: name the migration that replaced it in `-- contract since NNNN`, or say in `-- replaced under its name: …` that another object has its name and use at once",
  },
  {
    matches: /^(with\b.*\b)?(update|delete from)\b/,
    fulfilled: (_, comments) => /-- bounded: \S+/.test(comments),
    advice: "a change of rows says why there are few in `-- bounded: REASON`; a large one is a job",
  },
  {
    matches: new RegExp(
      `^(alter table|drop (table|view)|create (or replace )?(view|function)) (only |if exists )*"?(${distributed})\\b|^(create|drop) .*\\bon (only )?"?(${distributed})\\b`,
    ),
    fulfilled: (_, comments) => /-- distributed: \S+/.test(comments),
    advice:
      "facts may be distributed already: say in `-- distributed: …` what such a database does with this statement, and try it with `npm run test:citus`",
  },
];

/** Returns what a migration's SQL breaks, by statement. Tables that it creates itself may be changed freely. */
export function findBrokenMigrationRules(sql: string): string[] {
  const isConcurrent = sql.trimStart().startsWith(concurrentMark);
  const statements = sql.split("--> statement-breakpoint").map((text) => ({
    comments: text,
    statement: text.replace(/--.*$/gm, " ").replace(/\s+/g, " ").trim().replace(/;$/, "").toLowerCase(),
  }));
  const created = statements.flatMap(({ statement }) => /^create table (\S+)/.exec(statement)?.[1] ?? []);
  const withTriggers = statements.flatMap(({ statement }) => {
    const table = /^create (?:constraint )?trigger .*? on (\S+)/.exec(statement)?.[1];
    return table && !created.includes(table) ? table : [];
  });
  const onSeveral =
    new Set(withTriggers).size > 1
      ? [`triggers on ${withTriggers.join(", ")}: are created one by one outside a transaction, with CREATE OR REPLACE`]
      : [];
  const asWriter = findFunctionsOfWriters(
    statements.map(({ statement }) => statement),
    created,
  ).map(
    (name) =>
      `function ${name}: a trigger on an existing table reaches a table of this migration as SECURITY DEFINER, because servers get its privileges after the last migration of an upgrade`,
  );
  const broken = statements.flatMap(({ statement, comments }) => {
    if (statement === "") return [];
    if (isConcurrent)
      return repeatable.test(statement) ? [] : [`${statement}: cannot be repeated, so it belongs in a transaction`];
    if (/\bconcurrently\b/.test(statement)) return [`${statement}: begins a file with "${concurrentMark}"`];
    const table = /^(?:alter table|create (?:unique )?index .*? on) (?:only )?(\S+)/.exec(statement)?.[1];
    if (table && created.includes(table)) return [];
    return rules
      .filter(({ matches, fulfilled }) => matches.test(statement) && !fulfilled(statement, comments))
      .map(({ advice }) => `${statement}: ${advice}`);
  });
  return [...broken, ...onSeveral, ...asWriter];
}

/**
 * Returns the trigger functions that reach a table of the same migration, perhaps by functions that this migration
 * creates, with the privileges of whoever writes another table.
 */
function findFunctionsOfWriters(statements: readonly string[], created: readonly string[]): string[] {
  const functions = statements.flatMap((statement) => {
    const name = /^create (?:or replace )?function (\w+)/.exec(statement)?.[1];
    return name && !/\bsecurity definer\b/.test(statement) ? { name, statement } : [];
  });
  const reached = new Set(created.map((table) => table.replaceAll('"', "")));
  const reaching = new Set<string>();
  const reaches = (body: string) => [...reached].some((name) => new RegExp(`\\b${name}\\b`).test(body));
  // One may call another that is created after it.
  for (const _ of functions) {
    for (const { name, statement } of functions) {
      if (!reaches(statement.replace(name, ""))) continue;
      reaching.add(name);
      reached.add(name);
    }
  }
  return functions.flatMap(({ name, statement }) => {
    if (!reaching.has(name) || !/\breturns trigger\b/.test(statement)) return [];
    const tables = statements.flatMap((one) => {
      const trigger =
        /^create (?:or replace )?(?:constraint )?trigger .*? on (\S+) .*\bexecute (?:function|procedure) (\w+)/.exec(
          one,
        );
      return trigger?.[2] === name && trigger[1] ? trigger[1] : [];
    });
    const isOfOwnTables = tables.length > 0 && tables.every((table) => created.includes(table));
    return isOfOwnTables ? [] : name;
  });
}
