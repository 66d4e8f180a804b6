// The file as it is into PostgreSQL, and the rest in SQL.
import { spawnSync } from "node:child_process";

const [url, path] = process.argv.slice(2);
const commands = [
  'create temp table raw ("Email" text)',
  `\\copy raw from '${path}' with (format csv, header)`,
  "drop table if exists sql_people",
  `create table sql_people as select distinct sha256(convert_to(case when e like '%@gmail.com'
    then replace(regexp_replace(left(e, -10), '\\+.*$', ''), '.', '') || '@gmail.com' else e end, 'UTF8')) as hash
    from (select lower(trim("Email")) e from raw) all_of_them where e ~ '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'`,
  "alter table sql_people add primary key (hash)",
  "select count(*) from sql_people",
];
const flags = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"];
const ran = spawnSync("psql", [...flags, ...commands.flatMap((one) => ["-c", one]), url], { encoding: "utf8" });
if (ran.status !== 0) throw new Error(ran.stderr);
console.info(ran.stdout.trim());
