import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { searchKey } from "#db/columns.ts";
import { likePattern } from "../search.ts";

/**
 * How many of an account's newest rows are compared one by one: a frequent text is among them, so that only a rare one
 * is searched for in the trigram index, which has few rows of it.
 */
const newestCompared = 2_000;

type NameSearch = {
  table: PgTable;
  id: AnyPgColumn;
  /** The columns of a result. */
  columns: SQL;
  /** The condition for the rows that the caller may see. */
  visible: SQL | undefined;
  /** The text in the trigram index. */
  searched: SQL;
  /** The name as the prefix index has it. */
  key: SQL;
};

/**
 * Returns a query for at most `limit` rows whose text contains `q`, those whose name begins with it first. Each of its
 * three parts reads a limited number of rows through an index, and runs only if those before it found too few.
 */
export function nameMatches({ table, id, columns, visible, searched, key }: NameSearch, q: string, limit: number): SQL {
  const pattern = likePattern(q);
  const begins = beginsWith(key, q);
  const beginning = sql`(select ${columns} from ${table} where ${visible} and ${begins} order by ${key}, ${id} limit ${limit})`;
  if (isLetter(q)) return beginning;
  const contains = sql`${searched} ilike ${pattern} and not (${begins})`;
  const newest = sql`(select ${columns} from (select * from ${table} where ${visible} order by ${id} desc limit ${newestCompared}) ${table}
    where ${contains} limit ${limit})`;
  const parts = [beginning, newest, ...(findsAll(q) ? [olderMatches()] : [])];
  return sql`(select * from (${sql.join(parts, sql` union all `)}) found limit ${limit})`;

  function olderMatches(): SQL {
    const oldestCompared = sql`(select ${id} from ${table} where ${visible} order by ${id} desc offset ${newestCompared - 1} limit 1)`;
    // The limit stands outside and the pattern is a subquery, so that the plan depends neither on few rows being wanted
    // nor on how frequent the text is: either would have the account's rows walked.
    const indexed = sql`${searched} ilike (select ${pattern}::text) and not (${begins})`;
    return sql`(with older as materialized (
        select ${id} as id from ${table} where ${visible} and ${indexed} and (${id} < ${oldestCompared}) is true)
      select ${columns} from ${table} where ${id} in (select older.id from older limit ${limit}) and ${visible})`;
  }
}

/**
 * Returns whether every name that contains the text is found, however old: by the trigram index, which needs three
 * letters or digits in a row.
 */
export function findsAll(q: string): boolean {
  return /[a-z0-9]{3}/i.test(q);
}

/** The condition that a name contains the text, or begins with it if it is one letter: for tables of few rows. */
export function nameContains(name: AnyPgColumn, q: string): SQL {
  return isLetter(q) ? beginsWith(searchKey(name), q) : sql`${name} ilike ${likePattern(q)}`;
}

function beginsWith(key: SQL, q: string): SQL {
  return sql`${key} like lower(${likePattern(q).slice(1)}::text) collate "C"`;
}

function isLetter(q: string): boolean {
  return [...q].length < 2;
}
